import Allocating
import ArgumentParser
import Console
import Datasets
import Participants
import Platform
import Results
import SessionPorts
import StudyModel
import TextFormat

struct AllocationVerify: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "verify",
        abstract: "Checks that a ledger is whole, and says how many participants each arm has.",
        discussion: """
            Every line names the line before by its checksum, and each arm is derived again from the secret. With --results, each session is compared with the ledger: its arm, its slot and the answers by which it was allocated. \
            The head is the checksum of the last line. Keep it elsewhere: --head finds a ledger from which lines were cut, or \
            which was put back from an older copy.
            """)

    @Argument(help: "The folder of the ledger.", completion: .directory)
    var ledger: String

    @Option(help: "A folder with bundles, at any depth.", completion: .directory)
    var results: String?

    @Option(
        help: ArgumentHelp(
            "The checksum of a line that the ledger had, as this command printed it.", valueName: "sha256"))
    var head: String?

    func run() throws {
        let problems = try reporting {
            let opened = try Ledger(at: ledger)
            let lines = opened.summary + opened.claims(comparing: head != nil) + [opened.contents.headLine]
            Output.emit(.lines(lines.joined(separator: "\n") + "\n"))
            for line in opened.contents.earlierTimes { Output.remark("\(line)") }
            let register = try results.map { try Register(below: $0) }
            return try opened.wrongSlots + opened.contents.missing(head)
                + (register.map(opened.contents.problems(in:)) ?? [])
        }
        for problem in problems { Output.complain("\(printable(problem))") }
        if !problems.isEmpty { throw ExitCode.badData }
    }
}

struct AllocationUnblind: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "unblind", abstract: "Tells a participant's arm, and writes down who asked and why.")

    @Argument(help: "The folder of the ledger.", completion: .directory)
    var ledger: String

    @OptionGroup var statement: LedgerStatement

    func run() throws {
        try reporting {
            let slot = try Ledger(at: ledger).unblind(
                statement.participant, by: statement.name, because: statement.reason,
                at: WallClock.now().date(of: .start))
            Output.say(
                "\(printable(statement.participant)) is in the arm \(slot.arm), since \(printable(slot.time))"
            )
        }
    }
}

/// What a person says to a ledger about a participant.
struct LedgerStatement: ParsableArguments {
    @Option(name: .shortAndLong, help: "The participant's code, such as P07.")
    var participant: String

    @Option(name: .customLong("by"), help: ArgumentHelp("Who asks or says so.", valueName: "name"))
    var name: String

    @Option(help: ArgumentHelp("Why.", valueName: "text"))
    var reason: String

    func validate() throws {
        try ParticipantOptions.validate(participant: participant)
        for (option, words) in [("--by", name), ("--reason", reason)] { try Self.validate(option, words) }
    }

    static func validate(_ option: String, _ words: String) throws {
        guard (1...500).contains(words.count), !words.allSatisfy(\.isWhitespace) else {
            throw ValidationError("\(option) takes 1 to 500 characters")
        }
    }
}

struct AllocationReveal: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "reveal",
        abstract: "Tells the secret after the last participant, and derives every allocation again.",
        discussion: """
            From then on the ledger allocates nobody: who knows the secret knows the next arm. With the secret and the ledger, \
            anyone can derive each arm as the page 'Allocation' says. The exit code is 65 if an arm does not follow.
            """)

    @Argument(help: "The folder of the ledger.", completion: .directory)
    var ledger: String

    @Flag(help: "Ask nothing; needed where there is no terminal.")
    var yes = false

    @Option(help: "'text' for people, 'json' for programs.")
    var format = OutputFormat.text

    func run() throws {
        let opened = try reporting { try Ledger(at: ledger) }
        if opened.contents.revealed == nil, !yes {
            guard ParticipantCode.isAskable else {
                throw ValidationError(
                    "there is no terminal to ask whether the last participant is allocated: add --yes")
            }
            guard Output.ask("From now on nobody can be allocated. Reveal? [y/N] ")?.lowercased() == "y"
            else {
                throw ExitCode.interrupted
            }
        }
        let (slots, secret) = try reporting { try opened.reveal(at: WallClock.now().date(of: .start)) }
        let contents = try reporting { try Ledger(at: ledger).contents }
        let wrong = Ledger.wrong(among: slots)
        switch format {
        case .json:
            var members: [String: JSON] = [
                "design": opened.contents.design.json, "secret": .text(secret),
                "slots": .list(
                    slots.map { $0.slot.json(derived: $0.derived, in: contents) }),
            ]
            if !opened.hiddenSizes.isEmpty {
                members["blocks"] = .list(opened.hiddenSizes.map { .integer($0) })
            }
            members["publicChance"] = contents.chance.map { .text($0.value) }
            members["list"] = opened.list.map { .text(String(decoding: $0.bytes, as: UTF8.self)) }
            Output.say(json: .members(members))
        case .text:
            let rows =
                [["slot", "participant", "arm", "answers", "right answers", "time", "asked by"]]
                + slots.map { $0.slot.cells(in: contents) }
            let sizes = opened.hiddenSizes.map { "\($0)" }.joined(separator: ", ")
            let lines =
                opened.summary + [contents.headLine, "secret: \(secret)"]
                + (sizes.isEmpty ? [] : ["sizes of blocks: \(sizes)"])
                + aligned(rows).map { "  " + $0 }
            Output.emit(.lines(lines.joined(separator: "\n") + "\n"))
        }
        for problem in wrong { Output.complain("\(printable(problem))") }
        guard wrong.isEmpty else { throw ExitCode.badData }
        Output.remark(
            !opened.hiddenSizes.isEmpty
                ? "Every allocation follows from the secret and the sizes of blocks. Publish the folder as it is."
                : opened.list == nil
                    ? "Every allocation follows from the secret."
                    : "Every allocation follows from the list. Publish the secret, the ledger and the list together."
        )
    }
}

extension Ledger {
    /// A summary, one line for each point.
    fileprivate var summary: [String] {
        var lines = contents.summary
        if let list {
            lines.append(
                "list: \(counted(list.count, "slot")), \(list.count - contents.slots.count) not taken")
        }
        return lines
    }

    /// Which slots have an arm that does not follow from the secret.
    fileprivate var wrongSlots: [String] { Self.wrong(among: derived) }

    fileprivate static func wrong(among slots: [DerivedSlot]) -> [String] {
        slots.filter { $0.slot.arm != $0.derived }.map { slot, derived in
            "slot \(slot.number) has the arm \(slot.arm), and the secret gives \(derived?.text ?? "none")"
        }
    }
}

extension LedgerContents {
    /// A summary, one line for each point.
    fileprivate var summary: [String] {
        let arms = design.arms.map { arm in
            "\(slots.count { $0.arm == arm.identifier }) in \(arm.identifier)"
        }
        var lines = ["\(design.study): \(counted(slots.count, "participant")), \(listed(arms))"]
        if isTorn { lines.append(Ledger.tornRemark) }
        for unblinding in unblindings {
            lines.append(
                printable(
                    "unblinded: \(unblinding.participant), by \(unblinding.by), \(unblinding.time): \(unblinding.reason)"
                ))
        }
        for correction in corrections {
            let words = "by \(correction.by), \(correction.time): \(correction.reason)"
            let what = correction.levels.map { "corrected: \(correction.participant) is \(named($0))" }
            lines.append(
                printable("\(what ?? "allocated in error: \(correction.participant)"), \(words)"))
        }
        if let chance {
            lines.append(printable("public chance: \(chance.value), by \(chance.by), \(chance.time)"))
        }
        lines += endingLines
        if let revealed { lines.append("revealed: \(printable(revealed))") }
        return lines
    }

    fileprivate var headLine: String { "head: \(sums.last ?? "") (line \(sums.count))" }

    /// Answers with their questions: `sex male, age old`.
    func named(_ levels: [String]) -> String {
        zip(design.allocation.factors, levels).map { "\($0) \($1.isEmpty ? "not answered" : $1)" }
            .joined(separator: ", ")
    }

    /// Lines that say to have been written before those above them.
    fileprivate var earlierTimes: [String] {
        earlierLines.map {
            "Line \($0) of the ledger says an earlier time than a line above it: the clock was put back in between, or somebody dated the line."
        }
    }

    /// Says that the ledger has no line of this checksum.
    fileprivate func missing(_ head: String?) -> [String] {
        guard let head, !sums.contains(head.lowercased()) else { return [] }
        return [
            "no line of the ledger has the checksum \(head): lines were cut off, or an older or another ledger was put back"
        ]
    }

    /// Where the sessions and the ledger disagree.
    fileprivate func problems(in register: Register) throws(FileFailure) -> [String] {
        let runs = register.runs.filter { $0.run.study == design.study && !$0.run.origin.isInvented }
        Output.remark(
            "\(counted(runs.count, "session")) compared with the ledger.")
        var problems = register.leftOut.damaged.map {
            "\($0.path) is damaged, and not compared: \($0.reason)"
        }
        problems += disagreements(among: runs).map { run, arm, slot in
            let session = "\(run.participant), session \(run.session), was run in the arm \(arm)"
            return slot.map { "\(session), and the ledger has \($0.arm)" }
                ?? "\(session), and is not in the ledger"
        }
        for slot in slots {
            let own = runs.filter { $0.run.participant == slot.participant && $0.status != nil }
            let armed = own.filter { $0.run.arm != nil }
            // A run that ended before its allocation has no arm; one after it has.
            let first = armed.map(\.run.session).min() ?? 0
            // A run that was killed just after it asked does not know its arm.
            for entry in own
            where entry.run.arm == nil && entry.status != .failed
                && (armed.isEmpty || entry.run.session > first)
            {
                problems.append(
                    "\(slot.participant), session \(entry.run.session), has no arm, and the ledger has \(slot.arm)"
                )
            }
            for entry in armed { problems += try contradictions(of: slot, in: entry) }
        }
        return problems
    }

    /// What the journal of the run that asked for a slot says of it that the ledger does not.
    private func contradictions(of slot: Slot, in entry: Register.Entry) throws(FileFailure) -> [String] {
        let bundle = try ResultBundle(at: entry.path)
        guard !bundle.manifest.isPseudonymised else { return [] }
        var (asked, problems): ([String]?, [String]) = (nil, [])
        let session = "\(slot.participant), session \(entry.run.session),"
        for content in try bundle.journal().records.map(\.content) {
            if case .effect(.allocate(let levels)) = content { asked = levels }
            guard case .event(.allocated(_, let number)) = content else { continue }
            if number != slot.number {
                problems.append("\(session) has slot \(number), and the ledger gives it slot \(slot.number)")
            }
            if let asked, asked != slot.levels, asked != correctedLevels(of: slot.participant) {
                problems.append(
                    "\(session) asked for its arm with '\(asked.joined(separator: ", "))', and the ledger has "
                        + "'\(slot.levels.joined(separator: ", "))'")
            }
        }
        return problems
    }

    /// The runs of participants whose arm is not that of the ledger, with what the ledger has.
    func disagreements(
        among runs: [Register.Entry]
    ) -> [(run: RunDescription, arm: Identifier, slot: Slot?)] {
        let known = Dictionary(slots.map { ($0.participant, $0) }) { first, _ in first }
        return runs.map(\.run).compactMap { run in
            guard run.study == design.study, !run.origin.isInvented, let arm = run.arm else { return nil }
            let slot = known[run.participant]
            return slot?.arm == arm ? nil : (run, arm, slot)
        }
    }
}

extension LedgerContents.Slot {
    fileprivate func cells(in contents: LedgerContents) -> [String] {
        let right = contents.correctedLevels(of: participant)?.joined(separator: ", ") ?? ""
        let isInError = contents.allocatedInError.contains(participant)
        return [
            "\(number)", printable(participant), arm.text, printable(levels.joined(separator: ", ")),
            printable(
                [right, isInError ? "allocated in error" : ""].filter { !$0.isEmpty }.joined(separator: "; ")),
            printable(time), printable(askedBy ?? ""),
        ]
    }

    fileprivate func json(derived: Identifier?, in contents: LedgerContents) -> JSON {
        [
            "slot": .integer(number), "participant": .text(participant), "arm": .text(arm.text),
            "derived": derived.map { .text($0.text) } ?? .null, "levels": .texts(levels),
            "correctedLevels": contents.correctedLevels(of: participant).map { .texts($0) } ?? .null,
            "allocatedInError": .boolean(contents.allocatedInError.contains(participant)),
            "completed": contents.completed(participant).map { .boolean($0) } ?? .null,
            "time": .text(time), "askedBy": askedBy.map { .text($0) } ?? .null,
        ]
    }
}
