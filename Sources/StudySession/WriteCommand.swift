import Results
package import StudyModel

/// Something for the disk, in order.
enum WriteCommand: Sendable {
    /// What happened, and what the run wanted done about it.
    case journal(Event, at: RunInstant, [Effect])
    /// The run goes on with the plan of the participant's arm.
    case plan(RunPlan)
    case open(RecorderKey, RecorderConfiguration, from: RunInstant)
    case append(RecorderKey, RecordedSample)
    /// A recording is over: its log becomes a file in the folder of a visit.
    case close(RecorderKey, at: RunInstant, in: VisitName)
    /// A visit's result, to be saved with the next sync.
    case save(StepResult)
    /// Whatever was written is to be safe from a power cut, and results said to be saved.
    case sync
    /// The same, and then somebody is told that the mark is safe.
    case confirm(MarkRequest)
    case seal([StepResult], FinishReason, at: RunInstant, isClockAdjusted: Bool)
}

extension WriteCommand {
    /// The log that it writes to, once that is open.
    var log: RecorderKey? {
        switch self {
        case .append(let key, _), .close(let key, _, _): key
        case .open, .journal, .plan, .save, .sync, .confirm, .seal: nil
        }
    }
}

/// Commands that wait to be handed to the writer together.
struct WriteBatch {
    /// Whether samples may wait for something else to be written: in virtual time nothing can be lost meanwhile.
    ///
    /// That a result was saved may always wait, for the next sync at the latest: a recovery that does not know of it
    /// saves the same bytes again.
    let isPatient: Bool
    private var waiting: [WriteCommand] = []
    private var isUrgent = false
    /// Whether a result was saved since the last sync that was due.
    ///
    /// Then further results wait for the next one, and planned moments with them; what people do is written at once.
    /// Steps of people are seconds apart, and each is saved at once; of many short ones ten are saved together.
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
        case .journal, .plan, .open, .close, .confirm, .seal: isUrgent = true
        }
    }

    /// What is to be written now; `nil` if nothing is.
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
}
