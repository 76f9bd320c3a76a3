import SessionPorts
import StudyModel

/// The participant's own heart rate, or another number, during the last minute.
struct HeartTrace: Hashable, Sendable {
    /// Oldest first.
    private(set) var points: [Point] = []

    struct Point: Hashable, Sendable {
        var instant: RunInstant
        /// Beats per minute, or a number in another unit.
        var rate: Double
    }

    /// How far back the trace reaches.
    static let span = Duration.seconds(60)

    mutating func append(_ rate: Double, at instant: RunInstant) {
        guard rate.isFinite, (0..<1_000).contains(rate) else { return }
        if let last = points.last, instant < last.instant { return }
        points.append(Point(instant: instant, rate: rate))
        points.removeAll { $0.instant.duration(to: instant) > Self.span }
        if points.count > 600 { points.removeFirst(points.count - 600) }
    }

    /// The rate now; `nil` if the last sample is too old.
    func current(at now: RunInstant) -> Double? {
        points.last.flatMap { $0.instant.duration(to: now) <= HeartRateSample.freshness ? $0.rate : nil }
    }

    /// The last minute as braille dots, `columns` × `rows` characters, with the bounds of the band as dotted lines.
    func drawn(at now: RunInstant, columns: Int, rows: Int, band: ClosedRange<Double>?) -> [String] {
        var dots = BrailleDots(columns: columns, rows: rows)
        let rates = points.map(\.rate) + (band.map { [$0.lowerBound, $0.upperBound] } ?? [])
        guard let lowest = rates.min(), let highest = rates.max() else { return [] }
        let middle = (lowest + highest) / 2
        let half = max(10, (highest - lowest) / 2 * 1.05)
        let height = dots.height
        func row(_ rate: Double) -> Int {
            let place = (middle + half - rate) / (2 * half) * Double(height - 1)
            return min(height - 1, max(0, Int(place.rounded())))
        }
        for bound in band.map({ [$0.lowerBound, $0.upperBound] }) ?? [] {
            for column in stride(from: 0, to: dots.width, by: 4) { dots.set(column: column, row: row(bound)) }
        }
        for point in points {
            let age = point.instant.duration(to: now) / Self.span
            dots.set(column: Int(((1 - age) * Double(dots.width - 1)).rounded()), row: row(point.rate))
        }
        return dots.lines
    }
}
