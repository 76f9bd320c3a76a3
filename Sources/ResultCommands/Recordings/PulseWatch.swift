import Console
import Glibc
import Physiology
import Platform
import SessionPorts
import Signals
import StudyModel
import StudySession
import Synchronization
import Terminal

/// A camera or a video, shown as it goes.
struct PulseWatch {
    let origin: VideoFrames.Origin
    let title: String

    /// Whether standard input and output are a terminal that can show it.
    static var canShow: Bool {
        TerminalPrompter.canShow(
            input: STDIN_FILENO, output: STDOUT_FILENO, terminalType: environmentVariable("TERM"))
    }

    /// - Returns: everything that was seen.
    /// - Throws: `SourceFailure` if nothing could be seen at all, because the camera is missing or busy, or the video cannot
    ///   be played.
    func run() async throws(SourceFailure) -> PulseTrace {
        let seen = Seen()
        let (reports, sink) = AsyncStream.makeStream(of: SourceReport.self)
        let screen = PulseScreen(
            of: title, input: STDIN_FILENO, output: STDOUT_FILENO,
            on: Terminals.isColoured
                ? TerminalProbe(input: STDIN_FILENO, output: STDOUT_FILENO)?.facts().background : nil,
            usesUnicode: Terminals.usesUnicode)
        let source = CameraSource(origin, isVirtual: false)
        await RunLoop.with { loop in
            let clock = loop.clock(.realTime(speed: 1))
            await withDiscardingTaskGroup { group in
                group.addTask {
                    _ = try? await source.run(
                        on: clock, circumstances: { Circumstances() },
                        report: { report in
                            if seen.take(report) { sink.yield(report) } else { sink.finish() }
                        })
                    sink.finish()
                }
                await screen.show(reports, on: clock)
                group.cancelAll()
            }
        }
        return try seen.trace()
    }

    /// What was seen so far.
    private final class Seen: Sendable {
        private struct State {
            var frames: [Timed<PulseFrame>] = []
            var problem: SourceProblem?
        }
        private let state = Mutex(State())

        /// - Returns: whether there is anything to wait for.
        func take(_ report: SourceReport) -> Bool {
            state.withLock { state in
                switch report {
                case .measured(let sample):
                    if let frame = sample.value.picture { state.frames.append(sample.map { _ in frame }) }
                case .lost(let problem) where problem != .noPulse && state.frames.isEmpty:
                    state.problem = problem
                    return false
                case .live, .moved, .quality, .flooded, .lost, .told: break
                }
                return true
            }
        }

        func trace() throws(SourceFailure) -> PulseTrace {
            let (frames, problem) = state.withLock { ($0.frames, $0.problem) }
            if let problem { throw SourceFailure(problem.description) }
            let start = frames.first?.instant ?? .start
            return PulseTrace(
                times: frames.map { start.duration(to: $0.instant) / .seconds(1) },
                red: frames.map(\.value.red), green: frames.map(\.value.green),
                blue: frames.map(\.value.blue))
        }
    }
}
