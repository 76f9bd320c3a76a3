/// What a participant rates continuously during a step: one dimension, or two on a plane.
public struct RatingScale: Hashable, Sendable {
    /// One, from left to right; or two, the second from bottom to top.
    public var dimensions: [Dimension]
    /// How often the position is recorded, per second; above 0 and at most 100.
    public var rate: Double

    /// One thing that is rated.
    public struct Dimension: Hashable, Sendable {
        /// What it is called in results.
        public var name: Identifier
        /// The lowest value.
        public var from: Double
        /// The highest value, above `from`.
        public var to: Double
        /// What the lowest value means.
        public var fromLabel: LocalizedText
        /// What the highest value means.
        public var toLabel: LocalizedText
        /// Where the mark stands before the participant moves it.
        public var start: Double
        /// How far an arrow key moves it.
        public var step: Double

        public init(
            name: Identifier, from: Double, to: Double, fromLabel: LocalizedText, toLabel: LocalizedText,
            start: Double, step: Double
        ) {
            self.name = name
            (self.from, self.to) = (from, to)
            (self.fromLabel, self.toLabel) = (fromLabel, toLabel)
            (self.start, self.step) = (start, step)
        }

        /// The nearest value on the scale, rounded to the millionth.
        package func value(near number: Double) -> Double {
            min(to, max(from, (number * 1e6).rounded() / 1e6))
        }

        /// The value at a share, 0...1, of the way from the lowest to the highest value.
        package func value(at share: Double) -> Double { value(near: from + share * (to - from)) }

        /// The share, 0...1, of the way from the lowest to the highest value at which a value lies.
        package func share(of value: Double) -> Double { min(1, max(0, (value - from) / (to - from))) }
    }

    public init(dimensions: [Dimension], rate: Double) {
        precondition((1...2).contains(dimensions.count), "a rating has one dimension or two")
        (self.dimensions, self.rate) = (dimensions, rate)
    }

    /// Where the mark stands before the participant moves it.
    package var start: [Double] { dimensions.map(\.start) }

    /// A longer time without a sample than this is a gap: the participant could not rate.
    package var longestSilence: Duration { max(.seconds(1), interval * 5 / 2) }

    /// The time between two samples.
    package var interval: Duration { .nanoseconds(Int64((1e9 / rate).rounded())) }
}

/// Where the mark of a rating was at a moment.
public struct RatedPosition: Hashable, Sendable {
    /// A value for each dimension.
    public var values: [Double]
    public var kind: Kind

    /// Why a position is recorded.
    public enum Kind: String, Hashable, Sendable, CaseIterable {
        /// The recording begins with it.
        case start
        /// The participant moved the mark there.
        case change
        /// It was time for a sample.
        case sample
    }

    public init(_ values: [Double], _ kind: Kind) {
        (self.values, self.kind) = (values, kind)
    }
}
