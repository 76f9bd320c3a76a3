import Glibc

/// The beats: of all chains of waves, the one that is worth most.
///
/// A wave is worth more if it is high, by as much as the lead is quiet, and if it looks like the beats of its lead. A
/// chain is worth less for each interval that is unlike the usual one. In a clean lead the first decides, so that early
/// and odd beats stay; in noise the others do.
struct QRSChain {
    private let judge: QRSJudge
    private let likeness: [Double?]
    /// The candidates that are beats.
    private(set) var beats: [Int] = []

    /// Further back, the beat before does not matter; seconds.
    private static let reach = 3.0
    /// What an interval can cost, and by how much it is longer or shorter then, as a logarithm.
    private static let irregularity = 0.6
    private static let irregular = 0.35
    /// The likeness that counts neither for nor against a beat.
    private static let alike = 0.7

    /// - Parameters:
    ///   - likeness: of each candidate with the beats of its lead, -1...1; `nil` if it has been decided on.
    ///   - last: the last beat that was decided on.
    init(_ judge: QRSJudge, likeness: [Double?], after last: Int?) {
        (self.judge, self.likeness) = (judge, likeness)
        guard judge.plain.count > 2 else {
            beats = judge.plain.filter { judge.candidates[$0].index >= judge.start }
            return
        }
        beats = best(after: last)
    }

    private func best(after last: Int?) -> [Int] {
        let able = judge.candidates.indices.filter { isAble($0, after: last) }
        let usual = usualIntervals(at: able)
        var worth = [Double](repeating: 0, count: able.count)
        var before = [Int?](repeating: nil, count: able.count)
        // The best chain that ends out of reach.
        var (far, next) = (nil as Int?, 0)
        for place in able.indices {
            while judge.distance(able[next], able[place]) > Self.reach {
                if far.map({ worth[next] > worth[$0] }) ?? true { far = next }
                next += 1
            }
            var value = 0.0
            if let far, worth[far] - Self.irregularity > value {
                (value, before[place]) = (worth[far] - Self.irregularity, far)
            }
            for other in next..<place {
                let distance = judge.distance(able[other], able[place])
                guard distance >= QRSJudge.refractory, !judge.isPart(able[other], able[place]) else {
                    continue
                }
                let chain = worth[other] - Self.cost(distance / usual[place])
                if chain > value { (value, before[place]) = (chain, other) }
            }
            if before[place] == nil, let last {
                let distance = Double(judge.candidates[able[place]].index - last) / judge.rate
                value = -Self.cost(distance / usual[place])
            }
            worth[place] = self.worth(able[place]) + value
        }
        var chain: [Int] = []
        var end = able.indices.max { worth[$0] < worth[$1] }.flatMap { worth[$0] > 0 ? $0 : nil }
        while let place = end {
            chain.append(able[place])
            end = before[place]
        }
        return chain.reversed()
    }

    private func isAble(_ place: Int, after last: Int?) -> Bool {
        let candidate = judge.candidates[place]
        guard candidate.index >= judge.start, !candidate.isStep, !judge.others.contains(place) else {
            return false
        }
        if let last, Double(candidate.index - last) < QRSJudge.refractory * judge.rate { return false }
        let level = judge.level(place)
        return candidate.height > 0.1 * level.beat && level.share(candidate.height) > 0
    }

    /// What a wave is worth by itself.
    private func worth(_ place: Int) -> Double {
        let level = judge.level(place)
        let least = min(QRSJudge.leastShare, 0.18 + 0.6 * level.noise)
        let above = level.share(judge.candidates[place].height) - least
        let form = ((likeness[place] ?? Self.alike) - Self.alike) / 0.2
        return min(1, max(-1, above / 0.65)) / (level.noise + 0.15) + min(0.5, max(-1.2, form))
    }

    /// The median interval around each candidate, by the beats of the judge.
    private func usualIntervals(at able: [Int]) -> [Double] {
        let gaps = zip(judge.plain, judge.plain.dropFirst()).map(judge.distance)
        var (low, cached) = (0, [Int: Double]())
        return able.map { place in
            while low < judge.plain.count - 2, judge.plain[low + 1] < place { low += 1 }
            if let known = cached[low] { return known }
            let usual = median(Array(gaps[gaps.indices.clamped(to: low - 6..<low + 7)])) ?? 1
            cached[low] = usual
            return usual
        }
    }

    private static func cost(_ ratio: Double) -> Double {
        let unlike = log(ratio) / irregular
        return irregularity * min(1, unlike * unlike)
    }

    /// How far the beats of a segment can be believed, 0...1: the likeness that four of five reach, less by how high
    /// the waves between them are. T waves that were told from beats do not count as such.
    func quality(of beats: [Int], among all: [Int], alike: [Double]) -> Double {
        let alike = alike.sorted()
        guard let usual = median(beats.map { judge.candidates[$0].height }), usual > 0 else { return 0 }
        let found = Set(beats)
        let others = all.filter { !found.contains($0) && !judge.others.contains($0) }
        let noise =
            others.isEmpty
            ? 0 : others.map { judge.candidates[$0].height }.reduce(0, +) / Double(others.count)
        return max(0, alike[alike.count / 5]) * max(0, 1 - noise / usual)
    }
}
