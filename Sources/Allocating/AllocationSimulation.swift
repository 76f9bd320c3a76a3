import Hashing
import StudyModel

/// Simulates many studies of one design: how balanced the arms are, and how often a guess of the next arm is right.
///
/// The guess is that of somebody who knows the design, and the arm and the answers of everybody so far, but not the
/// secret: no other guess is right more often.
package struct AllocationSimulation: Sendable {
    package let participants: Int
    package let trials: Int
    /// The share of right guesses, 0...1.
    package private(set) var guessed = 0.0
    /// How many participants of a study found no slot for them in the list, on average.
    package private(set) var withoutSlot = 0.0
    /// The largest minus the smallest number of participants of an arm at the end, scaled to a ratio of 1.
    package private(set) var spread = Spread()
    /// The spread among the participants with one level of one factor.
    package private(set) var spreadInLevels = Spread()

    /// The mean and the extremes over all trials.
    package struct Spread: Hashable, Sendable {
        package fileprivate(set) var largest = 0.0
        fileprivate var sum = 0.0
        fileprivate var count = 0
        package var mean: Double { count == 0 ? 0 : sum / Double(count) }

        fileprivate mutating func add(_ spread: Double) {
            largest = max(largest, spread)
            sum += spread
            count += 1
        }
    }

    /// - Parameters:
    ///   - levels: the levels of each factor, equally frequent.
    ///   - seed: another seed gives other studies.
    ///   - list: the slots, if the design's method is a list.
    package init(
        _ design: AllocationDesign, levels: [[String]], participants: Int, trials: Int, seed: UInt64,
        list: AllocationList? = nil
    ) {
        (self.participants, self.trials) = (participants, trials)
        for trial in 1...trials {
            let secret = SHA256.digest(of: Array("entrain-simulation\n\(seed)\n\(trial)".utf8))
            simulate(AllocationCourse(design, secret: secret, list: list), design, levels, secret)
        }
        guessed /= max(1, Double(participants * trials) - withoutSlot)
        withoutSlot /= Double(trials)
    }

    private mutating func simulate(
        _ course: AllocationCourse, _ design: AllocationDesign, _ levels: [[String]], _ secret: [UInt8]
    ) {
        var course = course
        var guess = InformedGuess(design)
        var all = Counts(design)
        var inLevels = levels.map { _ in [String: Counts]() }
        for participant in 1...participants {
            var draws = AllocationDraws(secret, study: "simulated-levels", slot: participant, levels: [])
            let own = levels.map { $0[draws.index(below: $0.count)] }
            guard let arm = course.next(own) else {
                withoutSlot += 1
                continue
            }
            course.record(own, in: arm)
            guessed += guess.chanceOfBeingRight(own, arm)
            guess.see(own, in: arm)
            all.add(arm)
            for (factor, level) in own.enumerated() {
                inLevels[factor][level, default: Counts(design)].add(arm)
            }
        }
        spread.add(all.spread)
        for counts in inLevels.flatMap(\.values) { spreadInLevels.add(counts.spread) }
    }

    /// The participants of each arm.
    private struct Counts {
        private let arms: [AllocationDesign.Arm]
        private var numbers: [Int]

        init(_ design: AllocationDesign) {
            arms = design.arms
            numbers = Array(repeating: 0, count: arms.count)
        }

        private var shares: [Double] { zip(numbers, arms).map { Double($0) / Double($1.ratio) } }

        var spread: Double { (shares.max() ?? 0) - (shares.min() ?? 0) }

        mutating func add(_ arm: Identifier) {
            for place in arms.indices where arms[place].identifier == arm { numbers[place] += 1 }
        }
    }
}
