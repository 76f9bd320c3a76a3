import Results
import StudyTesting
import Testing

@testable import Analysing
@testable import Datasets
@testable import Participants
@testable import Physiology
@testable import Statistics

/// Crossovers of 24 participants whose hearts answer a clip in a way that is known.
@Suite struct CrossoverTests {
    /// Rest and clip, one heart rate a second; each wanders, and each participant answers differently.
    private func crossover(response: Double, _ random: inout SeededRandom) -> [RunResponses] {
        (1...24).map { number in
            let resting = 65 + 8 * random.normal()
            let answer = response + 2 * random.normal()
            var wander = 0.0
            var rates: [RecordedRun.Value] = []
            for second in 0..<40 {
                wander = 0.8 * wander + 1.2 * random.normal()
                let rate = resting + wander + (second < 20 ? 0 : answer)
                rates.append((Double(second) + 0.5, rate))
            }
            var run = RecordedRun(
                run: "R\(number)", study: "crossover", participant: "P\(number)", status: "completed")
            run.steps = [
                RecordedRun.Step(
                    name: "rest", visit: 1, isSkipped: false, end: 20, rates: Array(rates[..<20])),
                RecordedRun.Step(
                    name: "listen", visit: 1, stimulus: "clip", isSkipped: false, onset: 20, end: 40,
                    rates: Array(rates[20...])),
            ]
            return RunResponses(run)
        }
    }

    private func all(of response: Double, flips: Int, seed: UInt64) -> [PairedDifference] {
        var random = SeededRandom(seed: seed)
        return (0..<500).compactMap { _ in
            let runs = crossover(response: response, &random)
            return StudyResponse(of: "crossover", runs, drawnFlips: flips, using: &random).groups.first?
                .difference
        }
    }

    @Test func `the interval covers a known response as often as it says`() {
        let covered = all(of: 2, flips: 1, seed: 1).count { $0.interval?.contains(2) == true }
        #expect((465...485).contains(covered), "\(covered) of 500")
    }

    @Test func `no response is called one as seldom as it says`() {
        let found = all(of: 0, flips: 199, seed: 1).count { $0.p <= 0.05 }
        #expect((20...30).contains(found), "\(found) of 500")
    }
}

@Suite struct ResponsesTests {
    private func step(
        _ name: String, from start: Double, to end: Double, rate: Double, clip: String? = nil,
        skipped: Bool = false,
        interval: Double? = nil
    ) -> RecordedRun.Step {
        let offsets = Array(stride(from: start + 0.5, to: end, by: 1))
        var intervals: [RecordedRun.Value] = []
        if let interval {
            intervals = stride(from: start + interval, to: end, by: interval).enumerated().map {
                index, end in
                (end, interval + (index % 2 == 0 ? 0.01 : -0.01))
            }
        }
        return RecordedRun.Step(
            name: name, visit: 1, stimulus: clip, isSkipped: skipped, onset: clip.map { _ in start },
            end: end,
            coverage: 1, rates: offsets.map { ($0, rate) }, intervals: intervals)
    }

    private func responses(_ steps: [RecordedRun.Step], status: String = "completed") -> RunResponses {
        var run = RecordedRun(run: "R", study: "s", participant: "P01", status: status)
        run.steps = steps
        return RunResponses(run)
    }

    @Test func `takes the rest before the clip, and not the clip's first five seconds`() throws {
        var listen = step("listen", from: 30, to: 60, rate: 72, clip: "a")
        for index in 0..<5 { listen.rates[index].value = 200 }
        let found = responses([step("rest", from: 0, to: 30, rate: 60), listen])
        let response = try #require(found.responses.first)
        #expect(response.heartRate.baseline == 60 && response.change == 12)
        #expect(!response.heartRate.hasShortBaseline)
        #expect(response.variability == nil)
    }

    @Test func `takes the last minute of a long rest, and says where there is less than half of one`() throws
    {
        let listen = step("listen", from: 100, to: 130, rate: 72, clip: "a")
        var rest = step("rest", from: 0, to: 100, rate: 60)
        for index in 0..<40 { rest.rates[index].value = 90 }
        let long = try #require(responses([rest, listen]).responses.first?.heartRate)
        #expect(long.baseline == 60 && !long.hasShortBaseline)
        let brief = step("rest", from: 70, to: 100, rate: 60)
        #expect(responses([brief, listen]).responses.first?.heartRate.hasShortBaseline == false)
        let briefer = step("rest", from: 71, to: 100, rate: 60)
        #expect(responses([briefer, listen]).responses.first?.heartRate.hasShortBaseline == true)
    }

    @Test func `an RMSSD is that of the corrected intervals, and a gap is not a difference`() throws {
        let rest = step("rest", from: 0, to: 70, rate: 60, interval: 1)
        var listen = step("listen", from: 70, to: 140, rate: 60, clip: "a", interval: 1)
        let found = { (steps: [RecordedRun.Step]) in responses(steps).responses.first?.variability?.change }
        let clean = try #require(found([rest, listen]))
        // A beat that the strap did not see, and ten seconds in which it sent nothing.
        listen.intervals[30].value += 1
        listen.intervals.remove(at: 29)
        listen.intervals.removeSubrange(50..<60)
        let disturbed = try #require(found([rest, listen]))
        #expect(abs(disturbed - clean) < 1)
    }

    @Test func `marks an RMSSD of less than a minute`() throws {
        let rest = step("rest", from: 0, to: 70, rate: 60, interval: 1)
        let short = step("listen", from: 70, to: 100, rate: 60, clip: "a", interval: 1)
        let long = step("listen", from: 70, to: 140, rate: 60, clip: "a", interval: 1)
        let ultraShort = try #require(responses([rest, short]).responses.first?.variability)
        #expect(ultraShort.validity == .ultraShort)
        #expect(abs(ultraShort.change) < 1e-9)
        #expect(responses([rest, long]).responses.first?.variability?.validity == .valid)
    }

    @Test func `says why a clip was left out`() {
        let rest = step("rest", from: 0, to: 30, rate: 60)
        let listen = step("listen", from: 30, to: 60, rate: 70, clip: "a")
        let reasons = { (steps: [RecordedRun.Step]) in responses(steps).exclusions.map(\.reason) }
        #expect(responses([rest, listen], status: "discarded").exclusions.map(\.reason) == [.discarded])
        #expect(
            reasons([rest, step("listen", from: 30, to: 60, rate: 70, clip: "a", skipped: true)]) == [
                .leftEarly
            ])
        #expect(reasons([listen]) == [.noBaseline])
        #expect(
            reasons([rest, listen, step("again", from: 60, to: 90, rate: 70, clip: "b")]) == [.noBaseline])
        #expect(reasons([step("rest", from: 0, to: 4, rate: 60), listen]) == [.fewInBaseline])
        #expect(reasons([rest, step("listen", from: 30, to: 39, rate: 70, clip: "a")]) == [.fewInClip])
        var unheard = listen
        unheard.onset = nil
        #expect(reasons([rest, unheard]) == [.notHeard])
        #expect(reasons([rest, listen]) == [])
    }

    @Test func `counts and names who has no response and what was recorded in part`() {
        var half = step("listen", from: 30, to: 60, rate: 70, clip: "a")
        half.coverage = 0.5
        var runs = [responses([step("rest", from: 0, to: 30, rate: 60), half])]
        var silent = RecordedRun(run: "R2", study: "s", participant: "P02", status: "discarded")
        silent.steps = [half]
        runs.append(RunResponses(silent))
        var random = SeededRandom(seed: 1)
        let study = StudyResponse(of: "s", runs, using: &random)
        #expect(study.participants == 2 && study.statuses == ["completed": 1, "discarded": 1])
        #expect(study.withoutResponse == ["P02"])
        #expect(study.incomplete.map(\.clip) == ["a"])
        #expect(study.groups.first?.power == nil)
    }

    @Test func `groups by tempo, and measures the slope over it within each participant`() throws {
        let runs = (1...6).map { number in
            var steps: [RecordedRun.Step] = []
            for (index, tempo) in [60.0, 100, 140].enumerated() {
                let start = Double(index) * 60
                steps.append(step("rest\(index)", from: start, to: start + 30, rate: 60 + Double(number)))
                var listen = step(
                    "listen\(index)", from: start + 30, to: start + 60,
                    rate: 60 + Double(number) + tempo / 20,
                    clip: "c\(index)")
                listen.tempo = tempo
                steps.append(listen)
            }
            var run = RecordedRun(
                run: "R\(number)", study: "s", participant: "P\(number)", status: "completed")
            run.steps = steps
            return RunResponses(run)
        }
        var random = SeededRandom(seed: 1)
        let groups = StudyResponse(of: "s", runs, using: &random).groups
        #expect(groups.map(\.kind) == [.all, .tempo, .tempo, .tempo, .slope, .clip, .clip, .clip])
        let slope = try #require(groups.first { $0.kind == .slope })
        #expect(abs(slope.difference.mean - 0.5) < 1e-9)
        #expect(groups[1].name == "tempo below 80" && abs(groups[1].difference.mean - 3) < 1e-9)
    }
}

@Suite struct PowerEstimateTests {
    /// By statsmodels' TTestPower.
    @Test(
        arguments: [
            (0.5, 34, 0.8077775), (0.5, 33, 0.7953658), (0.2, 199, 0.8016926), (1, 10, 0.8030970),
            (0.8, 15, 0.8213104), (0.0001, 24, 0.05),
        ] as [(Double, Int, Double)])
    func `knows the power of the paired t test`(effect: Double, count: Int, power: Double) {
        #expect(abs(PowerEstimate.power(effect: effect, count: count) - power) < 1e-4)
    }

    @Test func `the shifted distribution is Student's own where it is not shifted`() {
        for t in [-3.0, -0.5, 0, 1, 12] {
            #expect(
                abs(StudentT(degrees: 7).share(below: t, shift: 0) - StudentT(degrees: 7).share(below: t))
                    < 1e-12)
        }
        #expect(StudentT(degrees: 7).share(below: 2, shift: 100) == 0)
        #expect(StudentT(degrees: 7).share(below: -2, shift: -100) == 1)
    }

    @Test func `says nothing where the effect has no size, and no end where it has none`() throws {
        var random = SeededRandom(seed: 1)
        let same = try #require(PairedDifference([2, 2, 2], using: &random))
        #expect(PowerEstimate(same) == nil)
        let none = try #require(PairedDifference([1, -1, 1, -1], using: &random))
        #expect(PowerEstimate(none)?.participantsFor80 == nil)
    }
}

extension RecordedRun {
    /// A run in which nothing was measured yet.
    fileprivate init(run: String, study: String, participant: String, status: String) {
        self.init(
            session: RecordedSession(
                run: run, study: study, task: "task", participant: participant, session: 1,
                text: StudyText(revision: 1, sha256: ""), origin: .recorded, manifest: run,
                start: "2026-11-21T09:00:00.000Z", duration: 60, status: status, isRecovered: false,
                isClockAdjusted: false, samples: 0, beats: 0))
    }
}
