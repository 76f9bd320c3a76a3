/// Waveforms of a simulated body, made from its beats and its breaths, the same to the bit on every machine.
package struct SimulatedBody: Sendable {
    /// A beat before this moment would have been known, seconds.
    private static let patience = 2.5

    /// The last two beats, seconds since the beginning.
    private var beats: (before: Double, last: Double)?
    private var breaths: [Double] = []
    /// How many breaths are forgotten.
    private var forgotten = 0

    package init() {}

    /// Takes what happened in the last second or so.
    ///
    /// - Parameters:
    ///   - breaths: the chest's position, `SimulatedHeart.stepsPerSecond` times a second, −1 … 1.
    package mutating func breathe(_ breaths: [Double]) {
        self.breaths += breaths
        let surplus = max(0, self.breaths.count - 1024)
        self.breaths.removeFirst(surplus)
        forgotten += surplus
    }

    /// The chest's position at a moment, −1 … 1.
    package func breath(at time: Double) -> Double {
        let place = Int(time * SimulatedHeart.stepsPerSecond) - forgotten
        return breaths.indices.contains(place) ? breaths[place] : breaths.last ?? 0
    }

    /// How the heart was from a moment on: the stretches of time that are known by now, each with the beats at its ends,
    /// or without beats if none were detected.
    package mutating func stretches(
        after intervals: [Double], until now: Double
    ) -> [(end: Double, beats: ClosedRange<Double>?)] {
        var known: [(end: Double, beats: ClosedRange<Double>?)] = []
        let missing = intervals.reduce(0, +)
        if beats.map({ now - $0.last > missing + Self.patience }) ?? true {
            let start = max(0, now - missing)
            beats = intervals.isEmpty ? nil : (start, start)
            known.append((intervals.isEmpty ? now : start, nil))
        }
        for interval in intervals {
            guard let last = beats?.last else { break }
            let end = min(last + interval, now)
            known.append((end, last...max(last, end)))
            beats = (last, end)
        }
        return known
    }

    /// Microvolts of an ECG between two beats.
    ///
    /// The height of the R wave follows the breath by a tenth, as it does when the chest moves the electrodes.
    package func ecg(at time: Double, between beats: ClosedRange<Double>) -> Double {
        let (first, second) = (time - beats.lowerBound, time - beats.upperBound)
        let length = beats.upperBound - beats.lowerBound
        let height = 1 + 0.1 * breath(at: time)
        let early = 1000 * height * Self.bump(first / 0.012) - 180 * Self.bump((first - 0.032) / 0.012)
        let tail = 260 * Self.bump((first - 0.32 * (0.4 + 0.6 * length)) / 0.06)
        let late =
            1000 * height * Self.bump(second / 0.012) - 120 * Self.bump((second + 0.028) / 0.01)
            + 110 * Self.bump((second + 0.16) / 0.03)
        return (early + tail + late).rounded()
    }

    /// Blood volume between two beats, in units of its own: a fast rise, a slow fall and a second wave.
    package func ppg(at time: Double, between beats: ClosedRange<Double>) -> Double {
        let length = max(beats.upperBound - beats.lowerBound, 0.2)
        let phase = (time - beats.lowerBound) / length
        let height = Self.bump((phase - 0.25) / 0.18) + 0.35 * Self.bump((phase - 0.62) / 0.16)
        return (10_000 * (1 + 0.1 * breath(at: time)) * height).rounded()
    }

    /// A smooth hill of height 1 and about this half width.
    private static func bump(_ x: Double) -> Double {
        let fall = 1 / (1 + x * x)
        return fall * fall
    }
}
