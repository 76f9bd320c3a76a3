import StudyModel
import Testing

@testable import Results

@Suite struct RunQualityTests {
    private static func visit(_ change: (inout ResultBundle.Visit) -> Void) -> ResultBundle.Visit {
        var visit = ResultBundle.Visit(
            ordinal: 1, identifier: "a", path: "a", visit: 1, round: nil, start: 0, end: 60, isSkipped: false,
            outerRounds: [], lateness: [], pauses: [], standstills: [], recorderErrors: [], clip: nil,
            program: nil, answers: [], recordings: [])
        change(&visit)
        return visit
    }

    private static func recorded(_ coverage: Double, _ gap: Range<Double>) -> ResultBundle.Visit {
        visit {
            $0.recordings = [
                .init(
                    recorder: "r", name: "n", start: 0, end: 60, segment: 1, part: 1, sampleCount: 1,
                    coverage: coverage, gaps: [.init(span: gap, reason: "lost")], lateSamples: 0,
                    droppedSamples: 0)
            ]
        }
    }

    /// What just meets a limit, and what just misses it.
    @Test(
        arguments: [
            (QualityLimits(coverage: 0.9), recorded(0.9, 1..<2), recorded(0.8999, 1..<2)),
            (QualityLimits(longestGap: .seconds(2)), recorded(0.5, 1..<3), recorded(0.5, 1..<3.001)),
            (
                QualityLimits(pauses: 1), visit { $0.pauses = [1..<2] }, visit { $0.pauses = [1..<2, 3..<4] }
            ),
            (
                QualityLimits(lateness: .milliseconds(50)),
                visit { $0.lateness = [.init(moment: "end", seconds: -0.05)] },
                visit { $0.lateness = [.init(moment: "end", seconds: -0.051)] }
            ),
            (
                QualityLimits(lateness: .milliseconds(250)), visit { $0.standstills = [1..<1.25] },
                visit { $0.standstills = [1..<1.251] }
            ),
            (
                QualityLimits(underruns: 2), visit { $0.clip = .init(identifier: "c", underruns: 2) },
                visit { $0.clip = .init(identifier: "c", underruns: 3) }
            ),
        ])
    func `each limit is met at its number, and missed beyond it`(
        limits: QualityLimits, good: ResultBundle.Visit, poor: ResultBundle.Visit
    ) {
        #expect(RunQuality(of: [good]).shortfalls(of: limits) == [])
        #expect(RunQuality(of: [poor]).shortfalls(of: limits).count == 1)
        #expect(RunQuality(of: [poor]).shortfalls(of: QualityLimits()) == [])
    }

    @Test func `the worst of all recordings counts, and what happened adds up`() {
        let visits = [
            Self.recorded(0.9, 1..<2), Self.recorded(0.5, 1..<4),
            Self.visit {
                $0.pauses = [1..<2]
                $0.standstills = [1..<1.5]
                $0.clip = .init(identifier: "c", problem: "lost", underruns: 2)
            },
            Self.visit {
                $0.pauses = [3..<4]
                $0.standstills = [2..<2.25]
                $0.clip = .init(identifier: "c", underruns: 3)
            },
        ]
        let quality = RunQuality(of: visits)
        #expect(quality.coverage == 0.5 && quality.longestGap == 3 && quality.pauses == 2)
        #expect(quality.stoodStill == 0.75 && quality.underruns == 5 && quality.problems == 1)
    }

    @Test(
        arguments: [
            ([], nil, nil),
            ([("start", 0.001), ("end", -0.002)], nil, -0.002),
            ([("start", 0.001), ("onset", 0.502)], 0.502, 0.001),
            ([("onset", 0.502), ("onset", 0.503), ("end", 0.0004)], 0.502, 0.001),
            ([("onset", 0.502), ("onset", 0.9)], 0.502, 0.398),
            ([("onset", -0.01), ("onset", 0.5)], 0, 0.5),
            ([("onset", 0), ("cue1", 0.02)], 0, 0.02),
        ] as [([(name: String, seconds: Double)], Double?, Double?)])
    func `what all clips share is a delay of the device, and the rest is lateness`(
        moments: [(name: String, seconds: Double)], delay: Double?, worst: Double?
    ) {
        let timing = RunQuality.timing(of: moments.map { .init(moment: $0.name, seconds: $0.seconds) })
        #expect(timing.soundDelay == delay)
        #expect((timing.worst == nil) == (worst == nil))
        #expect(abs((timing.worst ?? 0) - (worst ?? 0)) < 1e-9)
    }
}
