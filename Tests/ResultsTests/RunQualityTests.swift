import Testing

@testable import Results

@Suite struct RunQualityTests {
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
