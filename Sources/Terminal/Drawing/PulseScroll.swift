import SessionPorts
import StudyModel
import TextFormat

/// What a camera saw of the participant's pulse during the last half minute.
struct PulseScroll: Hashable, Sendable {
    /// A point of the wave.
    private struct Point: Hashable, Sendable {
        var instant: RunInstant
        var value: Double
        /// Whether a beat came between it and the next one.
        var isBeat: Bool
    }

    /// Oldest first.
    private var points: [Point] = []
    /// How well the pulse could be seen last, 0...1.
    private(set) var quality = 0.0
    /// Whether it could be seen well enough for a heart rate.
    private(set) var isClear = false
    /// When that was.
    private var latest: RunInstant?

    /// How much of the wave is drawn.
    static let span = Duration.seconds(30)
    /// Frames are reported once they have settled, at most this long after they were taken.
    static let lag = Duration.milliseconds(1_700)
    /// If the camera reported nothing for this long, it counts as gone.
    private static let freshness = Duration.seconds(3)
    /// Seconds from one line of the grid to the next.
    private static let gridSeconds = 5.0

    mutating func take(_ sight: CameraStatus) {
        (quality, isClear, latest) = (sight.quality, sight.isClear, sight.instant)
        for frame in sight.frames where points.last.map({ $0.instant < frame.instant }) ?? true {
            points.append(
                Point(
                    instant: frame.instant, value: frame.value.filtered, isBeat: !frame.value.beats.isEmpty))
        }
        guard let newest = points.last?.instant else { return }
        points.removeAll { $0.instant.duration(to: newest) > Self.span + .seconds(3) }
        if points.count > 10_000 { points.removeFirst(points.count - 10_000) }
    }

    /// Whether a camera is watching.
    func isFresh(at now: RunInstant) -> Bool {
        latest.map { $0.duration(to: now) <= Self.freshness } ?? false
    }

    /// When, after `now`, the drawn wave has moved by a dot or more: often enough to look smooth.
    func nextStep(after now: RunInstant) -> RunInstant {
        let step = 0.2
        let count = (now.offset.seconds / step).rounded(.down) + 1
        return max(.seconds(count * step), now.advanced(by: .milliseconds(20)))
    }

    /// Seconds for each dot.
    private static func step(columns: Int) -> Double { span.seconds / Double(max(1, columns) * 2) }

    /// The last half minute as dots on a grid of five seconds, with a mark for each beat, split into strips like lines of text, with the
    /// newest part at the lower right.
    ///
    /// Wave and grid move together, so the wave keeps its shape while it moves to the left.
    ///
    /// - Parameters:
    ///   - columns: characters to a strip.
    ///   - rows: characters that each strip is high.
    func drawn(at now: RunInstant, columns: Int, strips: Int, rows: Int) -> [String] {
        let lines = drawn(at: now, columns: columns * strips, rows: rows)
        return (0..<strips).flatMap { strip in
            lines.map { String($0.dropFirst(strip * columns).prefix(columns)) }
        }
    }

    private func drawn(at now: RunInstant, columns: Int, rows: Int) -> [String] {
        var dots = BrailleDots(columns: columns, rows: rows)
        let step = Self.step(columns: columns)
        let last = Int(((now.offset - Self.lag).seconds / step).rounded(.down))
        let first = last - dots.width + 1
        let column = { (instant: RunInstant) in
            Int((instant.offset.seconds / step).rounded(.down)) - first
        }
        // The wave enters from beyond the left edge.
        let seen = points.filter { (-2..<dots.width).contains(column($0.instant)) }
        drawGrid(on: &dots, first: first, step: step)
        let sizes = seen.map { abs($0.value) }.sorted()
        guard let size = sizes.isEmpty ? nil : sizes[sizes.count * 95 / 100], size > 0 else {
            return dots.lines
        }
        let half = Double(dots.height - 1) / 2
        var before: (column: Int, row: Int)?
        for point in seen {
            let share = min(1, max(-1, point.value / (1.3 * size)))
            let place = (column: column(point.instant), row: Int((half - share * half).rounded()))
            let from = before.map { place.column - $0.column <= 2 ? $0.row : place.row } ?? place.row
            for row in min(from, place.row)...max(from, place.row) {
                dots.set(column: place.column, row: row)
            }
            before = place
        }
        // Each beat is a mark at the upper edge, which no wave reaches.
        for beat in seen where beat.isBeat {
            for offset in 0...1 { dots.set(column: column(beat.instant) + offset, row: 0) }
        }
        return dots.lines
    }

    private func drawGrid(on dots: inout BrailleDots, first: Int, step: Double) {
        let every = max(1, Int((Self.gridSeconds / step).rounded()))
        for column in 0..<dots.width {
            let place = first + column
            let isLine = place % every == 0
            for row in 0..<dots.height where isLine ? row % 2 == 0 : row == dots.height / 2 && place % 4 == 0
            {
                dots.set(column: column, row: row)
            }
        }
    }
}

extension PulseScroll {
    /// How many strips the wave takes, and how many lines each strip, depending on the room.
    private static func room(_ level: ScreenChrome.Level) -> (strips: Int, rows: Int) {
        switch level {
        case .full: (3, 2)
        case .compact: (2, 2)
        case .tight, .bare: (0, 0)
        }
    }

    /// Whether a screen has anything to do with the camera.
    static func concerns(_ screen: Screen) -> Bool {
        guard screen.phase != .saving else { return false }
        if case .waitingForSource = screen.phase { return true }
        switch screen.content {
        case .instruction, .timed: return true
        case .questions, .review, .consent, .completion: return false
        }
    }

    /// The wave, if the study shows the participant's own heart, and how good the signal is and what to do.
    func lines(
        at now: RunInstant, on screen: Screen, width: Int, level: ScreenChrome.Level, _ wording: Wording
    ) -> [StyledLine] {
        guard isFresh(at: now), Self.concerns(screen) else { return [] }
        var lines: [StyledLine] = []
        if screen.shows.contains(.heartRate), width >= 16 {
            let (strips, rows) = Self.room(level)
            lines += drawn(at: now, columns: width, strips: strips, rows: rows).map { StyledLine(Span($0)) }
        }
        if !isClear, !screen.isWaitingForPulse {
            let prompt = wording(.coverLens).lines(to: width, .problem)
            lines += level >= .tight ? Array(prompt.prefix(1)) : prompt
        }
        return level == .bare ? lines : lines + [bar(width: width, wording)]
    }

    func bar(width: Int, _ wording: Wording) -> StyledLine {
        let label = wording(.signalQuality) + " "
        let words = " " + wording(.percent, String(Int((quality * 100).rounded())))
        let length = min(30, width - label.columns - words.columns)
        guard length >= 5 else { return StyledLine(Span(label, .quiet), Span(words)).clipped(to: width) }
        let full = Int((quality * Double(length)).rounded())
        return StyledLine(
            Span(label, .quiet), Span(String(repeating: "█", count: full), isClear ? .good : .problem),
            Span(String(repeating: "░", count: length - full), .quiet), Span(words))
    }
}

extension Screen {
    /// Whether the step begins when the fingertip lies on the lens.
    var isWaitingForPulse: Bool {
        if case .waitingForSource(_, .noPulse) = phase { return true }
        return false
    }
}
