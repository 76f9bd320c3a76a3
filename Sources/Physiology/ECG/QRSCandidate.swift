/// A wave that may be a beat.
struct QRSCandidate {
    /// Samples since the stretch began, with the delay of the energy.
    var index: Int
    /// Its energy.
    var height: Double
    /// The steepest slopes upwards and downwards, both positive.
    var rise: Double
    var fall: Double
    /// How sharply its slope changes within 20 ms, at most: QRS complexes are sharper than T and P waves, even if those
    /// are taller.
    var bend: Double

    /// A beat goes up and comes down: the weaker slope is at least this share of the steeper one.
    private static let leastReturn = 0.125

    /// Whether the signal only moves to another level, as electrodes do.
    var isStep: Bool { min(rise, fall) < Self.leastReturn * max(rise, fall) }
}
