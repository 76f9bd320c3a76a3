/// How one simulated person's heart differs from that of the average adult.
///
/// The spread between persons is that of real ones: resting rates differ by 9 per minute (68 ± 9), SDNN and RMSSD
/// by about a third, breathing at rest by 0.04 Hz; the response to music has a standard deviation of 1.1 per minute
/// between persons, which together with the drift of a single trial gives the 2.3 that studies find. Every number
/// comes from exact arithmetic, the same on every machine.
package struct SimulatedPerson: Hashable, Sendable {
    /// Beats per minute above the average.
    package var rateAbove: Double
    /// Factor for the total variability.
    package var variability: Double
    /// Factor for the respiratory part.
    package var breathing: Double
    /// Breaths per second.
    package var breathRate: Double
    /// Factor for the slow drift, which is noise to a study.
    package var drift: Double
    /// Beats per minute above the average response to music.
    package var responseAbove: Double

    private static let rateSpread = 9.0
    private static let responseSpread = 1.1

    /// - Parameter random: the only source of randomness; the same generator gives the same person.
    package init(using random: inout some RandomNumberGenerator) {
        func normal() -> Double { min(max(random.normal(), -2.6), 2.6) }
        // Squaring keeps factors above 0, and gives them a longer tail upwards, as in real people.
        func factor(_ spread: Double) -> Double {
            let root = 1 + spread / 2 * normal()
            return root * root
        }
        rateAbove = Self.rateSpread * normal()
        variability = factor(0.3)
        breathing = factor(0.4)
        breathRate = min(max(0.25 + 0.04 * normal(), 0.16), 0.38)
        drift = factor(0.3)
        responseAbove = Self.responseSpread * normal()
    }

    /// This person's heart.
    ///
    /// - Parameter average: the heart of the average person.
    package func heart(_ average: SimulatedHeart.Parameters) -> SimulatedHeart.Parameters {
        var heart = average
        heart.restingRate = min(max(average.restingRate + rateAbove, 40), max(average.maximumRate - 30, 40))
        heart.variability = average.variability * variability
        // A metronome's response to music is as exact as its rate.
        heart.musicResponse = average.musicResponse == 0 ? 0 : average.musicResponse + responseAbove
        heart.breathing = breathing
        heart.breathRate = breathRate
        heart.drift = drift
        return heart
    }
}
