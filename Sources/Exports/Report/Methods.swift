import Analysing
import Datasets
import Hashing
import Participants
import Results
import StudyModel
import TextFormat

/// How a report was made, so that it can be described and repeated.
package struct ReportOrigin: Sendable {
    /// Of the program.
    var version: String
    /// The command that was typed; `nil` if it would reveal who took part.
    var command: String?
    /// The seed of the sign flips.
    var seed: UInt64
    /// The name of the file beside the page with everything that was left out, if that is too much for the page.
    var listName: String

    package init(version: String, command: String?, seed: UInt64, listName: String) {
        self.version = version
        self.command = command
        self.seed = seed
        self.listName = listName
    }
}

/// The text of a methods section, and how to make the report again.
struct Methods {
    let studies: [StudyResponse]
    let sessions: [RecordedSession]
    let origin: ReportOrigin

    var html: String {
        sentences.map { "<p>\(HTML.escaped($0))</p>\n" }.joined() + HTML.facts(facts)
    }

    /// The whole text in paragraphs, in the order of a paper.
    private var sentences: [String] {
        [measures, tests, missing].filter { !$0.isEmpty }
    }

    private var outcomes: [OutcomeResult] { studies.flatMap(\.outcomes) }

    private var measures: String {
        let ofClips: [Outcome.Measure] =
            studies.contains { !$0.responses.isEmpty } ? [.heartRate, .rmssd] : []
        let asked = Set(outcomes.map(\.outcome.measure) + ofClips)
        var sentences: [String] = []
        for method in Outcome.Measure.allCases.filter(asked.contains).compactMap(\.facts.method)
        where !sentences.contains(method) {
            sentences.append(method)
        }
        return sentences.joined(separator: " ")
    }

    private var tests: String {
        guard outcomes.contains(where: { $0.p != nil }) || studies.contains(where: { !$0.contrasts.isEmpty })
        else {
            return ""
        }
        var sentences = ["Tests are two-sided at 0.05, and intervals cover 95 %."]
        let designs = Set(outcomes.map(\.design))
        if !designs.isDisjoint(with: [.crossover, .sessions])
            || studies.contains(where: { !$0.contrasts.isEmpty })
        {
            sentences.append(
                "Conditions were compared within participants by a linear mixed model of the mean of each participant and condition, "
                    + "with an intercept for each participant, fitted by restricted maximum likelihood, with standard errors that are robust by participant (CR2) and degrees of freedom after Satterthwaite; F was corrected after "
                    + "Greenhouse and Geisser, and all pairs after Holm."
            )
        }
        if designs.contains(.arms) {
            sentences.append(
                "Arms were compared by Welch's test; an outcome that is relative to something was adjusted for that along one line "
                    + "(Johansen's test). Each participant counts once."
            )
        }
        if designs.contains(.prePost) {
            sentences.append("Changes were tested by Student's test of pairs. Each participant counts once.")
        }
        if outcomes.count(where: { $0.outcome.rank == .secondary && $0.p != nil }) > 1 {
            sentences.append("p values of secondary outcomes were corrected after Holm.")
        }
        sentences.append("Sign flips were drawn with the seed \(origin.seed).")
        return sentences.joined(separator: " ")
    }

    private var missing: String {
        let left = outcomes.flatMap(\.exclusions).count + studies.flatMap(\.exclusions).count
        return left == 0
            ? "No value was left out."
            : "Each outcome, and the section Left out, list what was left out and why; no value was filled in."
    }

    private var facts: [(name: String, value: String)] {
        let texts = Set(sessions.map { "\($0.study)\n\($0.text.revision)\n\($0.text.sha256)" }).sorted()
        let studies = texts.map { text -> (name: String, value: String) in
            let parts = text.split(separator: "\n", omittingEmptySubsequences: false)
            return ("Study \(printable(String(parts[0]))), revision \(parts[1]), SHA-256", "\(parts[2])")
        }
        // Computed in the same way as `sort | sha256sum` over the column.
        let manifests = sessions.map(\.manifest).sorted().map { $0 + "\n" }.joined()
        return studies + [
            (
                "SHA-256 of the sorted manifest_sha256 of all sessions",
                SHA256.hexadecimal(of: manifests)
            ),
            ("Program", "entrain \(origin.version)"),
        ] + (origin.command.map { [("Command", printable($0))] } ?? [])
    }
}
