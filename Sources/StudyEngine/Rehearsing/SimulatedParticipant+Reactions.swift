import Hashing
package import StudyModel

extension SimulatedParticipant {
    /// Which key it presses in a step, and how long after the onset; `nil` if it presses none.
    ///
    /// Its times have a tail to the right, as people's have (Luce 1986). With one key the mean is about 0.28 s, with
    /// several 0.5 s. It misses one in forty, and takes a wrong key in one of twenty, or in a staircase as its rung decides.
    /// Where no key is right, it presses one in one of twenty.
    package mutating func reaction(in entry: RunPlan.Entry) -> (key: String, time: Duration)? {
        let step = entry.step
        guard let keys = step.active?.reaction?.keys, !keys.isEmpty else { return nil }
        let hasChoice = keys.count > 1
        let normal = (0..<12).reduce(-6.0) { sum, _ in sum + reactionRandom.unit() }
        let chance = reactionRandom.unit()
        let tail = 4 * chance * chance * chance
        let (mean, deviation, slow) = hasChoice ? (0.38, 0.04, 0.12) : (0.22, 0.025, 0.06)
        let seconds = max(0.12, mean + deviation * normal + slow * tail)
        let (isMissed, slips) = (reactionRandom.index(below: 40) == 0, reactionRandom.index(below: 20) == 0)
        let drawn = reactionRandom.index(below: keys.count)
        let time = Duration.seconds((seconds * 1_000).rounded() / 1_000)
        if let told = answers[step.identifier] {
            return keys.first { told == .choice($0.value) }.map { ($0.name, time) }
        }
        guard !isMissed else { return nil }
        guard let right = step.right[step.identifier] else { return (keys[drawn].name, time) }
        let isWrong = isRight(step.identifier, in: entry).map { !$0 } ?? slips
        if right == .noKey { return isWrong ? (keys[drawn].name, time) : nil }
        let fitting = keys.filter { key in (right.isRight(.choice(key.value)) == true) != isWrong }
        return ((fitting.first ?? keys[drawn]).name, time)
    }
}
