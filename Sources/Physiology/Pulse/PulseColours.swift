/// How strongly each colour of a picture follows the pulse.
///
/// Blood takes far more of the green and blue light than of the red. What changes the light itself, such as a hand
/// that moves or a lamp that flickers, changes all colours by the same share.
struct PulseColours {
    /// The levels of red, green and blue, and their band-passed signals.
    private let levels: [[Double]]
    private let waves: [[Double]]

    /// A colour follows the pulse if it correlates with it at least this well.
    private static let leastCorrelation = 0.7
    /// Green or blue follows blood by at least this many times the share of red: three to thirty times in
    /// fingertips, once where the light changes.
    private static let leastOfBlood = 1.6

    /// - Parameter signals: red, green and blue, and anything after them; `nil` for fewer, or if they are all grey.
    init?(_ signals: [[Double]], band: BandPass) {
        guard signals.count >= 3, signals[0] != signals[1] || signals[1] != signals[2] else { return nil }
        levels = Array(signals.prefix(3))
        waves = levels.map { band.apply(to: $0) }
    }

    /// Whether all colours that follow a pulse do so by one share, as those of blood never do.
    func changeTogether(in samples: Range<Int>, with pulse: [Double]) -> Bool {
        let shares = zip(levels, waves).map { level, wave -> Double? in
            var (sum, both, own, other) = (0.0, 0.0, 0.0, 0.0)
            for sample in samples {
                sum += level[sample]
                both += wave[sample] * pulse[sample]
                own += wave[sample] * wave[sample]
                other += pulse[sample] * pulse[sample]
            }
            guard sum != 0, own > 0, other > 0,
                abs(both) >= Self.leastCorrelation * (own * other).squareRoot()
            else { return nil }
            return abs(both / other.squareRoot() / sum)
        }
        guard let red = shares[0], let most = shares[1...].compactMap(\.self).max() else { return false }
        return most < Self.leastOfBlood * red
    }
}
