import Glibc
package import SessionPorts
package import StudyModel
import Synchronization
import TextFormat

/// Shows a run line by line, without control sequences: for screen readers, logs and pipes.
package struct PlainPrompter: Prompter {
    private let input: Int32?
    private let output: Int32
    /// Yields at each Control-C if the participant is to be asked whether to leave.
    private let interruptions: AsyncStream<Void>?
    private let lock: String?
    private let keyboard: Keyboard
    private let speaker: Speaker?
    /// Whether somebody else brings the arm that a step waits for.
    private let armComesByItself: Bool

    /// - Parameters:
    ///   - input: where lines are typed or piped; `nil` if the run is only shown.
    ///   - output: where lines go.
    ///   - interruptions: yields at each Control-C, which asks whether to leave; `nil` if it ends the run.
    ///   - lock: the word without which nobody can leave, pause or suspend the run; `nil` if everybody may.
    ///   - keyboard: how held keys repeat.
    ///   - speaker: reads all lines aloud.
    package init(
        input: Int32?, output: Int32, interruptions: AsyncStream<Void>? = nil, lock: String? = nil,
        keyboard: Keyboard = Keyboard(), speaker: Speaker? = nil, armComesByItself: Bool = false
    ) {
        self.armComesByItself = armComesByItself
        (self.lock, self.keyboard, self.speaker) = (lock, keyboard, speaker)
        self.input = input
        self.interruptions = interruptions
        self.output = output
    }

    package func run<C: Clock>(
        _ updates: AsyncStream<ScreenUpdate>, on clock: C, act: @escaping @Sendable (ParticipantAct) -> Void
    ) async where C.Instant == RunInstant {
        let isTerminal = input.map { isatty($0) == 1 } ?? false
        let writer = PlainWriter(
            Dialogue(
                keepsEarlyLines: !isTerminal, isShowOnly: input == nil, lock: lock, keyboard: keyboard,
                armComesByItself: armComesByItself),
            speaker, act)
        if let terminal = terminal(writer, on: clock) {
            writer.attach(terminal)
            await terminal.use(next: { writer.unsent() }) { stir in
                await show(updates, writer, on: clock, stir)
                return ""
            }
            writer.attach(nil)
            speaker?.finish()
            return
        }
        let splitter = Mutex(LineSplitter())
        let thread = DeviceThread(
            input: input, output: output, patienceAtEnd: RawTerminal.Style.lines.patienceAtEnd,
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
        await show(updates, writer, on: clock) { thread.stir() }
        await thread.finish()
        speaker?.finish()
    }

    /// The terminal in which lines are typed and shown, so that half-typed lines are visible; `nil` if it is not a
    /// terminal.
    private func terminal<C: Clock>(_ writer: PlainWriter, on clock: C) -> RawTerminal?
    where C.Instant == RunInstant {
        guard let input, isatty(input) == 1 else { return nil }
        return RawTerminal(input: input, output: output, isListening: true, style: .lines) { report in
            switch report {
            case .keys(let keys): writer.go(keys, at: clock.now)
            case .closed: writer.go { $0.handleEnd(isTerminal: true, at: clock.now) }
            case .changed: break
            }
        }
    }

    private func show<C: Clock>(
        _ updates: AsyncStream<ScreenUpdate>, _ writer: PlainWriter, on clock: C,
        _ stir: @escaping @Sendable () -> Void
    ) async where C.Instant == RunInstant {
        await withDiscardingTaskGroup { group in
            if let interruptions {
                group.addTask {
                    for await _ in interruptions {
                        writer.go { $0.handleInterruption() }
                        stir()
                    }
                }
            }
            var told: (ordinal: Int, phase: Presentation.Phase)?
            for await update in updates {
                writer.go { $0.handle(update, at: clock.now) }
                stir()
                guard case .screen(let screen) = update,
                    told.map({ $0 != (screen.ordinal, screen.phase) }) ?? true
                else { continue }
                told = (screen.ordinal, screen.phase)
                for moment in screen.momentsToTell(after: clock.now) {
                    group.addTask {
                        do { try await clock.sleep(until: moment.at, tolerance: nil) } catch { return }
                        writer.go { $0.timeLeft(moment.remaining, of: screen.ordinal, until: moment.end) }
                        stir()
                    }
                }
            }
            group.cancelAll()
        }
    }
}

/// A dialogue that the run and the keyboard use in turn, with its output on the way to the device.
private final class PlainWriter: Sendable {
    private struct State {
        var dialogue: Dialogue
        var unsent: [UInt8] = []
        var terminal: RawTerminal?
        let speaker: Speaker?

        /// What stands on the line before the cursor and behind it.
        typealias Shown = (before: String, after: String)

        /// Shows an outcome. Each text becomes one or more lines, none of which can command a terminal.
        ///
        /// - Parameter shown: what the terminal shows of the half-typed line.
        mutating func show(_ outcome: Dialogue.Outcome, behind shown: inout Shown) -> [ParticipantAct] {
            if outcome.endsLine || !outcome.lines.isEmpty && !(shown.before + shown.after).isEmpty {
                unsent += (shown.after + "\n").utf8
                shown = ("", "")
            }
            speaker?.say(outcome.lines)
            if outcome.isRung, terminal != nil { unsent.append(7) }
            for line in outcome.lines { unsent += (line.safe(keepsLines: true) + "\n").utf8 }
            return outcome.acts.map { $0.on(dialogue.screen) }
        }

        /// Replaces what the terminal shows of the half-typed line.
        mutating func echo(instead shown: inout Shown) {
            let echo = dialogue.echo
            guard echo != shown else { return }
            // The cursor goes to the end, and then back to its place.
            let text = (shown.before + shown.after).retyped(as: echo.before + echo.after)
            unsent += (shown.after + text + String(repeating: "\u{8}", count: echo.after.columns)).utf8
            shown = echo
        }
    }

    private let state: Mutex<State>
    private let act: @Sendable (ParticipantAct) -> Void

    init(_ dialogue: Dialogue, _ speaker: Speaker?, _ act: @escaping @Sendable (ParticipantAct) -> Void) {
        state = Mutex(State(dialogue: dialogue, speaker: speaker))
        self.act = act
    }

    /// Lines are typed at this terminal, and each key comes separately.
    func attach(_ terminal: RawTerminal?) {
        state.withLock { state in
            state.terminal = terminal
            terminal?.lock(state.dialogue.isLocked)
        }
    }

    /// Continues with one update or line.
    func go(_ turn: (inout Dialogue) -> Dialogue.Outcome) {
        perform { state in
            var shown = state.dialogue.echo
            defer { state.echo(instead: &shown) }
            return state.show(turn(&state.dialogue), behind: &shown)
        }
    }

    /// Continues with keys that came together.
    func go(_ keys: [Keystroke], at now: RunInstant) {
        perform { state in
            var shown = state.dialogue.echo
            var acts: [ParticipantAct] = []
            for key in keys {
                if case .character = key.key {} else { state.echo(instead: &shown) }
                // Whoever goes on has heard enough.
                if key.key == .return || key.key == .control("c") { state.speaker?.hush() }
                acts += state.show(state.dialogue.handle(key, at: now), behind: &shown)
            }
            state.echo(instead: &shown)
            return acts + state.dialogue.keepTyped(at: now).map { $0.on(state.dialogue.screen) }
        }
    }

    private func perform(_ turn: (inout State) -> [ParticipantAct]) {
        let acts = state.withLock { state in
            defer { state.terminal?.lock(state.dialogue.isLocked) }
            return turn(&state)
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

/// Splits bytes into lines, however the bytes are spread over reads.
struct LineSplitter: Hashable, Sendable {
    private var pending: [UInt8] = []
    /// How many bytes of a line are kept.
    static let longest = 65_536

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

    /// The last line, if the input ended without a line break.
    mutating func rest() -> [String] { rest(isLine: !pending.isEmpty) }

    private mutating func rest(isLine: Bool) -> [String] {
        defer { pending = [] }
        let scalars = String(decoding: pending, as: UTF8.self).unicodeScalars.filter {
            !$0.isUnsafeOnTerminals
        }
        return isLine ? [String(String.UnicodeScalarView(scalars))] : []
    }
}

extension String {
    /// What to send to a terminal that shows this text, so that it shows another one instead.
    fileprivate func retyped(as new: String) -> String {
        let common = zip(self, new).prefix { $0 == $1 }.count
        let erased = String(dropFirst(common)).columns
        return String(repeating: "\u{8} \u{8}", count: erased) + new.dropFirst(common)
    }
}

extension Screen {
    /// When the time left is announced: halfway, and 10 and 5 seconds before the end, if later than `now`.
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
