import StudyModel
import Testing

/// What a heart rate makes of a clip, and where the clip is when.
@Suite struct FollowingTests {
    /// Target and limits in percent, the heart's and the clip's rates, and the factor that comes of them.
    @Test(
        arguments: [
            (0, -20, 20, 72, 72, 1), (-5, -20, 20, 80, 80, 0.95), (0, -20, 20, 90, 72, 1.2),
            (0, -20, 20, 40, 72, 0.8), (10, -50, 100, 60, 66, 1), (0, 0, 0, 90, 60, 1),
            (-5, -20, 20, 77, 72, 1.016),
        ] as [(Double, Double, Double, Double, Double, Double)])
    func `a tempo keeps its distance from the heart, within its limits`(
        target: Double, low: Double, high: Double, rate: Double, tempo: Double, factor: Double
    ) {
        let following = Following.Tempo(target: target / 100, range: (low / 100)...(high / 100))
        #expect(abs(following.factor(for: rate, of: tempo, perHeartbeat: 1) - factor) < 1e-4)
    }

    @Test(
        arguments: [(60, 120, 2), (60, 61, 1), (120, 61, 0.5), (85, 120, 1.5)]
            as [(
                Double, Double, Double
            )])
    func `the metre that changes the clip least is chosen`(rate: Double, tempo: Double, beats: Double) {
        let following = Following.Tempo(range: -0.2...0.2, beatsPerHeartbeat: [0.5, 1, 1.5, 2])
        #expect(following.perHeartbeat(at: rate, of: tempo) == beats)
    }

    @Test(
        arguments: [(40, -12), (60, -12), (80, -6), (100, 0), (110, 3), (120, 6), (200, 6)]
            as [(Double, Double)])
    func `a level is straight between its points, and level beyond them`(rate: Double, gain: Double) {
        let loudness = Following.Loudness(points: [
            .init(rate: 60, gain: -12), .init(rate: 100, gain: 0), .init(rate: 120, gain: 6),
        ])
        #expect(loudness.gain(at: rate) == gain)
    }

    @Test(
        arguments: [
            (["tempo": "72"], nil, 72), (["tempo": "84.5 bpm"], nil, 84.5), (["tempo": "slow"], nil, nil),
            ([:], .steady(interval: .milliseconds(500), first: .zero), 120),
            ([:], .positions([.zero, .seconds(1), .seconds(1.5), .seconds(2)]), 120), ([:], nil, nil),
            (["tempo": "0"], nil, nil),
        ] as [([String: String], BeatGrid?, Double?)])
    func `a clip's tempo is what its catalogue says, or that of its beats`(
        attributes: [String: String], beats: BeatGrid?, tempo: Double?
    ) {
        let clip = Stimulus(
            identifier: "c", file: "c.wav", path: "c.wav", beats: beats, attributes: attributes)
        #expect(clip.tempo == tempo)
    }

    @Test func `each position of a course has its time`() {
        var course = TempoCourse()
        #expect(course.position(at: 5000) == 5000 && course.time(of: 5000) == 5000)
        course.change(to: 0.8, at: 1000)
        course.change(to: 1.25, at: 2000)
        #expect(course.position(at: 500) == 500 && course.position(at: 2000) == 1800)
        #expect(course.position(at: 2400) == 2300)
        #expect(course.time(of: 1400) == 1500 && course.time(of: 1800) == 2000)
        for time in stride(from: Int64(0), to: 4000, by: 7) {
            let position = Int64(course.position(at: time).rounded(.up))
            #expect(abs(course.time(of: position) - time) <= 2)
        }
    }
}
