import Glibc
import Participants
import Physiology
package import Statistics
import StudyModel

/// How alike the heart rates of participants were who took part in one run, over one clip or step: the inter-subject
/// correlation, with that of participants of different runs as its control.
///
/// Pearson's r of two participants is worked out from their rates second by second. It is averaged after Fisher's
/// transformation: first in each run, then over the runs. What a clip does to everybody makes participants of
/// different runs alike, too. Only what is above that comes from being together.
package struct HeartsTogether: Sendable {
    /// The clip, or the step if it plays none.
    package var name: String
    package var isClip: Bool
    /// How many runs of several participants there are.
    package var runs: Int
    /// How many pairs of participants of the same run.
    package var pairs: Int
    /// The mean r of participants of the same run, -1...1.
    package var together: Double
    /// The 95 % interval of that mean over the runs; `nil` for one run.
    package var interval: ClosedRange<Double>?
    /// How many pairs of participants of different runs.
    package var pairsApart: Int
    /// Their mean r; `nil` without such a pair.
    package var apart: Double?
    /// Sign flips of each run's difference between together and apart, after Fisher's transformation; `nil` without
    /// a pair apart, or for one run.
    package var difference: PairedDifference?
    /// The runs of both participants, by their place in the order of their UUIDs, and Pearson's r.
    private(set) var correlations: [(first: Int, second: Int, r: Double)] = []

    /// Two participants are compared if the rates of both are known in as many seconds.
    package static let fewestSeconds = 30

    /// - Parameter shared: the steps of all who took part in a run of several.
    static func all(
        of shared: [SharedStep], drawnFlips: Int, using random: inout some RandomNumberGenerator
    ) -> [HeartsTogether] {
        Dictionary(grouping: shared, by: \.key).sorted { $0.key < $1.key }.compactMap { key, steps in
            HeartsTogether(key, steps, drawnFlips, &random)
        }
    }

    private init?(
        _ key: SharedStep.Key, _ steps: [SharedStep], _ drawnFlips: Int,
        _ random: inout some RandomNumberGenerator
    ) {
        let inOrder = steps.sorted {
            ($0.gathering, $0.run, $0.occasion) < ($1.gathering, $1.run, $1.occasion)
        }
        var together: [String: [Double]] = [:]
        var apart: [String: [Double]] = [:]
        var pairsApart = 0
        let numbers = Dictionary(
            uniqueKeysWithValues: Set(steps.map(\.gathering)).sorted().enumerated().map { ($1, $0 + 1) })
        for (place, first) in inOrder.enumerated() {
            for second in inOrder[(place + 1)...] {
                guard first.run != second.run, first.occasion == second.occasion,
                    first.participant != second.participant,
                    let r = Self.correlation(first.rates, second.rates)
                else { continue }
                correlations.append(
                    (numbers[first.gathering, default: 0], numbers[second.gathering, default: 0], r))
                let z = Self.transformed(r)
                if first.gathering == second.gathering {
                    together[first.gathering, default: []].append(z)
                } else {
                    pairsApart += 1
                    apart[first.gathering, default: []].append(z)
                    apart[second.gathering, default: []].append(z)
                }
            }
        }
        let gatherings = together.keys.sorted()
        guard !gatherings.isEmpty else { return nil }
        (name, isClip) = (key.name, key.isClip)
        (runs, pairs, self.pairsApart) = (
            gatherings.count, together.values.reduce(0) { $0 + $1.count }, pairsApart
        )
        let means = gatherings.map { together[$0, default: []].mean }
        self.together = tanh(means.mean)
        if means.count > 1 {
            let half =
                StudentT(degrees: means.count - 1).quantile(0.975) * standardDeviation(means)
                / Double(means.count).squareRoot()
            interval = tanh(means.mean - half)...tanh(means.mean + half)
        }
        guard pairsApart > 0 else { return }
        // Each pair stands there twice, once for the run of each.
        self.apart = tanh(apart.values.flatMap(\.self).mean)
        let differences = zip(gatherings, means).compactMap { gathering, mean in
            apart[gathering].map { mean - $0.mean }
        }
        guard differences.count > 1 else { return }
        difference = PairedDifference(differences, drawnFlips: drawnFlips, using: &random)
    }

    /// Pearson's r of the seconds in which both are known; `nil` if there are too few, or if one does not vary.
    static func correlation(_ first: [Double?], _ second: [Double?]) -> Double? {
        let both = zip(first, second).compactMap { pair in
            pair.0.flatMap { left in pair.1.map { (left, $0) } }
        }
        guard both.count >= fewestSeconds else { return nil }
        let centre = (both.map(\.0).mean, both.map(\.1).mean)
        var (left, right, product) = (0.0, 0.0, 0.0)
        for pair in both {
            let (x, y) = (pair.0 - centre.0, pair.1 - centre.1)
            (left, right, product) = (left + x * x, right + y * y, product + x * y)
        }
        guard left > 0, right > 0 else { return nil }
        return product / (left * right).squareRoot()
    }

    /// Fisher's transformation, of an r that is not quite 1.
    private static func transformed(_ r: Double) -> Double {
        atanh(max(-0.999_999, min(r, 0.999_999)))
    }
}

/// A participant's heart rate over a step, for a comparison with those who took part in the same run.
struct SharedStep: Sendable {
    var participant: String
    var run: String
    /// The UUID of all who took part at once.
    var gathering: String
    var key: Key
    /// How often the same clip or step had come in the run, from 1.
    var occasion: Int
    /// Beats per minute, one for each whole second; `nil` where it is not known.
    var rates: [Double?]

    /// What was heard or done.
    struct Key: Hashable, Comparable {
        var name: String
        var isClip: Bool

        /// Steps before clips, and then by name.
        static func < (left: Key, right: Key) -> Bool {
            left.isClip == right.isClip ? left.name < right.name : !left.isClip
        }
    }

    /// All steps of a run that were not left early, and in which a heart rate is known; none if the participant was
    /// alone.
    static func all(of run: RecordedRun) -> [SharedStep] {
        guard let gathering = run.session.gathering else { return [] }
        var occasions: [Key: Int] = [:]
        return run.steps.compactMap { step in
            guard !step.isSkipped, !step.isReplaced else { return nil }
            let key = Key(name: step.stimulus ?? step.name, isClip: step.stimulus != nil)
            occasions[key, default: 0] += 1
            let start = step.onset ?? step.start
            let rates = HeartRateCourse.rates(
                of: step.measured(until: .infinity), in: start...max(start, step.end))
            guard rates.count(where: { $0 != nil }) >= HeartsTogether.fewestSeconds else { return nil }
            return SharedStep(
                participant: run.session.participant, run: run.session.run, gathering: gathering, key: key,
                occasion: occasions[key, default: 1], rates: rates)
        }
    }
}
