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
