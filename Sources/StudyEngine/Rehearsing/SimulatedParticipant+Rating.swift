import Hashing
package import StudyModel

/// The hand of a simulated participant on the mark of a rating. It moves to a place, rests there for some seconds
/// and moves to another one, as people do who follow music.
struct SimulatedHand: Hashable, Sendable {
    private var random: SplitMix64
    /// Where it is going, and on which scale.
    private var goal: (scale: RatingScale, values: [Double])?

    /// How often it chooses a new place, on average, per second.
    private static let changesOfMind = 0.2
    /// How often it presses a key on its way, per second.
    private static let presses = 8.0

    init(seed: UInt64) { random = SplitMix64(seed: seed) }

    mutating func moved(on scale: RatingScale, from values: [Double]) -> [Double]? {
        if goal?.scale != scale || random.unit() < Self.changesOfMind / scale.rate {
            goal = (scale, scale.dimensions.map { $0.value(at: random.unit()) })
        }
        guard let goal, random.unit() < Self.presses / scale.rate else { return nil }
        var moved = values
        for (index, dimension) in scale.dimensions.enumerated() {
            let distance = goal.values[index] - values[index]
            guard abs(distance) >= dimension.step else { continue }
            // One key moves the mark along one dimension.
            moved[index] = dimension.value(near: values[index] + (distance < 0 ? -1 : 1) * dimension.step)
            return moved
        }
        return nil
    }

    static func == (left: Self, right: Self) -> Bool {
        left.random == right.random && left.goal?.scale == right.goal?.scale
            && left.goal?.values == right.goal?.values
    }

    func hash(into hasher: inout Hasher) { hasher.combine(random) }
}

extension SimulatedParticipant {
    /// Where it moves the mark when a sample of the rating is due; `nil` if it leaves the mark where it is.
    package mutating func rate(on scale: RatingScale, from values: [Double]) -> [Double]? {
        hand.moved(on: scale, from: values)
    }
}
