import Allocating
import ArgumentParser
import BundleReplay
import Console
import Platform
import StudyModel
import TextFormat

struct AllocationEnd: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "end",
        abstract: "Says that a participant did not complete, if their run could not say it itself.",
        discussion: """
            'entrain run' tells the ledger how each run ended. This is for somebody whose run never ended, or who left the study \
            between two sessions. Nobody's arm changes. With 'refill: true' in the study, the place is given again; and a room \
            whose last participant's run has not ended gets no other arm from the monitor.
            """)

    @Argument(help: "The folder of the ledger.", completion: .directory)
    var ledger: String

    @Flag(help: "The participant did complete.")
    var completed = false

    @OptionGroup var statement: LedgerStatement

    func run() throws {
        try reporting {
            let opened = try Ledger(at: ledger)
            guard opened.contents.version > 1 else {
                throw StudyFailure(
                    "the ledger was made by an earlier program, and cannot hold how runs ended", .usage)
            }
            try opened.end(
                statement.participant, completed: completed, by: statement.name, because: statement.reason,
                at: WallClock.now().date(of: .start))
            Output.say(
                "\(printable(statement.participant)) \(completed ? "completed" : "did not complete")")
        }
    }
}

struct AllocationChance: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "chance",
        abstract: "Mixes public chance with the secret, before the first participant.",
        discussion: """
            For studies with 'publicChance'. Register the study first. When the public draw that it names has been published, give \
            its value as it stands there. Then nobody can have chosen the secret for the sake of the arms that follow from it.
            """)

    @Argument(help: "The folder of the ledger.", completion: .directory)
    var ledger: String

    @Option(help: ArgumentHelp("What was drawn, as it was published.", valueName: "text"))
    var value: String

    @Option(name: .customLong("by"), help: ArgumentHelp("Who says so.", valueName: "name"))
    var name: String

    func validate() throws {
        for (option, words) in [("--by", name), ("--value", value)] {
            try LedgerStatement.validate(option, words)
        }
    }

    func run() throws {
        try reporting {
            try Ledger(at: ledger).mix(value, by: name, at: WallClock.now().date(of: .start))
            Output.say("every arm follows from the secret and '\(printable(value))' from now on")
        }
    }
}

/// The codes that a ledger allocates, from a file with one in each line.
struct ParticipantCodes {
    let bytes: [UInt8]

    init(reading path: String) throws {
        bytes = try NewFile.read(path)
        let codes = Ledger.codes(in: bytes)
        guard !codes.isEmpty else { throw StudyFailure("'\(printable(path))' has no codes", .badStudy) }
        for code in codes {
            do { try ParticipantOptions.validate(participant: code) } catch {
                throw StudyFailure("'\(printable(path))': \(printable("\(error)"))", .badStudy)
            }
        }
        guard let (first, second) = Ledger.mistakable(among: codes) else { return }
        throw StudyFailure(
            first == second
                ? "'\(printable(path))' has the code '\(printable(first))' twice"
                : "'\(printable(path))' has the codes '\(printable(first))' and '\(printable(second))', which can be mistaken for each other",
            .badStudy)
    }
}

extension Ledger {
    /// What the ledger shows of how arms were kept unforeseeable, and what it does not show, a line for each.
    ///
    /// - Parameter head: whether a line that was kept elsewhere was compared.
    func claims(comparing head: Bool) -> [String] {
        let design = contents.design
        let rooms = contents.slots.count { $0.isByMonitor }
        let shown: [(Bool, String, String)] = [
            (
                design.allocation.publicChance != nil,
                "nobody chose the secret for its arms: '\(contents.chance?.value ?? "")' was mixed with it before the first participant",
                "whoever made the secret may have tried several: the study names no 'publicChance'"
            ),
            (
                !contents.slots.isEmpty && rooms == contents.slots.count,
                "who ran sessions could not read the secret: a monitor drew every arm",
                "who ran sessions on the ledger's machine could read the secret: no monitor drew \(counted(contents.slots.count - rooms, "arm"))"
            ),
            (
                codes != nil, "codes were fixed before the first participant",
                "codes may have been made up to get another arm: 'create' had no --codes"
            ),
            (
                head, "the ledger still has the line that was kept",
                "the ledger may have been put back to an older copy: compare a line that was kept elsewhere, with --head"
            ),
        ]
        return shown.map { $0 ? "shown: \($1)" : "not shown: \($2)" }
    }
}

extension LedgerContents {
    /// Who did not complete, and whose run has not ended.
    var endingLines: [String] {
        incomplete.map { ending in
            let said = ending.by.map { "by \($0), " } ?? ""
            let reason = ending.reason.map { ": \($0)" } ?? ""
            return printable("did not complete: \(ending.participant), \(said)\(ending.time)\(reason)")
        }
            + unended.map {
                printable("not ended: \($0.participant), \($0.askedBy.map { "\($0), " } ?? "")\($0.time)")
            }
    }
}
