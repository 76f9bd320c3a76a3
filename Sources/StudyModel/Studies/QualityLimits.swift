/// What a run must reach to be good. A completed run that misses one of these limits is complete but poor.
public struct QualityLimits: Hashable, Sendable {
    /// The smallest share of each recording that must have samples, 0...1.
    public var coverage: Double?
    /// The longest time without samples.
    public var longestGap: Duration?
    /// The greatest number of pauses.
    public var pauses: Int?
    /// How far from its plan any moment may be.
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
