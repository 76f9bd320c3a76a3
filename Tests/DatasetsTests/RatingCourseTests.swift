import Physiology
import Testing

@testable import Analysing
@testable import Datasets

/// Ratings over the time line of a clip.
@Suite struct RatingCourseTests {
    /// A clip from 10 s to 14 s, and where the mark was since when.
    private static func step(_ marks: [(Double, Double)], clip: String = "calm") -> RecordedRun.Step {
        var step = RecordedRun.Step(
            name: "listen", visit: 1, stimulus: clip, isSkipped: false, onset: 10, end: 14)
        step.marks = ["tension": marks.map { ($0.0, $0.1) }]
        return step
    }

    @Test func `the mark holds its place until it is moved, and a second has the mean of its places`() {
        // 50 from before the onset; 80 from 11.25 on; 20 from 13 on.
        let step = Self.step([(9.5, 50), (13, 20), (11.25, 80)])
        let rated = RatedClip.all(of: step, by: "P01")
        #expect(rated.map(\.values) == [[50, 0.25 * 50 + 0.75 * 80, 80, 20]])
        #expect(rated.map(\.name) == ["tension"])
        // Rated only from the middle of a second on.
        #expect(RatedClip.all(of: Self.step([(11.75, 1)]), by: "P01")[0].values == [nil, nil, 1, 1])
    }

    @Test func `a clip that was left early, repeated or not heard does not count`() {
        var step = Self.step([(10, 50)])
        step.isSkipped = true
        #expect(RatedClip.all(of: step, by: "P01").isEmpty)
        (step.isSkipped, step.isReplaced) = (false, true)
        #expect(RatedClip.all(of: step, by: "P01").isEmpty)
        (step.isReplaced, step.onset) = (false, nil)
        #expect(RatedClip.all(of: step, by: "P01").isEmpty)
    }

    @Test func `each participant counts once, and the interval is between participants`() throws {
        let values: [(String, Double)] = [("P01", 10), ("P01", 30), ("P02", 40), ("P03", 60)]
        let rated = values.flatMap { RatedClip.all(of: Self.step([(10, $0.1)]), by: $0.0) }
        let courses = RatingCourse.all(
            of: rated + RatedClip.all(of: Self.step([(10, 1)], clip: "wild"), by: "P01"))
        #expect(courses.map(\.clip) == ["calm", "wild"])
        #expect(courses.map(\.clips) == [4, 1])
        let first = try #require(courses[0].course.first)
        #expect(first.participants == 3 && first.mean == 40)
        // Student's t with two degrees of freedom is 4.3027 at 97.5 %; the means 20, 40 and 60 deviate by 20.
        let half = try #require(first.interval).upperBound - 40
        #expect(abs(half - 4.302653 * 20 / 3.0.squareRoot()) < 1e-3)
        #expect(courses[1].course.first?.interval == nil)
    }
}
