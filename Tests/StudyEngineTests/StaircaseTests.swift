import Hashing
import StudyModel
import Testing

@testable import StudyEngine

/// Blocks whose rounds go up and down a ladder.
@Suite struct StaircaseTests {
    /// The values of nine rungs.
    static let values = [24.0, 16, 12, 8, 6, 4, 3, 2, 1]

    static func staircase(
        down: Int = 2, up: Int = 1, steps: [Int] = [1], reversals: Int? = nil, most: Int = 60,
        start: Int = 1
    ) -> Staircase {
        var staircase = Staircase(
            question: "which", column: "difference", values: values, down: down, up: up, steps: steps,
            reversals: reversals, mostTrials: most)
        staircase.tracks = [.init(start: start)]
        staircase.turns = Array(repeating: 0, count: most)
        return staircase
    }

    private static func course(_ staircase: Staircase, _ answers: String) -> Staircase.Course {
        var course = Staircase.Course(staircase)
        for answer in answers { course.take(isRight: answer == "+") }
        return course
    }

    // Worked by hand from the rules of Levitt (1971, table I): the rung of each trial, and R where it turns.
    @Test(arguments: [
        // Two right, one wrong. The count of right answers begins anew after each change and each wrong answer.
        (2, 1, [1], 1, "++++-+++-++--+", "1 1 2 2 3R 2 2R 3 3R 2 2R 3R 2 1"),
        (2, 1, [1], 3, "+-+-++-", "3 3 2 2 1 1R 2R"),
        // One right, one wrong; three right, one wrong.
        (1, 1, [1], 1, "+++-+--", "1 2 3 4R 3R 4R 3"),
        (3, 1, [1], 2, "++++++-+++", "2 2 2 3 3 3 4R 3 3 3R"),
        (1, 2, [1], 2, "+--+--", "2 3 3R 2R 3 3R"),
        // The step after each reversal counts from its own change on; the last one stays.
        (2, 1, [3, 2, 1], 1, "++++-++-", "1 1 4 4 7R 5 5R 6R"),
        // A move that would lead beyond an end leads to the end.
        (2, 1, [4], 7, "++-", "7 7 9R"),
    ])
    func `moves as worked out by hand`(
        down: Int, up: Int, steps: [Int], start: Int, answers: String, expected: String
    ) {
        let course = Self.course(
            Self.staircase(down: down, up: up, steps: steps, start: start), answers)
        let words = course.trials.map { "\($0.rung + 1)\($0.isReversal ? "R" : "")" }
        #expect(words.joined(separator: " ") == expected)
    }

    @Test func `stays at an end, and says so`() {
        let low = Self.course(Self.staircase(), "--++-")
        #expect(low.trials.map(\.isAtEnd) == [true, true, false, false, false])
        #expect(low.trials.map(\.isReversal) == [false, false, false, false, true], "an end is no reversal")
        let high = Self.course(Self.staircase(start: 9), "++++-")
        #expect(high.trials.map(\.rung) == [8, 8, 8, 8, 8] && high.next == 7)
        #expect(high.trials.map(\.isAtEnd) == [false, true, false, true, false])
        #expect(high.trials.map(\.isReversal).allSatisfy { !$0 })
    }

    @Test func `is done after its reversals, and after so many trials in any case`() {
        let done = Self.course(Self.staircase(down: 1, reversals: 3), "++-+-+-+")
        #expect(done.trials.count == 5 && done.next == nil)
        #expect(done.lastReversals(2) == [16, 12] && done.lastReversals(4) == nil)
        let bounded = Self.course(Self.staircase(reversals: 3, most: 4), "+++++++")
        #expect(bounded.trials.count == 4 && bounded.next == nil && bounded.lastReversals(2) == nil)
    }

    @Test func `tracks take turns, and a finished one leaves its turns to the others`() {
        var staircase = Self.staircase(down: 1, reversals: 1, most: 4)
        staircase.tracks = [.init("a"), .init("b", start: 5)]
        staircase.turns = [1, 0, 0, 1, 0, 1, 1, 0]
        var course = Staircase.Course(staircase)
        // b turns at once; a goes on to its fourth trial.
        for isRight in [true, true, true, false, true, true] { course.take(isRight: isRight) }
        #expect(course.trials.map(\.track) == [1, 0, 0, 1, 0, 0])
        #expect(course.trials.map(\.rung) == [4, 0, 1, 5, 2, 3] && course.next == nil)
        #expect(course.lastReversals(1, of: "b") == [4] && course.lastReversals(1) == nil)
    }

    /// Worked out anew for each trial from the whole sequence before it, without any state.
    private static func rung(
        after answers: [Bool], _ staircase: Staircase
    ) -> (rung: Int, reversals: [Int]) {
        var (rung, begin, moves, reversals) = (0, 0, [Bool](), [Int]())
        for last in answers.indices {
            let since = answers[begin...last]
            let run = since.reversed().prefix { $0 == answers[last] }.count
            guard run == (answers[last] ? staircase.down : staircase.up) else { continue }
            begin = last + 1
            let wanted = answers[last] ? 1 : -1
            guard staircase.values.indices.contains(rung + wanted) else { continue }
            if let before = moves.last, before != answers[last] { reversals.append(last) }
            moves.append(answers[last])
            let size =
                reversals.count < staircase.steps.count
                ? staircase.steps[reversals.count] : staircase.steps.last
            for _ in 0..<(size ?? 1) where staircase.values.indices.contains(rung + wanted) { rung += wanted }
        }
        return (rung, reversals)
    }

    @Test(arguments: 0..<200)
    func `agrees with a second way to work it out`(seed: UInt64) {
        var random = SplitMix64(seed: seed)
        let steps = (0...random.index(below: 3)).map { _ in 1 + random.index(below: 3) }
        let staircase = Self.staircase(
            down: 1 + random.index(below: 3), up: 1 + random.index(below: 2), steps: steps)
        var answers: [Bool] = []
        var course = Staircase.Course(staircase)
        for _ in 0..<60 {
            let known = Self.rung(after: answers, staircase)
            #expect(course.next == known.rung)
            answers.append(random.index(below: 10) < 6)
            course.take(isRight: answers[answers.count - 1])
        }
        let reversals = course.trials.indices.filter { course.trials[$0].isReversal }
        #expect(reversals == Self.rung(after: answers, staircase).reversals && !reversals.isEmpty)
    }
}

/// What a staircase of two right and one wrong measures, and what theory says of it.
@Suite struct StaircaseTheoryTests {
    private static let values = (0...30).map { 30 - Double($0) }

    /// How probable a right answer is at a value: a Weibull function with a guess of one in two.
    private static func right(_ value: Double) -> Double {
        let share = value / 12
        return 0.5 + 0.5 * (1 - 1 / (1 + share * share * share))
    }

    /// The mean value at reversals in the long run, from the chain of rung, right answers so far and last direction.
    private static var expected: Double {
        let size = values.count
        // The places of a state: rung, whether one answer was right, whether the last change was down.
        let place = { (rung: Int, one: Int, down: Int) in rung * 4 + one * 2 + down }
        var chance = [Double](repeating: 1 / Double(size * 4), count: size * 4)
        var (sum, weight) = (0.0, 0.0)
        for step in 0..<4_000 {
            var next = [Double](repeating: 0, count: chance.count)
            (sum, weight) = (0, 0)
            for rung in 0..<size {
                for (one, down) in [(0, 0), (0, 1), (1, 0), (1, 1)] {
                    let here = chance[place(rung, one, down)]
                    let right = here * Self.right(values[rung])
                    if one == 0 {
                        next[place(rung, 1, down)] += right
                    } else {
                        if down == 0, rung + 1 < size {
                            (sum, weight) = (sum + right * values[rung], weight + right)
                        }
                        next[place(min(size - 1, rung + 1), 0, rung + 1 < size ? 1 : down)] += right
                    }
                    let wrong = here - right
                    if down == 1, rung > 0 { (sum, weight) = (sum + wrong * values[rung], weight + wrong) }
                    next[place(max(0, rung - 1), 0, rung > 0 ? 0 : down)] += wrong
                }
            }
            // The mean with the state before removes the period of the chain.
            chance = step % 2 == 0 ? next : zip(chance, next).map { ($0 + $1) / 2 }
        }
        return sum / weight
    }

    /// The estimates of 500 observers.
    private static func estimates(
        steps: [Int], reversals: Int, last: Int, start: Int
    ) throws -> (mean: Double, error: Double) {
        var estimates: [Double] = []
        for observer in 0..<500 {
            var staircase = Staircase(
                question: "q", column: "v", values: values, steps: steps, reversals: reversals,
                mostTrials: 2_000)
            staircase.tracks = [.init(start: start)]
            staircase.turns = Array(repeating: 0, count: 2_000)
            var (course, random) = (Staircase.Course(staircase), SplitMix64(seed: UInt64(observer)))
            while let rung = course.next { course.take(isRight: random.unit() < right(values[rung])) }
            let counted = try #require(course.lastReversals(last))
            estimates.append(counted.reduce(0, +) / Double(last))
        }
        let mean = estimates.reduce(0, +) / 500
        let variance = estimates.reduce(0) { $0 + ($1 - mean) * ($1 - mean) } / 499
        return (mean, (variance / 500).squareRoot())
    }

    @Test func `500 observers are measured where theory says: at 70.7 % right`() throws {
        let (mean, error) = try Self.estimates(steps: [1], reversals: 120, last: 100, start: 20)
        let expected = Self.expected
        #expect(abs(mean - expected) < 3 * error, "\(mean) ± \(error), expected \(expected)")
        #expect(error < 0.05 && abs(Self.right(expected) - 0.5.squareRoot()) < 0.003)
    }

    @Test func `short tracks from far away end near it, too`() throws {
        let (mean, error) = try Self.estimates(steps: [4, 2, 1], reversals: 20, last: 14, start: 1)
        #expect(abs(Self.right(mean) - 0.5.squareRoot()) < 0.03, "\(mean) ± \(error)")
    }
}
