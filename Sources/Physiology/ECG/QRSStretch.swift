/// Finds the beats in a stretch of ECG that has no gap.
struct QRSStretch {
    /// A wave that may be a beat.
    private struct Wave {
        /// Samples since the stretch began, with the delay of the energy.
        var index: Int
        /// Its energy.
        var height: Double
        /// The steepest slopes upwards and downwards, both positive.
        var rise: Double
        var fall: Double

        var steepness: Double { max(rise, fall) }
        /// Whether the signal only moves to another level, as electrodes do.
        var isStep: Bool { min(rise, fall) < QRSStretch.leastReturn * max(rise, fall) }
    }

    private let rate: Double
    private var wave: QRSWave
    private var levels: QRSLevels?
    /// Waves before the levels are known.
    private var early: [Wave] = []
    /// Waves since the last beat that were not taken for one.
    private var passed: [Wave] = []
    private var last: Wave?
    /// Recent intervals between beats, samples.
    private var intervals: [Int] = []
    private var polarity = QRSPolarity()

    /// The highest local maximum of the energy that nothing has exceeded yet.
    private var top: (index: Int, height: Double)?
    private var energies = (before: 0.0, latest: 0.0)
    private var count = 0

    /// No two beats are nearer than this, seconds.
    static let refractory = 0.2
    /// A wave this soon after a beat may be its T wave, seconds.
    private static let repolarisation = 0.36
    /// T waves are less steep than this share of their beat.
    private static let leastSteepness = 0.5
    /// A beat goes up and comes down: the weaker slope is at least this share of the steeper one.
    private static let leastReturn = 0.125
    /// After this many usual intervals without a beat, weaker waves count.
    private static let patience = 1.5
    /// The share of the threshold that they must reach.
    private static let weakShare = 0.5
    /// Levels are learned for so long, and anew if no beat came for so long; seconds.
    static let learning = 3.0
    private static let longestSilence = 4.0
    /// Anew, but never below this share of the height of the beats before.
    private static let leastHeight = 0.125

    /// - Parameters:
    ///   - rate: samples per second.
    ///   - first: the first sample, which must also be appended.
    init(rate: Double, first: Double) {
        self.rate = rate
        wave = QRSWave(rate: rate, first: first, memory: 1 + Self.longestSilence)
    }

    private func samples(_ seconds: Double) -> Int { Int((seconds * rate).rounded()) }

    /// Takes a sample.
    ///
    /// - Returns: beats, ascending, in samples since the stretch began.
    mutating func append(_ sample: Double) -> [Double] {
        let energy = wave.energy(with: sample)
        defer {
            energies = (energies.latest, energy)
            count += 1
        }
        if energies.latest > energies.before, energies.latest >= energy, energies.latest > (top?.height ?? 0)
        {
            top = (count - 1, energies.latest)
        }
        var found: [Double] = []
        if let top, count - top.index >= samples(Self.refractory) {
            self.top = nil
            found += take(measured(top.index, top.height))
        }
        if levels == nil, count >= samples(Self.learning) { found += learn() }
        return found
    }

    /// The beats that were not certain yet, because the stretch ends here.
    mutating func finish() -> [Double] {
        var found: [Double] = []
        if let top {
            self.top = nil
            found += take(measured(top.index, top.height))
        }
        if levels == nil { found += learn() }
        return found
    }

    private func measured(_ index: Int, _ height: Double) -> Wave {
        let middle = index - Int(wave.energyDelay - wave.smoothDelay)
        let reach = samples(0.1)
        var (rise, fall) = (0.0, 0.0)
        for place in wave.slope.indices.clamped(to: middle - reach..<middle + reach + 1) {
            rise = max(rise, wave.slope[place])
            fall = max(fall, -wave.slope[place])
        }
        return Wave(index: index, height: height, rise: rise, fall: fall)
    }

    /// Learns the levels from the highest wave of each second, then judges the waves so far.
    private mutating func learn() -> [Double] {
        let whole = early.filter { !$0.isStep }
        let highest = Dictionary(grouping: whole) { $0.index / max(1, samples(1)) }.values
            .compactMap { $0.map(\.height).max() }
        guard let middle = median(highest), middle > 0 else {
            early = []
            return []
        }
        levels = QRSLevels(beats: [middle])
        defer { early = [] }
        return early.flatMap { take($0) }
    }

    private mutating func take(_ next: Wave) -> [Double] {
        guard levels != nil else {
            early.append(next)
            return []
        }
        var found = missed(before: next)
        if isBeat(next, above: levels?.threshold ?? .infinity) {
            found.append(accept(next))
        } else {
            levels?.add(other: next.height)
            passed.append(next)
        }
        return found
    }

    private func isBeat(_ next: Wave, above threshold: Double) -> Bool {
        guard next.height > threshold, !next.isStep else { return false }
        guard let last else { return true }
        let distance = next.index - last.index
        guard distance >= samples(Self.refractory) else { return false }
        return distance >= samples(Self.repolarisation)
            || next.steepness >= Self.leastSteepness * last.steepness
    }

    /// Searches back for beats that were too weak, if the next wave comes late.
    private mutating func missed(before next: Wave) -> [Double] {
        var found: [Double] = []
        while let levels, let last {
            let usual = Double(intervals.isEmpty ? samples(1) : intervals.sorted()[intervals.count / 2])
            guard Double(next.index - last.index) > Self.patience * usual else { break }
            let able = passed.filter {
                isBeat($0, above: Self.weakShare * levels.threshold)
                    && $0.index - last.index >= samples(Self.repolarisation)
                    && next.index - $0.index < samples(Self.longestSilence)
            }
            guard let best = able.max(by: { $0.height < $1.height }) else { break }
            let later = passed.filter { $0.index > best.index }
            found.append(accept(best))
            passed = later
        }
        if let levels, next.index - (last?.index ?? 0) > samples(Self.longestSilence) {
            let heights = passed.filter { !$0.isStep }.suffix(8).map(\.height).sorted()
            if let high = heights.dropFirst(heights.count / 2).first {
                self.levels = QRSLevels(beats: [max(high, Self.leastHeight * levels.beat)])
            }
            passed = []
        }
        return found
    }

    private mutating func accept(_ beat: Wave) -> Double {
        if let last {
            intervals.append(beat.index - last.index)
            if intervals.count > 8 { intervals.removeFirst() }
        }
        levels?.add(beat: beat.height)
        passed = []
        last = beat
        let middle = beat.index - Int(wave.energyDelay - wave.smoothDelay)
        return polarity.peak(in: wave.smooth, near: middle, reach: samples(0.1)) - wave.smoothDelay
    }
}
