import Platform
import Results
import SessionPorts
import StudyModel
import Synchronization

/// The task that writes the bundle. It takes commands in order, and reports what is on disk.
///
/// It runs beside the steps, so that a slow disk delays no planned moment.
struct BundleWriter: Sendable {
    private let slot: BundleSlot

    init(_ bundle: consuming RunningBundle) { slot = BundleSlot(bundle) }

    /// Writes until the run is sealed or the commands end.
    func run(_ commands: Mailbox<[WriteCommand]>, send: @Sendable (Shell.Input) -> Void) async {
        var writer = CommandWriter(slot.handOver())
        while true {
            let batches = await commands.next()
            if batches.isEmpty { return }
            for batch in batches {
                for command in batch {
                    if case .seal(let steps, let reason, let end, let isClockAdjusted) = command {
                        let result = TaskResult(
                            steps: steps, end: end, reason: reason, isClockAdjusted: isClockAdjusted)
                        send(.sealed(writer.seal(result)))
                        return
                    }
                    writer.take(command, send: send)
                }
                writer.writeJournal(send: send)
            }
        }
    }
}

/// A bundle, and the records and results that could not be written into it so far.
private struct CommandWriter: ~Copyable {
    private var bundle: RunningBundle
    /// The first failure after which something is lost.
    private var problem: FileFailure?
    /// What the disk first refused and took the second time.
    private var refusal: FileFailure?
    /// Recordings whose log could not be made.
    private var unopened: Set<RecorderKey> = []
    /// Records that are not written yet, or that the disk refused. The journal must have no holes, so they come
    /// before all later records.
    private var unwritten: [Journal.Record] = []
    /// Results that wait for the next sync.
    private var unsaved: [StepResult] = []
    /// The plan of the participant's arm, if it could not be written.
    private var unplanned: RunPlan?

    init(_ bundle: consuming RunningBundle) { self.bundle = bundle }

    /// Performs a command; if that fails twice, the run ends, as failed.
    mutating func take(_ command: WriteCommand, send: (Shell.Input) -> Void) {
        if case .journal(let event, let now, let effects) = command {
            // Consecutive records are written with one call, at the latest at the end of the batch.
            unwritten.append(Journal.Record(.event(event), at: now))
            unwritten += effects.map { Journal.Record(.effect($0), at: now) }
            return
        }
        if case .save(let result) = command {
            unsaved.append(result)
            return
        }
        if let key = command.log, unopened.contains(key) {
            if case .close = command { send(.event(.recorded(key, files: [], problem: "not recorded"))) }
            return
        }
        do throws(FileFailure) {
            try perform(command, send: send)
        } catch {
            performAgain(command, after: error, send: send)
        }
    }

    /// Writes what waits for the journal; if the disk refuses it twice, the run ends, as failed.
    mutating func writeJournal(send: (Shell.Input) -> Void) {
        do throws(FileFailure) { try journal() } catch {
            let first = error
            do throws(FileFailure) {
                try journal()
                refusal = refusal ?? first
            } catch {
                fail(first, send: send)
            }
        }
    }

    private mutating func fail(_ failure: FileFailure, send: (Shell.Input) -> Void) {
        send(.event(.failed(failure.description)))
        problem = problem ?? failure
    }

    private mutating func perform(
        _ command: WriteCommand, send: (Shell.Input) -> Void
    ) throws(FileFailure) {
        // A sample is kept even if the journal could not be written, because its recording was journalled when it
        // began.
        if case .append = command { writeJournal(send: send) } else { try journal() }
        switch command {
        case .plan(let plan): try bundle.goOn(with: plan)
        case .open(let key, let configuration, let start):
            let source = configuration.sourceName ?? "entrain"
            try bundle.openLog(key, configuration, from: start, source: source.text)
        case .append(let key, let sample): try bundle.append([sample], to: key)
        case .close(let key, let end, let due, let visit):
            let files = try bundle.finishLog(
                key, at: end, due: due, ordinal: visit.ordinal, path: visit.path)
            send(.event(.recorded(key, files: files, problem: files.lazy.compactMap(\.reason).first)))
        case .alive(let now): try bundle.record(signOfLifeAt: now)
        case .sync: try save(send: send)
        case .confirm(let request):
            try save(send: send)
            request.reply(nil)
        case .journal, .save, .seal:
            preconditionFailure("records and results wait, and sealing ends the writing")
        }
    }

    /// A command that failed is tried once more: what the disk refused waits to be written again, and a file that could
    /// not be synced was written anew elsewhere.
    ///
    /// If it fails again, the run ends. A run that waits for the disk and is ending by then is told not to wait.
    private mutating func performAgain(
        _ command: WriteCommand, after first: FileFailure, send: (Shell.Input) -> Void
    ) {
        do throws(FileFailure) {
            switch command {
            case .append, .alive: try bundle.sync()
            case .open: throw first
            case .plan, .close, .sync, .confirm, .journal, .save, .seal: try perform(command, send: send)
            }
            refusal = refusal ?? first
        } catch {
            fail(first, send: send)
            switch command {
            case .open(let key, _, _): unopened.insert(key)
            case .plan(let plan): unplanned = plan
            case .confirm(let request): request.reply(first.description)
            case .sync, .close: send(.event(.failed(error.description)))
            case .append, .alive, .journal, .save, .seal: break
            }
        }
    }

    /// Syncs what was written, and then reports all results as saved.
    private mutating func save(send: (Shell.Input) -> Void) throws(FileFailure) {
        try bundle.sync()
        while let result = unsaved.first {
            try bundle.save(result)
            unsaved.removeFirst()
            send(.event(.saved(result.ordinal)))
        }
    }

    private mutating func journal() throws(FileFailure) {
        guard !unwritten.isEmpty else { return }
        try bundle.journal(unwritten)
        unwritten = []
    }

    consuming func seal(_ result: TaskResult) -> Sealed {
        var result = result
        if problem != nil { result.reason = .failed }
        do throws(FileFailure) {
            try journal()
            // The journal has the arm, so the bundle must have it, or not be sealed.
            if let unplanned { try bundle.goOn(with: unplanned) }
            let name = try bundle.seal(result)
            return Sealed(
                reason: result.reason, folder: name, problem: problem?.description,
                refusal: refusal?.description)
        } catch {
            return Sealed(reason: .failed, folder: nil, problem: (problem ?? error).description)
        }
    }
}

/// Hands a bundle over to the task that will own it.
private final class BundleSlot: Sendable {
    private let slot: Mutex<RunningBundle?>

    init(_ bundle: consuming RunningBundle) { slot = Mutex(consume bundle) }

    func handOver() -> RunningBundle {
        slot.withLock { bundle in
            guard let taken = bundle.take() else { preconditionFailure("a bundle has one writer") }
            return taken
        }
    }
}
