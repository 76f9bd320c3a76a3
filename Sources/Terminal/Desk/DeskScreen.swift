import Glibc
import Platform
import StudyModel
import Synchronization
import TextFormat

/// Shows the desk on a terminal, or as lines, and reads what is typed there.
package struct DeskScreen: Sendable {
    private let input: Int32
    private let output: Int32
    private let painter: Painter
    private let isPlain: Bool

    /// - Parameters:
    ///   - background: the colour behind the text; `nil` if it is not known, or if there shall be no colours.
    ///   - usesUnicode: `false` if the terminal shows only ASCII.
    ///   - isPlain: whether there are lines instead of a screen.
    package init(input: Int32, output: Int32, on background: Colour?, usesUnicode: Bool, isPlain: Bool) {
        (self.input, self.output, self.isPlain) = (input, output, isPlain)
        painter = Painter(on: background, usesUnicode: usesUnicode)
    }

    fileprivate enum Input: Sendable {
        case page(DeskPage)
        case keys([Keystroke], pressed: Int64)
        case line(String, pressed: Int64)
        case changed
        case answer(DeskAnswer, to: Int)
        case closed
    }

    /// Shows the desk until somebody leaves it, or wants something for which it makes room.
    ///
    /// - Parameters:
    ///   - page: what there is to know now; asked for every second.
    ///   - perform: does what is ordered, and says what came of it.
    /// - Returns: the desk as it was left, and what needs the terminal for itself; `nil` when somebody leaves.
    package func show(
        _ desk: Desk, on clock: some Clock<Duration>, page: @escaping @Sendable () async -> DeskPage,
        perform: @escaping @Sendable (DeskOrder) async -> DeskAnswer
    ) async -> (desk: Desk, order: DeskOrder?) {
        let (inputs, feed) = AsyncStream.makeStream(of: Input.self)
        var left: DeskOrder?
        var shown = desk
        let view =
            isPlain ? View.lines(PlainDesk(usesUnicode: painter.usesUnicode)) : .screen(Canvas(painter))
        await use(view, feed) { size, stir in
            await withDiscardingTaskGroup { group in
                group.addTask {
                    while !Task.isCancelled {
                        feed.yield(.page(await page()))
                        let next = clock.now.advanced(by: .seconds(1))
                        do { try await clock.sleep(until: next, tolerance: nil) } catch { return }
                    }
                }
                view.show(shown, in: size(), isNew: true)
                stir()
                var unanswered = 0
                for await input in inputs {
                    if case .answer = input { unanswered -= 1 }
                    for order in shown.take(input) where left == nil {
                        guard order.action != .quit, !order.needsTerminal else {
                            left = order
                            break
                        }
                        let number = shown.remember(order)
                        unanswered += 1
                        group.addTask { feed.yield(.answer(await perform(order), to: number)) }
                    }
                    if case .changed = input { view.forget() }
                    if case .line("", _) = input { view.forget() }
                    view.show(shown, in: size(), isNew: false)
                    stir()
                    // What was ordered is not given up, whoever leaves.
                    guard left == nil || unanswered > 0 else { break }
                }
                group.cancelAll()
            }
        }
        return (shown, left.flatMap { $0.action == .quit ? nil : $0 })
    }

    /// What the desk is drawn on.
    fileprivate enum View: Sendable {
        case screen(Canvas)
        case lines(PlainDesk)

        func show(_ desk: Desk, in size: TerminalSize, isNew: Bool) {
            switch self {
            case .screen(let canvas): canvas.show(desk.frame(in: size), isNew ? .screen : .none)
            case .lines(let plain): plain.show(desk)
            }
        }

        func forget() {
            switch self {
            case .screen(let canvas): canvas.forget()
            case .lines(let plain): plain.forget()
            }
        }

        func next() -> DeviceThread.Output {
            switch self {
            case .screen(let canvas): canvas.next()
            case .lines(let plain): plain.next()
            }
        }
    }

    private func use(
        _ view: View, _ feed: AsyncStream<Input>.Continuation,
        _ body: (_ size: () -> TerminalSize, _ stir: @escaping @Sendable () -> Void) async -> Void
    ) async {
        guard isPlain else {
            let terminal = RawTerminal(
                input: input, output: output, isListening: true, style: .screen(Keyboard())
            ) { report in
                switch report {
                case .keys(let keys): feed.yield(.keys(keys, pressed: monotonicNanoseconds()))
                case .changed: feed.yield(.changed)
                case .closed: feed.yield(.closed)
                }
            }
            guard let terminal else { return }
            return await terminal.use(next: { view.next() }) { stir in
                await body({ terminal.size }, stir)
                return ""
            }
        }
        let splitter = Mutex(LineSplitter())
        let thread = DeviceThread(
            input: input, output: output, patienceAtEnd: RawTerminal.Style.lines.patienceAtEnd,
            report: { report in
                switch report {
                case .bytes(let bytes):
                    for line in splitter.withLock({ $0.split(bytes) }) {
                        feed.yield(.line(line, pressed: monotonicNanoseconds()))
                    }
                case .ended: feed.yield(.closed)
                case .silence, .signal: break
                }
                return nil
            }, next: { view.next() })
        thread.start()
        await body({ TerminalSize(columns: 80, rows: 24) }) { thread.stir() }
        await thread.finish()
    }
}

extension Desk {
    /// Takes an input.
    ///
    /// - Returns: what is to be done.
    fileprivate mutating func take(_ input: DeskScreen.Input) -> [DeskOrder] {
        switch input {
        case .page(let page): take(page)
        case .keys(let keys, let pressed): return keys.compactMap { take($0.key, pressed: pressed) }
        case .line(let line, let pressed): return take(line: line, pressed: pressed)
        case .answer(let answer, let number): take(answer, to: number)
        case .changed: break
        case .closed: return [DeskOrder(.quit, of: nil, pressed: 0)]
        }
        return []
    }

    /// Takes a line of the plain mode: the words that are asked for, or else keys one after the other.
    mutating func take(line: String, pressed: Int64) -> [DeskOrder] {
        if case .typing = mode {
            let words: [Key] = line.trimmed.isEmpty ? [.return] : [.paste(line), .return]
            return words.compactMap { take($0, pressed: pressed) }
        }
        return line.trimmed.compactMap { take(.character($0), pressed: pressed) }
    }
}

/// What was written of a desk in plain mode: only lines that are new are written.
private final class PlainDesk: Sendable {
    private struct State {
        var shown: [String]?
        var unsent = ""
        var hints = ""
    }

    private let usesUnicode: Bool
    private let state = Mutex(State())

    init(usesUnicode: Bool) { self.usesUnicode = usesUnicode }

    func show(_ desk: Desk) {
        state.withLock { state in
            let still = desk.stillLines
            let known = Set(state.shown ?? [])
            let new = state.shown == nil ? desk.lines : still.filter { !known.contains($0) }
            let hints = desk.hints == state.hints || state.shown == nil ? [] : [desk.hints]
            (state.shown, state.hints) = (still, desk.hints)
            let text = (new + hints).map { $0.safe() + "\n" }.joined()
            state.unsent += usesUnicode ? text : text.map(\.ascii).joined()
        }
    }

    /// The whole page is written next.
    func forget() { state.withLock { $0.shown = nil } }

    func next() -> DeviceThread.Output {
        state.withLock { state in
            guard !state.unsent.isEmpty else { return .nothing }
            defer { state.unsent = "" }
            return .bytes(Array(state.unsent.utf8))
        }
    }
}
