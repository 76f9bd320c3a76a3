import Analysing

/// A mean with its band, second by second, in a frame of a picture.
struct CoursePanel {
    let course: [MeanOfSecond]
    /// What the horizontal axis shows, s.
    let seconds: ClosedRange<Double>
    /// What the vertical axis shows.
    let values: ClosedRange<Double>
    /// Whether there is a line at zero.
    var hasZero = false

    /// The place of a plot, px.
    struct Frame {
        var left: Double
        var top: Double
        var width: Double
        var height: Double
        var bottom: Double { top + height }
        var right: Double { left + width }
    }

    func draw(in frame: Frame, ticks: (x: Int, y: Int), _ drawing: inout Drawing) {
        let time = Axis(seconds, pixels: (frame.left, frame.right))
        let value = Axis(values, pixels: (frame.bottom, frame.top))
        let inside = { (number: Double) in
            value.place(Swift.min(Swift.max(number, values.lowerBound), values.upperBound))
        }
        let places = course.map { time.place(Double($0.second) + 0.5) }
        let bands = zip(places, course).compactMap { x, second in
            second.interval.map {
                (x: x, low: inside($0.lowerBound), high: inside($0.upperBound))
            }
        }
        drawing.path(
            bands.map { ($0.x, $0.high) } + bands.reversed().map { ($0.x, $0.low) }, "band", isClosed: true)
        for tick in value.ticks(ticks.y) {
            drawing.line((frame.left, value.place(tick)), (frame.right, value.place(tick)), "grid")
            drawing.text(Axis.label(tick), frame.left - 8, value.place(tick) + 4, "end soft")
        }
        for tick in time.ticks(ticks.x) {
            drawing.line((time.place(tick), frame.bottom), (time.place(tick), frame.bottom + 5), "axis")
            drawing.text(Axis.label(tick), time.place(tick), frame.bottom + 20, "middle soft")
        }
        drawing.line((frame.left, frame.bottom), (frame.right, frame.bottom), "axis")
        if hasZero {
            drawing.line((frame.left, value.place(0)), (frame.right, value.place(0)), "middle-line")
        }
        drawing.path(zip(places, course).map { ($0, value.place($1.mean)) }, "data")
    }
}

extension MeanOfSecond {
    /// The numbers that a picture must have room for.
    var ends: [Double] { [mean] + (interval.map { [$0.lowerBound, $0.upperBound] } ?? []) }
}

extension [MeanOfSecond] {
    /// The mean and its interval at the beginning, in the middle and at the end.
    var inWords: String {
        let shown = isEmpty ? [] : [self[0], self[count / 2], self[count - 1]]
        return shown.map { "at \($0.second) s \(Axis.signed($0.mean, $0.interval))" }.joined(separator: ", ")
    }

    /// A rounded range with room for every mean and band, and for some other numbers.
    func range(with others: [Double] = []) -> ClosedRange<Double> {
        let ends = flatMap(\.ends) + others
        let range = (ends.min() ?? 0)...(ends.max() ?? 1)
        let width = range.upperBound - range.lowerBound
        let room = width > 0 ? range : range.lowerBound - 0.5...range.upperBound + 0.5
        return Axis.rounded(room, to: Axis.step((room.upperBound - room.lowerBound) / 5))
    }
}
