package import SessionPorts
package import StudyModel

/// Shows on a terminal what a camera or a video sees of a pulse, until it ends or somebody ends it.
package struct PulseScreen: Sendable {
    private let title: String
    private let input: Int32
    private let output: Int32
    private let painter: Painter

    /// - Parameters:
    ///   - title: what is watched.
    ///   - input: the terminal to read keys from.
    ///   - output: the terminal to draw on.
    ///   - background: the colour behind the text; `nil` if it is not known, or if there shall be no colours.
    ///   - usesUnicode: `false` if the terminal shows only ASCII.
    package init(of title: String, input: Int32, output: Int32, on background: Colour?, usesUnicode: Bool) {
        (self.title, self.input, self.output) = (title, input, output)
        painter = Painter(on: background, usesUnicode: usesUnicode)
    }

    private enum Input: Sendable {
        case report(SourceReport)
        case terminal(RawTerminal.Report)
        case tick
        case ended
    }

    /// Returns when there are no more reports, or when Q, Escape or Control-C was pressed.
    package func show<C: Clock>(_ reports: AsyncStream<SourceReport>, on clock: C) async
    where C.Instant == RunInstant {
        let (inputs, feed) = AsyncStream.makeStream(of: Input.self)
        let terminal = RawTerminal(
            input: input, output: output, isListening: true, style: .screen(Keyboard())
        ) {
            feed.yield(.terminal($0))
        }
        guard let terminal else { return }
        let canvas = Canvas(painter)
        await terminal.use(next: { canvas.next() }) { stir in
            await withDiscardingTaskGroup { group in
                group.addTask {
                    for await report in reports { feed.yield(.report(report)) }
                    feed.yield(.ended)
                }
                group.addTask {
                    while true {
                        let next = clock.now.advanced(by: .milliseconds(100))
                        do { try await clock.sleep(until: next, tolerance: nil) } catch { return }
                        feed.yield(.tick)
                    }
                }
                var view = PulseView(title: title)
                var isOver = false
                for await input in inputs {
                    switch input {
                    case .report(let report): view.take(report)
                    case .terminal(.keys(let keys)): isOver = keys.contains(where: \.key.endsThePulse)
                    case .terminal(.changed): canvas.forget()
                    case .terminal(.closed), .ended: isOver = true
                    case .tick: break
                    }
                    guard !isOver else { break }
                    canvas.show(view.frame(at: clock.now, in: terminal.size), .none)
                    stir()
                }
                group.cancelAll()
            }
            return ""
        }
    }
}

extension Key {
    fileprivate var endsThePulse: Bool {
        switch self {
        case .character("q"), .character("Q"), .escape, .control("c"): true
        default: false
        }
    }
}

/// What is known of a pulse that is watched, and how it looks.
struct PulseView: Sendable {
    let title: String
    private var scroll = PulseScroll()
    private var frames: [Timed<PulseFrame>] = []
    private var rate: Double?
    private var problem: String?
    private let wording = Wording(nil)

    init(title: String) { self.title = title }

    mutating func take(_ report: SourceReport) {
        switch report {
        case .measured(let sample):
            if let frame = sample.value.picture { frames.append(sample.map { _ in frame }) }
            if let heart = sample.value.heart, let rate = heart.rate { self.rate = rate }
        case .quality(let quality):
            scroll.take(
                CameraStatus(
                    frames: frames, quality: quality.quality, isClear: quality.isClear,
                    instant: quality.instant))
            frames = []
        case .live: problem = nil
        case .lost(let reason):
            rate = nil
            problem = reason == .noPulse ? nil : reason.description
        case .moved, .flooded, .told: break
        }
    }

    /// The picture: the rate, the wave with its beats, and how good the signal is.
    func frame(at now: RunInstant, in size: TerminalSize) -> Frame {
        let width = max(1, size.columns - 4)
        let isSeen = scroll.isFresh(at: now)
        let number = isSeen ? rate.map { String(Int($0.rounded())) } : nil
        var above = title.lines(to: width, .heading).prefix(1) + [.empty]
        above.append(StyledLine(Span("Heart rate, beats per minute", .quiet)).clipped(to: width))
        above += number.map { bigDigits($0).map { StyledLine(Span($0)) } } ?? [StyledLine(Span("–"))]
        var below = isSeen ? [.empty, scroll.bar(width: width, wording)] : [.empty]
        if let problem {
            below += problem.lines(to: width, .problem)
        } else if !scroll.isClear {
            below += wording(.coverLens).lines(to: width, .problem)
        }
        // The wave gets what room there is, because everything else is needed to put the finger right.
        let strips = min(3, max(0, size.rows - 3 - above.count - below.count) / 2)
        var wave: [StyledLine] = []
        if isSeen, width >= 16, strips > 0 {
            wave =
                [.empty]
                + scroll.drawn(at: now, columns: width, strips: strips, rows: 2).map { StyledLine(Span($0)) }
        }
        let lines = above + wave + below
        let hint = StyledLine(Span("q ends", .quiet)).clipped(to: width)
        let body = lines.prefix(max(0, size.rows - 2))
        let gap = max(0, size.rows - 1 - body.count)
        let all = body + Array(repeating: .empty, count: gap) + [hint]
        return Frame(
            lines: all.suffix(size.rows).map { $0.indented(by: min(2, size.columns / 4)) }, cursor: nil,
            bells: 0)
    }
}
