package import StudyModel

extension SimulatedParticipant {
    /// Taps come before their beats by this much on average, as those of untrained people do (Repp & Su 2013).
    private static let anticipation = Duration.milliseconds(30)
    /// The standard deviation of the taps around that, seconds.
    private static let scatter = 0.025
    /// The time between taps without a beat to follow (McAuley et al. 2006: 0.5 to 0.7 s), and its deviation, seconds.
    private static let own = (interval: 0.6, deviation: 0.03)

    /// When it taps next.
    ///
    /// - Parameters:
    ///   - beat: the next beat that is heard; `nil` if none is, or if no beats are known.
    /// - Returns: the moment, and whether it taps then rather than looks again.
    package mutating func tap(
        after now: RunInstant, beat: RunInstant?
    ) -> (instant: RunInstant, isTap: Bool) {
        let chance = tapDeviation()
        guard let beat else {
            return (
                now.advanced(by: .seconds(max(0.2, Self.own.interval + chance * Self.own.deviation))), true
            )
        }
        // One beat in thirty is missed.
        if missesBeat() { return (beat.advanced(by: .milliseconds(60)), false) }
        let tap = beat.advanced(by: .seconds(chance * Self.scatter) - Self.anticipation)
        return (max(now.advanced(by: .milliseconds(90)), tap), true)
    }
}
