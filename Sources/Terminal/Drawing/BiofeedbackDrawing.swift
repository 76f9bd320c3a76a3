import SessionPorts
import StudyModel
import TextFormat

/// What a display showed lately.
struct DisplayTrace: Hashable, Sendable {
    private(set) var shown = Biofeedback.Shown.unknown
    /// Since when it shows this.
    private(set) var since = RunInstant.start
    private(set) var trace = HeartTrace()

    mutating func take(_ new: Biofeedback.Shown, at instant: RunInstant) {
        if let value = new.value { trace.append(value, at: instant) }
        if new != shown { since = instant }
        shown = new
    }
}

/// A display on a screen: a number with its course, or a bar to breathe with.
struct BiofeedbackDrawing {
    let display: Biofeedback
    let seen: DisplayTrace
    let wording: Wording
    let width: Int
    /// Whether there is room for high digits.
    let isTall: Bool

    /// How often a bar to breathe with moves.
    static let breathStep = Duration.milliseconds(100)

    func lines(at now: RunInstant) -> [StyledLine] {
        guard case .pacer(let pacer) = display else { return number(at: now) }
        guard case .breath(let phase) = seen.shown else { return [] }
        let length = pacer.length(of: phase)
        let passed = min(length, max(.zero, seen.since.duration(to: now)))
        let left = (length - passed).wholeSecondsUp
        let share: Double =
            switch phase {
            case .in: passed / length
            case .hold: 1
            case .out: 1 - passed / length
            case .holdOut: 0
            }
        let words = StyledLine(Span(display.words(seen.shown, wording) + "  ", .heading), Span("\(left)"))
        return [words.clipped(to: width), bar(share)]
    }

    private func bar(_ share: Double) -> StyledLine {
        let length = min(50, width)
        let full = Int((share * Double(length)).rounded())
        return StyledLine(
            Span(String(repeating: "█", count: full), .good),
            Span(String(repeating: "░", count: length - full), .quiet))
    }

    private func number(at now: RunInstant) -> [StyledLine] {
        let label = display.label(wording) ?? ""
        guard isTall, case .value(let value) = seen.shown else {
            return "\(label): \(display.words(seen.shown, wording))".lines(to: width)
        }
        let digits = bigDigits(value.shown(0))
        let used = (digits.map(\.columns).max() ?? 0) + 3
        let columns = min(40, width - used)
        let trace = columns < 8 ? [] : seen.trace.drawn(at: now, columns: columns, rows: 3, band: nil)
        let drawn = digits.enumerated().map { row, text in
            StyledLine(
                Span(text, .heading), Span(String(repeating: " ", count: max(0, used - text.columns))),
                Span(trace.isEmpty ? "" : trace[row]))
        }
        return "\(label), \(display.unitWords(wording))".lines(to: width, .quiet) + drawn
    }
}

extension Interview {
    /// Adds what is shown of the heart, or to breathe with, while the step goes on.
    func addDisplays(to body: inout Body, _ screen: Screen, width: Int, rows: Int) {
        guard case .running = screen.phase else { return }
        let isTall = body.lines.count + 5 * screen.displays.count + 2 <= rows
        for display in screen.displays {
            let drawing = BiofeedbackDrawing(
                display: display.biofeedback, seen: displays[display.recorder] ?? DisplayTrace(),
                wording: wording, width: width, isTall: isTall)
            body.addParagraph(drawing.lines(at: now))
        }
    }

    /// When a bar to breathe with next moves; `nil` if none is shown.
    func nextBreath(after now: RunInstant) -> RunInstant? {
        guard let screen, case .running(_, let end) = screen.phase, now < end,
            screen.displays.contains(where: { !$0.biofeedback.isOfHeart })
        else { return nil }
        return now.advanced(by: BiofeedbackDrawing.breathStep)
    }
}
