import Hashing
package import StudyModel
import Synchronization

/// Allocates simulated participants, with a secret that everybody can compute, and without a ledger on disk.
package final class RehearsedAllocation: Sendable {
    private struct State {
        var course: AllocationCourse
        var slots: [String: (arm: Identifier, number: Int)] = [:]
    }

    private let state: Mutex<State>

    /// What is said to whoever rehearses a study whose arms come from a list, or from blocks of hidden sizes.
    package static let sealedRemark =
        "A rehearsal does not know what lies with the ledger: each arm is drawn by itself, by the ratios of the arms."

    /// - Parameter name: the name from which the secret is computed; another name gives other arms.
    /// - Returns: `nil` if the study does not allocate participants, or if its arm is known.
    package init?(of study: Study, naming name: String) {
        guard var design = AllocationDesign(of: study), study.arm == nil else { return nil }
        // It is sealed until it is revealed.
        if design.allocation.isSealed { design.allocation.method = .simple }
        // Who is invented takes no place.
        for arm in design.arms.indices { design.arms[arm].places = nil }
        let secret = SHA256.digest(of: Array("entrain-rehearsal\n\(study.identifier)\n\(name)".utf8))
        state = Mutex(State(course: AllocationCourse(design, secret: secret)))
    }

    /// Allocates a participant; the same participant always gets the same arm.
    package var armSource: @Sendable (_ participant: String, _ levels: [String]) -> Event {
        { participant, levels in
            self.state.withLock { state in
                if let known = state.slots[participant] { return .allocated(known.arm, slot: known.number) }
                guard let arm = state.course.next(levels) else { return .notAllocated(Self.sealedRemark) }
                state.course.record(levels, in: arm)
                state.slots[participant] = (arm, state.slots.count + 1)
                return .allocated(arm, slot: state.slots.count)
            }
        }
    }
}
