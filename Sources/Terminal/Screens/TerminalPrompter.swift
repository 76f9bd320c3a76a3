import Glibc
package import SessionPorts
package import StudyModel

/// Shows a run on a terminal, and reports what is typed there.
///
/// A thread of its own reads and writes, and drawing does not happen on the run's thread either, so a slow or
/// stopped terminal delays nothing.
package struct TerminalPrompter: Prompter {
    private let input: Int32
    private let output: Int32
    private let isListening: Bool
    private let painter: Painter
    private let keyboard: Keyboard
    private let lock: String?
    private let images: ImageRenderer?
    private let drawn: [ImagePlace: RenderedImage]

    /// - Parameters:
    ///   - input: the terminal to read keys from.
    ///   - output: the terminal to draw on.
    ///   - isListening: whether keys are read; otherwise the run is only shown, and Control-C is a signal.
    ///   - facts: what the terminal said of itself.
    ///   - usesColour: `false` if `NO_COLOR` is set.
    ///   - usesUnicode: `false` if the terminal shows only ASCII.
    ///   - lock: the word without which nobody can leave, pause or suspend the run; `nil` if everybody may.
    ///   - images: draws the pictures of the run; `nil` shows their alternative texts.
    package init(
        input: Int32, output: Int32, isListening: Bool, facts: TerminalFacts = TerminalFacts(),
        usesColour: Bool,
        usesUnicode: Bool = true, lock: String? = nil, images: ImageRenderer? = nil
    ) {
        self.input = input
        self.output = output
        self.isListening = isListening
        self.lock = lock
        self.images = images
        drawn = images?.all() ?? [:]
        keyboard = facts.keyboard
        painter = Painter(on: usesColour ? facts.background : nil, usesUnicode: usesUnicode)
    }

    /// Whether the descriptors are a terminal that can do more than lines; `terminalType` is `TERM`.
    package static func canShow(input: Int32?, output: Int32, terminalType: String?) -> Bool {
        guard let terminalType, !["", "dumb"].contains(terminalType) else { return false }
        return isatty(output) == 1 && (input.map { isatty($0) == 1 } ?? true)
    }

    package func run<C: Clock>(
        _ updates: AsyncStream<ScreenUpdate>, on clock: C, act: @escaping @Sendable (ParticipantAct) -> Void
    ) async where C.Instant == RunInstant {
        await withTaskExecutorPreference(globalConcurrentExecutor) {
            await present(updates, on: clock, act: act)
        }
    }

    private enum Input: Sendable {
        case update(ScreenUpdate)
        /// Reported as soon as it is read, however long the drawing takes.
        case terminal(RawTerminal.Report, at: RunInstant)
        /// The pictures, for the terminal's size now.
        case images([ImagePlace: RenderedImage])
        case tick
        case updatesEnded

        /// How soon its effect has to be visible.
        var haste: Canvas.Haste {
            switch self {
            case .update(.screen): .screen
            case .tick: .tick
            case .update, .terminal, .images, .updatesEnded: .none
            }
        }
    }

    @concurrent private func present<C: Clock>(
        _ updates: AsyncStream<ScreenUpdate>, on clock: C, act: @escaping @Sendable (ParticipantAct) -> Void
    ) async where C.Instant == RunInstant {
        let (inputs, feed) = AsyncStream.makeStream(of: Input.self)
        let terminal = RawTerminal(
            input: input, output: output, isListening: isListening, style: .screen(keyboard)
        ) { feed.yield(.terminal($0, at: clock.now)) }
        let canvas = Canvas(painter)
        guard let terminal else {
            for await _ in updates {}
            return
        }
        await terminal.use(next: { canvas.next() }) { stir in
            await withDiscardingTaskGroup { group in
                group.addTask {
                    for await update in updates { feed.yield(.update(update)) }
                    feed.yield(.updatesEnded)
                }
                var interview = Interview(lock: lock, keyboard: keyboard, images: drawn)
                var size = terminal.size
                var tick: RunInstant?
                var draftsDue = RunInstant.start
                for await input in inputs {
                    switch input {
                    case .update(let update): interview.handle(update, at: clock.now)
                    case .terminal(.keys(let keys), let instant):
                        for told in interview.handle(keys, at: instant, in: size) { act(told) }
                    case .terminal(.changed, _):
                        size = terminal.size
                        canvas.forget()
                        group.addTask { feed.yield(.images(images?.all() ?? [:])) }
                    case .images(let drawn): interview.images = drawn
                    case .terminal(.closed, _):
                        for told in interview.interrupt() { act(told) }
                    case .tick: tick = nil
                    case .updatesEnded: group.cancelAll()
                    }
                    if case .updatesEnded = input { break }
                    terminal.lock(interview.isLocked)
                    let now = clock.now
                    for draft in interview.drafts(at: now, due: &draftsDue) { act(draft) }
                    let picture = interview.picture(at: now, in: size)
                    interview.handle(picture.view)
                    canvas.show(picture.frame.heard(isListening), input.haste)
                    stir()
                    let dues = [interview.nextChange(after: now), interview.hasDrafts ? draftsDue : nil]
                    guard let next = dues.compactMap(\.self).min(), tick.map({ next < $0 }) ?? true else {
                        continue
                    }
                    tick = next
                    group.addTask {
                        do { try await clock.sleep(until: next, tolerance: nil) } catch { return }
                        feed.yield(.tick)
                    }
                }
                group.cancelAll()
                return interview.farewell
            }
        }
    }
}

extension Frame {
    /// The frame, without reports of the pointer if nobody listens: they would be typed into the shell.
    fileprivate func heard(_ isListening: Bool) -> Frame {
        var frame = self
        frame.wantsPointer = wantsPointer && isListening
        return frame
    }
}

extension Interview {
    /// Each key acts on the picture that the keys before it brought to the terminal.
    fileprivate mutating func handle(
        _ keys: [Keystroke], at now: RunInstant, in size: TerminalSize
    ) -> [ParticipantAct] {
        var acts: [ParticipantAct] = []
        for (index, key) in keys.enumerated() {
            if index > 0 { handle(picture(at: now, in: size).view) }
            acts += handle(key, at: now).map { $0.on(screen) }
        }
        return acts
    }

    /// What was typed since the last report, at least 200 ms ago.
    fileprivate mutating func drafts(at now: RunInstant, due: inout RunInstant) -> [ParticipantAct] {
        // If answers count as they are when the time is over, they are reported at once.
        guard hasDrafts, due <= now || screen?.answering.contains(.kept) == true else { return [] }
        due = now.advanced(by: .milliseconds(200))
        return drafts().map { $0.on(screen) }
    }

    /// What is told when the terminal goes away.
    fileprivate mutating func interrupt() -> [ParticipantAct] {
        (drafts() + [.event(.interrupted)]).map { $0.on(screen) }
    }

    /// What stays on the terminal when the run is over.
    fileprivate var farewell: String {
        guard let ending else { return "" }
        return closing(ending, width: 100).map { $0.text + "\n" }.joined()
    }
}
