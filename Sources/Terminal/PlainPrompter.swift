import Glibc
package import StudyModel
package import StudySession
import Synchronization
import TextFormat

/// Tells a run line by line, without control sequences: for screen readers, logs and pipes.
package struct PlainPrompter: Prompter {
    private let input: Int32?
    private let output: Int32
    /// Yields at each Control-C, where somebody is asked whether to leave.
    private let interruptions: AsyncStream<Void>?

    /// - Parameters:
    ///   - input: where lines are typed or piped; `nil` where the run is only shown.
    ///   - output: where lines go.
    ///   - interruptions: yields at each Control-C, which asks whether to leave; `nil` where it ends the run.
    package init(input: Int32?, output: Int32, interruptions: AsyncStream<Void>? = nil) {
        self.input = input
        self.interruptions = interruptions
        self.output = output
    }

    package func run<C: Clock>(
        _ updates: AsyncStream<ScreenUpdate>, on clock: C, act: @escaping @Sendable (ParticipantAct) -> Void
    ) async where C.Instant == RunInstant {
        let isTerminal = input.map { isatty($0) == 1 } ?? false
        let writer = PlainWriter(Dialogue(keepsEarlyLines: !isTerminal, isShowOnly: input == nil), act)
        let splitter = Mutex(LineSplitter())
        let thread = DeviceThread(
            input: input, output: output, patienceAtEnd: 5_000,
            report: { report in
                switch report {
                case .bytes(let bytes):
                    for line in splitter.withLock({ $0.split(bytes) }) {
                        writer.go { $0.handle(line: line, at: clock.now) }
                    }
                case .ended:
                    for line in splitter.withLock({ $0.rest() }) {
                        writer.go { $0.handle(line: line, at: clock.now) }
                    }
                    writer.go { $0.handleEnd(isTerminal: isTerminal, at: clock.now) }
                case .silence, .signal: break
                }
                return nil
            }, next: { writer.unsent() })
        thread.start()
        await withDiscardingTaskGroup { group in
            if let interruptions {
                group.addTask {
                    for await _ in interruptions {
                        writer.go { $0.handleInterruption() }
                        thread.stir()
                    }
                }
            }
            for await update in updates {
                writer.go { $0.handle(update, at: clock.now) }
                thread.stir()
                guard case .screen(let screen) = update else { continue }
                for moment in screen.momentsToTell(after: clock.now) {
                    group.addTask {
                        do { try await clock.sleep(until: moment.at, tolerance: nil) } catch { return }
                        writer.go { $0.timeLeft(moment.remaining, of: screen.ordinal, until: moment.end) }
                        thread.stir()
                    }
                }
            }
            group.cancelAll()
        }
        await thread.finish()
    }
}

/// A dialogue that the run and the keyboard take turns in, with its words on their way to the device.
private final class PlainWriter: Sendable {
    private struct State {
        var dialogue: Dialogue
        var unsent: [UInt8] = []
    }

    private let state: Mutex<State>
    private let act: @Sendable (ParticipantAct) -> Void

    init(_ dialogue: Dialogue, _ act: @escaping @Sendable (ParticipantAct) -> Void) {
        state = Mutex(State(dialogue: dialogue))
        self.act = act
    }

    /// Goes on by one update or line: each text becomes one or more lines, none of which can command a terminal.
    func go(_ turn: (inout Dialogue) -> Dialogue.Outcome) {
        let acts = state.withLock { state in
            let outcome = turn(&state.dialogue)
            for line in outcome.lines { state.unsent += (line.safe(keepsLines: true) + "\n").utf8 }
            return outcome.acts.map { $0.on(state.dialogue.screen) }
        }
        for told in acts { act(told) }
    }

    func unsent() -> DeviceThread.Output {
        state.withLock { state in
            defer { state.unsent = [] }
            return state.unsent.isEmpty ? .nothing : .bytes(state.unsent)
        }
    }
}

/// Lines out of bytes, however these are split over reads.
struct LineSplitter: Hashable, Sendable {
    private var pending: [UInt8] = []
    /// Bytes of a line that are kept.
    private static let longest = 65_536

    mutating func split(_ bytes: [UInt8]) -> [String] {
        var lines: [String] = []
        for byte in bytes {
            if byte == UInt8(ascii: "\n") {
                lines += rest(isLine: true)
            } else if pending.count < Self.longest {
                pending.append(byte)
            }
        }
        return lines
    }

    /// The last line, where the input ended without a line break.
    mutating func rest() -> [String] { rest(isLine: !pending.isEmpty) }

    private mutating func rest(isLine: Bool) -> [String] {
        defer { pending = [] }
        let scalars = String(decoding: pending, as: UTF8.self).unicodeScalars.filter {
            !$0.isUnsafeOnTerminals
        }
        return isLine ? [String(String.UnicodeScalarView(scalars))] : []
    }
}

extension Screen {
    /// When the time left is told: halfway, and 10 and 5 seconds before the end, later than `now`.
    func momentsToTell(after now: RunInstant) -> [(at: RunInstant, end: RunInstant, remaining: Duration)] {
        guard case .timed(let duration, _) = content, case .running(_, let end) = phase,
            remaining(at: now) != nil
        else { return [] }
        let lefts: Set<Duration> =
            duration > .seconds(20)
            ? [duration / 2, .seconds(10), .seconds(5)] : [.seconds(10), .seconds(5)]
        return lefts.filter { $0 < duration }.sorted(by: >)
            .map { (end.advanced(by: .zero - $0), end, $0) }.filter { now < $0.0 }
    }
}
