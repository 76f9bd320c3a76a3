/// What a terminal lets be known of keys that are held down.
public struct Keyboard: Hashable, Sendable {
    /// Whether the terminal says of each key whether it was pressed or repeated.
    public var tellsHeldKeys: Bool
    /// How a held key repeats, where that was measured because the terminal does not say it; `nil` if it is not known.
    public var repetition: Repetition?

    public init(tellsHeldKeys: Bool = false, repetition: Repetition? = nil) {
        (self.tellsHeldKeys, self.repetition) = (tellsHeldKeys, repetition)
    }

    /// When a key that is held down comes again.
    public struct Repetition: Hashable, Sendable {
        /// From the press to the first repetition, seconds.
        public var delay: Double
        /// From one repetition to the next, seconds.
        public var period: Double

        public init(delay: Double, period: Double) { (self.delay, self.period) = (delay, period) }

        /// The rhythm of one key that was held down.
        ///
        /// - Parameter arrivals: when it came, seconds.
        /// - Returns: `nil` if these are the moments of no held key: of one that was pressed several times, or too few.
        package init?(_ arrivals: [Double]) {
            let gaps = zip(arrivals, arrivals.dropFirst()).map { $1 - $0 }
            guard gaps.count > Self.fewest, let delay = gaps.first else { return nil }
            let period = gaps.dropFirst().sorted()[(gaps.count - 1) / 2]
            guard 0.05...3 ~= delay, 0 < period, period < min(0.15, delay),
                gaps.dropFirst().allSatisfy({ $0 < 2 * period + Self.unevenness })
            else { return nil }
            (self.delay, self.period) = (delay, period)
        }

        /// So many repetitions show a rhythm.
        private static let fewest = 4
        /// Repetitions come so much earlier or later than they should, seconds.
        package static let unevenness = 0.03
    }
}
