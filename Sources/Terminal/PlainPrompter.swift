import Glibc
package import StudyModel
package import StudySession
import Synchronization

/// Tells a run line by line, without control sequences: for screen readers, logs and pipes.
package struct PlainPrompter: Prompter {
    private let input: Int32?
    private let output: Int32

    /// - Parameters:
    ///   - input: where lines are typed or piped; `nil` where the run is only shown.
    ///   - output: where lines go.
    package init(input: Int32?, output: Int32) {
        self.input = input
        self.output = output
    }

    package func run<C: Clock>(
        _ updates: AsyncStream<ScreenUpdate>, on clock: C, act: @escaping @Sendable (ParticipantAct) -> Void
    ) async where C.Instant == RunInstant {
        await withTaskExecutorPreference(globalConcurrentExecutor) {
            await tell(updates, on: clock, act: act)
        }
    }

    private enum Happening: Sendable {
        case update(ScreenUpdate)
        case lines([String])
        case inputEnded
        case moment(ordinal: Int, end: RunInstant, remaining: Duration)
        case updatesEnded
    }

    @concurrent private func tell<C: Clock>(
        _ updates: AsyncStream<ScreenUpdate>, on clock: C, act: @escaping @Sendable (ParticipantAct) -> Void
    ) async where C.Instant == RunInstant {
        let (happenings, feed) = AsyncStream.makeStream(of: Happening.self)
        let isTerminal = input.map { isatty($0) == 1 } ?? false
        let unsent = Outbox()
        let splitter = Mutex(LineSplitter())
        let thread = DeviceThread(
            input: input, output: output, patienceAtEnd: 5_000,
            report: { report in
                switch report {
                case .bytes(let bytes): feed.yield(.lines(splitter.withLock { $0.split(bytes) }))
                case .ended:
                    feed.yield(.lines(splitter.withLock { $0.rest() }))
                    feed.yield(.inputEnded)
                case .silence, .signal: break
                }
                return nil
            }, next: { unsent.take() })
        thread.start()
        await withDiscardingTaskGroup { group in
            group.addTask {
                for await update in updates { feed.yield(.update(update)) }
                feed.yield(.updatesEnded)
            }
            var dialogue = Dialogue(keepsEarlyLines: !isTerminal, isShowOnly: input == nil)
            for await happening in happenings {
                var outcome = Dialogue.Outcome()
                switch happening {
                case .update(let update):
                    outcome = dialogue.handle(update, at: clock.now)
                    guard case .screen(let screen) = update else { break }
                    for moment in screen.momentsToTell(after: clock.now) {
                        group.addTask {
                            do { try await clock.sleep(until: moment.at, tolerance: nil) } catch { return }
                            feed.yield(
                                .moment(ordinal: screen.ordinal, end: moment.end, remaining: moment.remaining)
                            )
                        }
                    }
                case .lines(let lines): for line in lines { outcome = outcome + dialogue.handle(line: line) }
                case .inputEnded: outcome = dialogue.handleEnd(isTerminal: isTerminal)
                case .moment(let ordinal, let end, let remaining):
                    guard let screen = dialogue.screen, screen.ordinal == ordinal,
                        case .running(_, end) = screen.phase
                    else { continue }
                    outcome.lines = dialogue.timeLeft(remaining)
                case .updatesEnded: group.cancelAll()
                }
                if case .updatesEnded = happening { break }
                unsent.put(outcome.lines)
                thread.stir()
                for told in outcome.acts { act(told) }
            }
            group.cancelAll()
        }
        await thread.finish()
    }
}

/// Text on its way to the device.
private final class Outbox: Sendable {
    private let bytes = Mutex<[UInt8]>([])

    /// Each text becomes one or more lines, none of which can command a terminal.
    func put(_ lines: [String]) {
        let text = lines.map { $0.safe(keepsLines: true) + "\n" }.joined()
        bytes.withLock { $0 += text.utf8 }
    }

    func take() -> DeviceThread.Output {
        bytes.withLock { bytes in
            defer { bytes = [] }
            return bytes.isEmpty ? .nothing : .bytes(bytes)
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
