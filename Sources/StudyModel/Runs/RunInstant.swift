import TextFormat

/// A moment of a run: the time since the run's start, on the monotonic clock.
///
/// Wall time appears once per run, in the manifest; everything else is a `RunInstant`.
public struct RunInstant: Hashable, Sendable, InstantProtocol {
    /// Time since the run's start; never negative in a run, though arithmetic may pass through negatives.
    public var offset: Duration

    public init(offset: Duration) { self.offset = offset }

    /// The run's first moment.
    public static let start = RunInstant(offset: .zero)

    /// The moment `seconds` after the run's start.
    public static func seconds(_ seconds: Double) -> RunInstant { RunInstant(offset: .seconds(seconds)) }

    /// The moment `nanoseconds` after the run's start.
    public static func nanoseconds(_ nanoseconds: Int64) -> RunInstant {
        RunInstant(offset: .nanoseconds(nanoseconds))
    }

    public func advanced(by duration: Duration) -> RunInstant { RunInstant(offset: offset + duration) }
    public func duration(to other: RunInstant) -> Duration { other.offset - offset }
    public static func < (left: RunInstant, right: RunInstant) -> Bool { left.offset < right.offset }

    /// Whole nanoseconds since the run's start, as the journal stores a moment.
    public var nanoseconds: Int64 { offset.wholeNanoseconds }
}

extension Duration {
    /// Whole nanoseconds, rounded to the nearest, so that seconds given as a `Double` keep their decimals;
    /// correct within ±292 years.
    public var wholeNanoseconds: Int64 {
        let (seconds, attoseconds) = components
        let half: Int64 = attoseconds < 0 ? -500_000_000 : 500_000_000
        return seconds * 1_000_000_000 + (attoseconds + half) / 1_000_000_000
    }

    /// The same length in seconds.
    public var seconds: Double {
        let (seconds, attoseconds) = components
        return Double(seconds) + Double(attoseconds) * 1e-18
    }
}

extension Duration {
    /// The duration in words: `250 ms`, `1.5 s`, `1 min 30 s`, `2 h`.
    package var words: String {
        let nanoseconds = wholeNanoseconds
        guard nanoseconds > 0 else { return "0 s" }
        let milliseconds = nanoseconds / 1_000_000
        if milliseconds < 1000 { return "\(plainNumber(Double(nanoseconds) / 1e6)) ms" }
        if milliseconds < 60_000 { return "\(plainNumber(Double(nanoseconds) / 1e9)) s" }
        let (minutes, rest) = (milliseconds / 60_000, milliseconds % 60_000)
        let parts = [
            minutes >= 60 ? "\(minutes / 60) h" : nil, minutes % 60 > 0 ? "\(minutes % 60) min" : nil,
            rest > 0 ? "\(plainNumber(Double(rest) / 1e3)) s" : nil,
        ]
        return parts.compactMap(\.self).joined(separator: " ")
    }
}
