import Glibc
import Platform
import SessionPorts
import StudyModel
import Synchronization

/// Watches a camera, or plays a video in real time, on a thread of its own, so that neither decoding nor the search
/// for beats delays the run.
final class FrameWatch: Sendable {
    /// A frame that is later than this is left out, because only the present matters.
    static let latest = Duration.milliseconds(750)
    /// How long a running camera may send nothing, in milliseconds; a starting one may take longer.
    private static let patience: (running: Int64, starting: Int64) = (2_500, 8_000)
    /// The time from one attempt to the next, in milliseconds.
    private static let pause = 2_000
    /// How often the thread checks whether it should end, in milliseconds.
    private static let look = 100

    private struct State {
        var isStopping = false
        /// The program to kill at the end.
        var process: Int32?
    }

    private let origin: VideoFrames.Origin
    private let now: @Sendable () -> RunInstant
    private let report: @Sendable ([SourceReport]) -> Void
    private let whenOver: @Sendable () -> Void
    private let state = Mutex(State())
    /// Signalled when the thread should end.
    private let ended = Semaphore()
    private let start: (run: RunInstant, machine: Int64)

    /// - Parameters:
    ///   - now: the run's clock.
    ///   - report: receives what was seen; called on the thread.
    ///   - whenOver: called once, when a video has ended or after `stop`.
    init(
        _ origin: VideoFrames.Origin, now: @escaping @Sendable () -> RunInstant,
        report: @escaping @Sendable ([SourceReport]) -> Void, whenOver: @escaping @Sendable () -> Void
    ) {
        self.origin = origin
        self.now = now
        start = (now(), monotonicNanoseconds())
        self.report = report
        self.whenOver = whenOver
    }

    func begin() { DetachedThread.start { self.work() } }

    /// Ends the thread soon and ffmpeg at once.
    func stop() {
        state.withLock { state in
            state.isStopping = true
            if let process = state.process { kill(-process, SIGKILL) }
        }
        ended.signal()
    }

    private var isStopping: Bool { state.withLock { $0.isStopping } }

    private func work() {
        var told: String?
        while !isStopping {
            let end = watchOnce()
            if isStopping { break }
            if end.hasSeen || end.problem != told { report([.lost(SourceProblem(end.problem))]) }
            told = end.problem
            if case .file = origin { break }
            ended.wait(milliseconds: Self.pause)
        }
        whenOver()
    }

    /// Watches until something ends it.
    ///
    /// - Returns: the reason, and whether any frame was seen before.
    private func watchOnce() -> (problem: String, hasSeen: Bool) {
        var timing = FrameTiming(origin, startingAt: now())
        var problem = ""
        do throws(SourceFailure) {
            var frames = try VideoFrames(of: origin, named: origin.name)
            let process = frames.process
            state.withLock { $0.process = process }
            do throws(SourceFailure) {
                problem = try watch(&frames, &timing)
            } catch { problem = error.description }
            // This must happen before waiting for the program, because its number may soon belong to another one.
            state.withLock { $0.process = nil }
            _ = consume frames
        } catch { problem = error.description }
        report(timing.finish(at: now()))
        return (problem, timing.hasBegun)
    }

    private func watch(
        _ frames: inout VideoFrames, _ timing: inout FrameTiming
    ) throws(SourceFailure) -> String {
        var heard = monotonicNanoseconds()
        while !isStopping {
            switch try frames.step(within: Int32(Self.look)) {
            case .frame(let frame):
                heard = monotonicNanoseconds()
                if let due = timing.due(frame) { waitUntil(due) }
                let reports = timing.take(frame, at: now())
                if !reports.isEmpty { report(reports) }
            case .end: return "the video has ended"
            case .silence:
                let silence = (monotonicNanoseconds() - heard) / 1_000_000
                let longest = timing.hasBegun ? Self.patience.running : Self.patience.starting
                if silence > longest { return "the camera '\(origin.name)' sends no pictures" }
            }
        }
        return ""
    }

    /// Waits for a moment of the run, or until the thread should end.
    private func waitUntil(_ due: RunInstant) {
        while !isStopping {
            let left = now().duration(to: due)
            guard left > .zero else { return }
            ended.wait(milliseconds: max(1, Int(left / speed / .milliseconds(1))))
        }
    }

    /// Seconds of the run per second of the machine, as they went by so far.
    private var speed: Double {
        let passed = Duration.nanoseconds(monotonicNanoseconds() - start.machine)
        return max(start.run.duration(to: now()) / max(passed, .milliseconds(1)), 0.001)
    }
}

/// When frames were taken, and which of them are too late. Knows no device and waits for nothing.
struct FrameTiming {
    private var pulse = CameraPulse()
    /// Whether frames are held back until their time has come.
    private let isFile: Bool
    /// From the frames' time to the run's.
    private var offset: Duration?
    private let start: RunInstant
    private var last: Double?
    var hasBegun: Bool { last != nil }

    /// - Parameter start: the run's time when watching began.
    init(_ origin: VideoFrames.Origin, startingAt start: RunInstant) {
        self.start = start
        isFile = if case .file = origin { true } else { false }
    }

    /// Until when a video's frame is held back; `nil` for a camera's.
    mutating func due(_ frame: VideoFrames.Frame) -> RunInstant? {
        guard isFile else { return nil }
        return frame.time.instant(offset ?? RunInstant.start.duration(to: start))
    }

    /// Takes a frame that came at `now`, or leaves it out if it is too late.
    mutating func take(_ frame: VideoFrames.Frame, at now: RunInstant) -> [SourceReport] {
        guard frame.time > last ?? -.infinity else { return [] }
        let lead = RunInstant.start.duration(to: now) - .seconds(frame.time)
        // A camera's pictures are under way for a while. The fastest of them shows the difference between its clock
        // and ours.
        let offset = isFile ? offset ?? lead : min(offset ?? lead, lead)
        self.offset = offset
        last = frame.time
        guard lead - offset <= FrameWatch.latest else {
            pulse.drop()
            return []
        }
        var reports: [SourceReport] = []
        while pulse.isDue(before: frame.time) { reports += pulse.estimate(offset: offset, arrival: now) }
        pulse.append(frame)
        return reports
    }

    /// No more frames will come.
    mutating func finish(at now: RunInstant) -> [SourceReport] {
        guard let last, let offset else { return [] }
        return pulse.finish(at: last, offset: offset, arrival: now)
    }
}
