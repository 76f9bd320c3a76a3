import Allocating
import BundleReplay
import Results
import StudyEngine
import StudyModel
import StudySession
import TextFormat

/// Where a run gets its arm from, in a study that allocates its arms.
struct ArmAllocation {
    private let study: Study
    private let ledger: String?

    /// - Parameter ledger: the folder of the ledger, as given.
    init(of study: Study, ledger: String?) { (self.study, self.ledger) = (study, ledger) }

    /// - Returns: `nil` if the run allocates nothing.
    /// - Throws: if there is no ledger, or if it belongs to another study. The run has not begun then.
    func source(for run: RunDescription) throws -> ArmSource? {
        guard let design = AllocationDesign(of: study), study.arm == nil else {
            guard ledger == nil else {
                throw StudyFailure("this run allocates no arm: leave --ledger out", .usage)
            }
            return nil
        }
        guard !run.origin.isInvented else {
            if ledger != nil {
                Output.remark("A run with invented data takes no place in the ledger: its arm is rehearsed.")
            }
            return RehearsedAllocation(of: study, naming: run.participant)?.armSource
        }
        guard let ledger else {
            throw StudyFailure(
                "the study allocates its arms: name the folder of its ledger with --ledger", .usage)
        }
        guard study.allocation?.commitment != nil else {
            throw StudyFailure(
                "the study does not name the secret of its allocation: add the line that 'entrain allocation create' printed",
                .badStudy)
        }
        let opened = try Ledger(at: ledger)
        try opened.mustBe(of: design)
        if opened.isTorn { Output.remark("\(Ledger.tornRemark)") }
        return { participant, levels in
            do throws(LedgerFailure) {
                let slot = try opened.assign(participant, levels, at: WallClock.now().date(of: .start))
                return .allocated(slot.arm, slot: slot.number)
            } catch {
                return .notAllocated(error.description)
            }
        }
    }
}
