/// Tells beats from other waves by their heights and their sharpness, in about a minute of a lead.
///
/// How high beats are is known from the highest waves of two seconds each, five of which are compared, so that it is
/// learned anew every ten seconds: a late first beat, an artefact or a change of the lead is forgotten.
struct QRSJudge {
    let candidates: [QRSCandidate]
    /// The first sample that is decided on.
    let start: Int
    let rate: Double
    /// The candidates that are beats by height and sharpness alone.
    private(set) var plain: [Int] = []
    /// Those that are high enough, but T or P waves.
    private(set) var others: Set<Int> = []

    /// The usual height of beats, and of other waves.
    struct Level {
        var beat = 0.0
        var other = 0.0

        /// Where a height lies between the two.
        func share(_ height: Double) -> Double { (height - other) / max(beat - other, .leastNormalMagnitude) }
        /// How high other waves are, of beats.
        var noise: Double { other / max(beat, .leastNormalMagnitude) }
    }
    private var levels: [Int: Level] = [:]

    /// Beats are higher than this share of the way from other waves to beats.
    static let leastShare = 0.35
    /// No two beats are nearer than this, seconds.
    static let refractory = 0.2
    /// A wave this soon after a beat may be its T wave, and this soon before one its P wave; seconds.
    private static let repolarisation = 0.36
    private static let conduction = 0.25
    /// T and P waves bend less than this share of their beat.
    private static let bluntness = 0.5
    /// One of two seconds counts as a place where a beat must be.
    private static let place = 2.0

    init(_ candidates: [QRSCandidate], from start: Int, rate: Double) {
        (self.candidates, self.start, self.rate) = (candidates, start, rate)
        learnLevels()
        let high = candidates.indices.filter { isHigh($0) }
        let able = withSharper(high)
        plain = withoutBlunt(withoutFollowers(able))
        others = Set(high).subtracting(plain)
    }

    func level(_ place: Int) -> Level { levels[bin(candidates[place])] ?? Level() }

    /// Seconds from one candidate to another.
    func distance(_ first: Int, _ second: Int) -> Double {
        Double(candidates[second].index - candidates[first].index) / rate
    }

    /// Whether two waves cannot both be beats, because one is the other's T or P wave.
    func isPart(_ first: Int, _ second: Int) -> Bool {
        let (earlier, later) = (candidates[first].bend, candidates[second].bend)
        let distance = distance(first, second)
        return distance < Self.repolarisation && later < Self.bluntness * earlier
            || distance < Self.conduction && earlier < Self.bluntness * later
    }

    private func bin(_ candidate: QRSCandidate) -> Int {
        Int((Double(candidate.index - start) / (Self.place * rate)).rounded(.down))
    }

    private mutating func learnLevels() {
        let whole = candidates.filter { !$0.isStep }
        let bins = Dictionary(grouping: whole, by: bin).mapValues { $0.map(\.height) }
        guard let first = bins.keys.min(), let last = bins.keys.max() else { return }
        let highest = (first...last).map { bins[$0]?.max() ?? 0 }
        // A pause is not a new level.
        let least = 0.125 * (median(highest) ?? 0)
        for bin in first...last {
            let around = max(first, bin - 2)...min(last, bin + 2)
            let tops = around.map { highest[$0 - first] }.sorted()
            let beat = max(least, tops[tops.count / 2])
            let others = around.flatMap { bins[$0] ?? [] }.filter { $0 < 0.5 * beat }
            levels[bin] = Level(beat: beat, other: median(others) ?? 0)
        }
    }

    private func isHigh(_ place: Int) -> Bool {
        let candidate = candidates[place]
        return !candidate.isStep && level(place).share(candidate.height) > Self.leastShare
    }

    /// With the waves that are much sharper than a high one soon after them: beats before tall T waves.
    private func withSharper(_ high: [Int]) -> [Int] {
        let isHigh = Set(high)
        return candidates.indices.filter { place in
            guard !isHigh.contains(place) else { return true }
            guard !candidates[place].isStep, candidates[place].height > 0.25 * level(place).beat else {
                return false
            }
            let next = candidates.indices.dropFirst(place + 1).first { isHigh.contains($0) }
            guard let next, distance(place, next) < 0.42 else { return false }
            return candidates[place].bend > 1.4 * candidates[next].bend
        }
    }

    /// Without the T waves that most beats have at one distance, within the length of a T wave.
    ///
    /// They need not be much blunter than the beats if the time after them is longer than that before.
    private func withoutFollowers(_ able: [Int]) -> [Int] {
        let follower = able.indices.map { place -> Double? in
            guard place + 1 < able.count else { return nil }
            let (this, next) = (able[place], able[place + 1])
            let after = place + 2 < able.count ? distance(next, able[place + 2]) : 1
            let (distance, bend) = (distance(this, next), candidates[next].bend / candidates[this].bend)
            guard distance < Self.repolarisation else { return nil }
            return bend < 0.9 || bend < 1.6 && after > 1.4 * distance ? distance : nil
        }
        return able.indices.filter { place in
            guard place > 0, let distance = follower[place - 1] else { return true }
            let near = able.indices.clamped(to: place - 17..<place + 16).filter { $0 != place - 1 }
            let same = near.count { follower[$0].map { abs($0 - distance) < 0.11 } ?? false }
            let able = near.count { $0 == 0 || follower[$0 - 1] == nil }
            return same < 3 || Double(same) <= 0.6 * Double(able)
        }.map { able[$0] }
    }

    /// Without T and P waves that are blunt, and without the blunter of two that are too near.
    private func withoutBlunt(_ able: [Int]) -> [Int] {
        var kept: [Int] = []
        for (order, place) in able.enumerated() {
            if let last = kept.last {
                if distance(last, place) < Self.refractory {
                    if candidates[place].bend > candidates[last].bend { kept[kept.count - 1] = place }
                    continue
                }
                if candidates[place].bend < candidates[last].bend, isPart(last, place) { continue }
            }
            if order + 1 < able.count, candidates[place].bend < candidates[able[order + 1]].bend,
                isPart(place, able[order + 1])
            {
                continue
            }
            kept.append(place)
        }
        return kept
    }
}
