/// What a run must reach to be good; a run that was completed and misses one of them is complete but poor.
public struct QualityLimits: Hashable, Sendable {
    /// The least share of each recording with samples, 0...1.
    public var coverage: Double?
    /// The longest time without samples.
    public var longestGap: Duration?
    /// The most pauses.
    public var pauses: Int?
    /// The farthest that a planned moment may be off.
    public var lateness: Duration?
    /// How often the sound device may run out of sound.
    public var underruns: Int?

    public init(
        coverage: Double? = nil, longestGap: Duration? = nil, pauses: Int? = nil, lateness: Duration? = nil,
        underruns: Int? = nil
    ) {
        (self.coverage, self.longestGap, self.pauses) = (coverage, longestGap, pauses)
        (self.lateness, self.underruns) = (lateness, underruns)
    }
}
