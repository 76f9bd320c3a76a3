import Results
import StudyModel
import Synchronization

/// The task that writes: takes commands in order, and says what is on disk.
///
/// It runs beside the steps, so that a slow disk delays no planned moment.
struct BundleWriter: Sendable {
    private let slot: BundleSlot

    init(_ bundle: consuming RunningBundle) { slot = BundleSlot(bundle) }

    /// Writes until the run is sealed or the commands end.
    func run(_ batches: AsyncStream<[WriteCommand]>, send: (Shell.Input) -> Void) async {
        var bundle = slot.take()
        var problem: BundleFailure?
        var unopened: Set<RecorderKey> = []
        for await batch in batches {
            for command in batch {
                if case .seal(let steps, let reason, let end, let isClockAdjusted) = command {
                    let result = TaskResult(
                        steps: steps, end: end, reason: problem == nil ? reason : .failed,
                        isClockAdjusted: isClockAdjusted)
                    send(.sealed(Self.seal(bundle, result, after: problem)))
                    return
                }
                if let key = command.log, unopened.contains(key) {
                    if case .close = command {
                        send(.event(.recorded(key, files: [], problem: "not recorded")))
                    }
                    continue
                }
                do throws(BundleFailure) {
                    try Self.perform(command, on: &bundle, send: send)
                } catch {
                    send(.event(.failed(error.description)))
                    problem = problem ?? error
                    if case .open(let key, _, _) = command { unopened.insert(key) }
                    Self.perform(again: command, on: &bundle, send: send)
                }
            }
        }
    }

    private static func perform(
        _ command: WriteCommand, on bundle: inout RunningBundle, send: (Shell.Input) -> Void
    ) throws(BundleFailure) {
        switch command {
        case .journal(let event, let now, let effects):
            try bundle.journal(
                [Journal.Record(.event(event), at: now)]
                    + effects.map { Journal.Record(.effect($0), at: now) })
        case .open(let key, let configuration, let start):
            let source = configuration.sourceName ?? "entrain"
            try bundle.openLog(key, configuration, from: start, source: source.text)
        case .append(let key, let sample): try bundle.append([sample], to: key)
        case .close(let key, let end, let visit):
            let files = try bundle.finishLog(key, at: end, ordinal: visit.ordinal, path: visit.path)
            send(.event(.recorded(key, files: files, problem: files.lazy.compactMap(\.reason).first)))
        case .save(let result):
            try bundle.sync()
            try bundle.save(result)
            send(.event(.saved(result.ordinal)))
        case .sync: try bundle.sync()
        case .seal: preconditionFailure("sealing ends the writing")
        }
    }

    /// What the run waits for is tried once more: a file that could not be synced was written anew elsewhere.
    ///
    /// Failing again tells the run, which is ending by then, not to wait for the disk.
    private static func perform(
        again command: WriteCommand, on bundle: inout RunningBundle, send: (Shell.Input) -> Void
    ) {
        switch command {
        case .save, .close:
            do throws(BundleFailure) {
                try perform(command, on: &bundle, send: send)
            } catch {
                send(.event(.failed(error.description)))
            }
        case .journal, .open, .append, .sync, .seal: break
        }
    }

    private static func seal(
        _ bundle: consuming RunningBundle, _ result: TaskResult, after problem: BundleFailure?
    ) -> Sealed {
        do throws(BundleFailure) {
            let name = try bundle.seal(result)
            return Sealed(reason: result.reason, folder: name, problem: problem?.description)
        } catch {
            return Sealed(reason: .failed, folder: nil, problem: (problem ?? error).description)
        }
    }
}

/// Hands a bundle to the task that will own it.
private final class BundleSlot: Sendable {
    private let slot: Mutex<RunningBundle?>

    init(_ bundle: consuming RunningBundle) { slot = Mutex(consume bundle) }

    func take() -> RunningBundle {
        slot.withLock { bundle in
            guard let taken = bundle.take() else { preconditionFailure("a bundle has one writer") }
            return taken
        }
    }
}
