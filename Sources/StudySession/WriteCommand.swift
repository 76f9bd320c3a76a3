import Results
import SessionPorts
package import StudyModel

/// A command for the disk.
enum WriteCommand: Sendable {
    /// What happened, and what the run wanted done about it.
    case journal(Event, at: RunInstant, [Effect])
    /// The run goes on with the plan of the participant's arm.
    case plan(RunPlan)
    case open(RecorderKey, RecorderConfiguration, from: RunInstant)
    case append(RecorderKey, RecordedSample)
    /// A recording is over, and its log becomes a file in the folder of a visit.
    case close(RecorderKey, at: RunInstant, due: RunInstant?, in: VisitName)
    /// A visit's result, to be saved with the next sync.
    case save(StepResult)
    /// The run still goes on.
    case alive(at: RunInstant)
    /// Everything written so far must be made safe from a power cut, and results reported as saved.
    case sync
    /// Like `sync`; then the sender is told that the mark is safe.
    case confirm(MarkRequest)
    case seal([StepResult], FinishReason, at: RunInstant, isClockAdjusted: Bool)
}

extension WriteCommand {
    /// The log that it writes to, if that log must be open.
    var log: RecorderKey? {
        switch self {
        case .append(let key, _), .close(let key, _, _, _): key
        case .open, .journal, .plan, .save, .alive, .sync, .confirm, .seal: nil
        }
    }
}

/// Commands that wait to be handed to the writer together.
struct WriteBatch {
    /// Whether samples may wait until something else is written; in virtual time nothing can be lost in the
    /// meantime.
    ///
    /// The report that a result was saved may always wait, at the latest for the next sync. A recovery that does
    /// not know of it saves the same bytes again.
    let isPatient: Bool
    private var waiting: [WriteCommand] = []
    private var isUrgent = false
    /// Whether a result was saved since the last due sync.
    ///
    /// If so, further results wait for the next sync, and planned moments wait with them. What people do is written
    /// at once. People's steps are seconds apart, so each is saved at once; if there are many short steps, ten are
    /// saved together.
    private var hasSaved = false

    init(isPatient: Bool) { self.isPatient = isPatient }

    mutating func add(_ command: WriteCommand) {
        waiting.append(command)
        switch command {
        case .append: isUrgent = isUrgent || !isPatient
        case .journal(.saved, _, let effects): isUrgent = isUrgent || !effects.isEmpty
        case .journal(.woke, _, _): isUrgent = isUrgent || !hasSaved
        case .save:
            if hasSaved { return }
            waiting.append(.sync)
            isUrgent = true
            hasSaved = !isPatient
        case .sync:
            isUrgent = true
            hasSaved = false
        case .alive: break
        case .journal, .plan, .open, .close, .confirm, .seal: isUrgent = true
        }
    }

    /// What has to be written now; `nil` if nothing has.
    mutating func due() -> [WriteCommand]? {
        guard isUrgent else { return nil }
        defer { (waiting, isUrgent) = ([], false) }
        return waiting
    }
}

/// How a run ended, and where its bundle lies.
package struct Sealed: Hashable, Sendable {
    /// How it ended.
    package var reason: FinishReason
    /// The bundle's folder; `nil` if it could not be sealed.
    package var folder: String?
    /// What went wrong with the disk, if anything.
    package var problem: String?
    /// What the disk refused and took the second time, so that nothing is lost.
    package var refusal: String?
    /// How the run ended for the companions, in their order.
    package var companions: [Sealed] = []
}
