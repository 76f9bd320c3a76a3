import Physiology
import StudyModel
import Testing

@testable import BundleReplay
@testable import Results

@Suite struct ExpectedCourseTests {
    /// 60 per minute at the start, and one more each second.
    private func task(startsOnConfirm: Bool = false) -> Study.Task {
        var active = ActiveStep(duration: .seconds(60))
        active.timer.startsOnConfirm = startsOnConfirm
        active.expected = ExpectedHeartRate(
            curve: .points(
                [.init(time: .zero, rate: 60), .init(time: .seconds(60), rate: 120)], isMonotone: false),
            band: .absolute(5))
        return Study.Task(identifier: "task", steps: [Step(identifier: "ride", kind: .active(active))])
    }

    private func visit(recordingFrom start: Double? = nil, pauses: [Range<Double>] = []) -> ResultBundle.Visit
    {
        let recordings = start.map { start in
            [
                ResultBundle.Recording(
                    recorder: "heart", name: "heart.json", start: start, end: 99, segment: 1, part: 1,
                    sampleCount: 0, coverage: 1, gaps: [], lateSamples: 0, droppedSamples: 0)
            ]
        }
        return ResultBundle.Visit(
            ordinal: 1, identifier: "ride", path: "ride", visit: 1, start: 10, end: 100, isSkipped: false,
            outerRounds: [], lateness: [], pauses: pauses, standstills: [], recorderErrors: [],
            answers: [], recordings: recordings ?? [])
    }

    @Test func `its time begins with the step's own, and stands still in pauses`() throws {
        let rates = ExpectedRates(of: task())
        let course = try #require(rates[visit(recordingFrom: 14, pauses: [20..<30, 40..<45])])
        #expect(course.expected(at: 13.9) == nil && course.expected(at: 25) == nil)
        #expect(course.expected(at: 14)?.rate == 60 && course.expected(at: 19)?.rate == 65)
        #expect(course.expected(at: 30)?.rate == 66 && course.expected(at: 50)?.rate == 81)
        #expect(course.expected(at: 50)?.range == 76...86)
        // The last point holds.
        #expect(course.expected(at: 500)?.rate == 120)
    }

    @Test
    func `without a recorder of its own the step begins when it is shown, unless somebody must start it`() {
        #expect(ExpectedRates(of: task())[visit()]?.expected(at: 11)?.rate == 61)
        #expect(ExpectedRates(of: task(startsOnConfirm: true))[visit()] == nil)
        let recorded = visit(recordingFrom: 30)
        #expect(ExpectedRates(of: task(startsOnConfirm: true))[recorded]?.expected(at: 31)?.rate == 61)
        // A recorder over several steps began before it.
        #expect(ExpectedRates(of: task())[visit(recordingFrom: 2)]?.expected(at: 11)?.rate == 61)
        #expect(ExpectedRates(of: nil)[visit()] == nil)
    }

    @Test func `samples in pauses do not count as measured`() throws {
        let course = try #require(ExpectedRates(of: task())[visit(recordingFrom: 10, pauses: [12..<20])])
        let samples = [(10.0, 60.0), (11, 61), (15, 200), (21, 63), (22, 164)].map { time, rate in
            ResultBundle.HeartRate(
                runOffset: time, arrivalOffset: time, timestampSince1970: 0, value: rate, rrIntervals: [],
                source: "s")
        }
        let found = try #require(course.comparison(of: samples))
        let alone = try #require(course.comparison(of: samples.filter { $0.value != 200 }))
        #expect(found == alone && found.shareInBand > 0.5 && found.shareInBand < 1)
    }
}
