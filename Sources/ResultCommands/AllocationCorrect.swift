import Allocating
import ArgumentParser
import BundleReplay
import Console
import Platform
import Results
import StudyModel
import TextFormat

struct AllocationCorrect: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "correct",
        abstract:
            "Puts a participant's answers in the ledger right, or says that they were allocated in error.",
        discussion: """
            The ledger keeps what it said, and a line says what is right, who says so and why. Nobody's arm changes. From then on \
            minimisation counts the right answers; a place in a block or in a list stays taken. Those who were allocated in error \
            stay in the ledger and in every count.
            """)

    @Argument(help: "The folder of the ledger.", completion: .directory)
    var ledger: String

    @Option(
        name: .customLong("answer"),
        help: ArgumentHelp(
            "A right answer, such as sex=male; repeat it for several.", valueName: "question=value"))
    var answers: [String] = []

    @Flag(help: "The participant should not have been allocated.")
    var inError = false

    @OptionGroup var statement: LedgerStatement

    func validate() throws {
        guard inError != !answers.isEmpty else {
            throw ValidationError("give --answer QUESTION=VALUE, or --in-error")
        }
    }

    func run() throws {
        try reporting {
            let (opened, participant) = (try Ledger(at: ledger), statement.participant)
            let factors = opened.contents.design.allocation.factors
            let right = try answers.map { try Self.answer($0, to: factors) }
            let put = { (levels: [String]) in right.reduce(into: levels) { $0[$1.factor] = $1.value } }
            let (slot, before, contents) = try opened.correct(
                participant, by: statement.name, because: statement.reason,
                at: WallClock.now().date(of: .start),
                levels: inError ? nil : put)
            guard !inError else {
                Output.say(
                    "\(printable(participant)), slot \(slot.number), was allocated in error: the place stays taken"
                )
                return
            }
            for (factor, value) in right {
                let isKnown = contents.slots.contains { $0.levels[factor] == value }
                guard !isKnown, !value.isEmpty else { continue }
                Output.remark(
                    "Nobody else has the answer '\(printable(value))' to '\(factors[factor])'. If it is misspelt, correct it again."
                )
            }
            Output.say(
                "\(printable(participant)), slot \(slot.number), is \(printable(contents.named(put(before)))), and was taken for \(printable(contents.named(before)))"
            )
        }
    }

    private static func answer(_ text: String, to factors: [Identifier]) throws -> (
        factor: Int, value: String
    ) {
        let parts = text.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false).map(
            String.init)
        guard parts.count == 2, let factor = factors.firstIndex(where: { $0.text == parts[0] }) else {
            throw StudyFailure(
                factors.isEmpty
                    ? "the allocation looks at no answers"
                    : "'\(printable(text))' is no answer to a question of the allocation: write QUESTION=VALUE, with \(listed(factors.map(\.text), last: "or"))",
                .usage)
        }
        return (factor, parts[1])
    }
}
