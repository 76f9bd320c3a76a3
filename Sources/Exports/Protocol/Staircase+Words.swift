import StudyModel
import TextFormat

extension Staircase {
    /// How the answers decide, one sentence each.
    func sentences(over table: Identifier) -> [String] {
        var said = [
            "The answers to \(question) decide which of the \(counted(values.count, "rung")) of the ladder \(table) comes next.",
            "The rungs, from the easiest to the hardest, have these values of \(column): \(listed(values.map(plainNumber))).",
            "\(Self.inARow(down, "right")) \(leads(down)) to a harder rung, \(Self.inARow(up, "wrong").lowercasedFirst) to an easier one.",
            "A missing answer counts as wrong.", moves,
            "A reversal is a trial after which the rung changes in the other direction than it changed last.",
            "At the first and the last rung, a track stays where it is rather than leave the ladder; this is no reversal.",
            ending,
        ]
        if rowsOfRung > 1 {
            said.append(
                "Each rung has \(rowsOfRung) rows; which of them comes is drawn, and each is equally likely.")
        }
        if tracks.count > 1 {
            let names = tracks.map { "\($0.identifier?.text ?? "") from rung \($0.start)" }
            said.append("\(counted(tracks.count, "track")) take turns: \(listed(names)).")
        }
        return said
    }

    private static func inARow(_ count: Int, _ word: String) -> String {
        count == 1 ? "One \(word) answer" : "\(count) \(word) answers in a row"
    }

    private func leads(_ count: Int) -> String { count == 1 ? "leads" : "lead" }

    private var moves: String {
        let words = steps.map { "\($0)" }
        return steps.count == 1
            ? "A track moves by \(counted(steps[0], "rung"))."
            : "A track moves by \(words.joined(separator: ", then ")) rungs; each reversal changes to the next number, and the last one stays."
    }

    private var ending: String {
        let trials = "\(counted(mostTrials, "trial"))"
        return reversals.map {
            "A track is done after \(counted($0, "reversal")), and after \(trials) in any case."
        }
            ?? "A track is done after \(trials)."
    }
}

extension String {
    fileprivate var lowercasedFirst: String { prefix(1).lowercased() + dropFirst() }
}
