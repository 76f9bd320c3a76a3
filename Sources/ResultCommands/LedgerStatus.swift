import Allocating
import Datasets
import Participants
import Results
import StudyModel
import TextFormat

/// What a study's ledger says beside the runs: who was allocated and never began, and whose run has another arm.
struct LedgerStatus {
    /// The study that the ledger is of.
    let study: Identifier
    /// Everybody who was allocated, in order.
    let participants: [String]
    private let arms: [(name: Identifier, count: Int)]
    /// Who was allocated, and has no run.
    private let withoutRun: [String]
    /// Participants whose run has an arm that the ledger does not have for them.
    private let otherArm: [String]
    /// Whose answers were put right since, with the right ones, in the design's order.
    private let corrected: [(participant: String, levels: [String], words: String)]
    private let allocatedInError: [String]
    private let isTorn: Bool

    /// - Parameter runs: those of participants, of any study.
    /// - Throws: `LedgerFailure` if the ledger cannot be read or was changed.
    init(at path: String, beside runs: [Register.Entry]) throws(LedgerFailure) {
        let ledger = try Ledger(at: path)
        let contents = ledger.contents
        let (study, slots) = (contents.design.study, contents.slots)
        let own = runs.filter { $0.run.study == study && !$0.run.origin.isInvented }
        let began = Set(own.map(\.run.participant))
        self.study = study
        participants = slots.map(\.participant)
        arms = Dictionary(grouping: slots, by: \.arm).map { ($0.key, $0.value.count) }
            .sorted { $0.name < $1.name }
        withoutRun = participants.filter { !began.contains($0) }
        otherArm = Set(contents.disagreements(among: runs).map(\.run.participant)).sorted()
        corrected = participants.compactMap { participant in
            contents.correctedLevels(of: participant).map { (participant, $0, contents.named($0)) }
        }
        allocatedInError = contents.allocatedInError
        isTorn = ledger.isTorn
    }

    var lines: [String] {
        let counts = arms.map { "\($0.count) in \($0.name)" }.joined(separator: ", ")
        var lines = [
            "ledger of \(study): \(counted(participants.count, "participant")) allocated"
                + (counts.isEmpty ? "" : " (\(counts))")
        ]
        for (words, codes) in [
            ("allocated, and without a run", withoutRun), ("run in another arm than the ledger's", otherArm),
            ("corrected since", corrected.map { "\($0.participant) (\($0.words))" }),
            ("allocated in error", allocatedInError),
        ] where !codes.isEmpty {
            lines.append("  \(words): \(codes.map { printable($0) }.joined(separator: ", "))")
        }
        if isTorn { lines.append("  \(Ledger.tornRemark)") }
        return lines
    }

    var json: JSON {
        [
            "study": .text(study.text), "participants": .integer(participants.count),
            "arms": .members(
                Dictionary(uniqueKeysWithValues: arms.map { ($0.name.text, .integer($0.count)) })),
            "withoutRun": .texts(withoutRun), "otherArm": .texts(otherArm),
            "corrected": .members(
                Dictionary(uniqueKeysWithValues: corrected.map { ($0.participant, .texts($0.levels)) })),
            "allocatedInError": .texts(allocatedInError), "isTorn": .boolean(isTorn),
        ]
    }
}
