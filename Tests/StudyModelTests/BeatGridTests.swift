import StudyModel
import Testing

@Suite struct BeatGridTests {
    private static func at(_ seconds: Double) -> Duration { .nanoseconds(Int64((seconds * 1e9).rounded())) }

    /// 120 per minute, the first at 0.25 s.
    private static let steady = BeatGrid.steady(interval: .milliseconds(500), first: .milliseconds(250))
    /// Three beats that become slower.
    private static let listed = BeatGrid.positions([at(1), at(1.4), at(2)])

    @Test(arguments: [
        (0.25, 1, 0.0, 0.0), (0.2, 1, -0.05, -36), (0.0, 1, -0.25, -180), (0.499, 1, 0.249, 179.28),
        (0.74, 2, -0.01, -7.2), (10.27, 21, 0.02, 14.4), (-0.01, nil, 0, 0),
    ])
    func `a tap belongs to the nearest beat of a steady tempo`(
        position: Double, number: Int?, asynchrony: Double, phase: Double
    ) throws {
        let beat = Self.steady.beat(near: Self.at(position), end: nil)
        #expect(beat?.number == number)
        guard let beat else { return }
        #expect(beat.asynchrony == Self.at(asynchrony))
        #expect(abs(beat.phase - phase) < 1e-9)
    }

    @Test(arguments: [
        (1.0, 1, 0.0, 0.0), (0.85, 1, -0.15, -135), (0.75, nil, 0, 0), (1.15, 1, 0.15, 135),
        (1.25, 2, -0.15, -135), (1.69, 2, 0.29, 174), (1.71, 3, -0.29, -174), (2.3, 3, 0.3, 180),
        (2.31, nil, 0, 0),
    ])
    func `a tap belongs to the nearest listed beat, by the interval in which it lies`(
        position: Double, number: Int?, asynchrony: Double, phase: Double
    ) {
        let beat = Self.listed.beat(near: Self.at(position), end: nil)
        #expect(beat?.number == number)
        guard let beat else { return }
        #expect(beat.asynchrony == Self.at(asynchrony))
        #expect(abs(beat.phase - phase) < 1e-6)
    }

    @Test func `no beat is expected where the clip has ended`() {
        // Of the beats at 0.25, 0.75 … the one at 2.25 s is not heard any more.
        let beat = Self.steady.beat(near: Self.at(2.1), end: Self.at(2.2))
        #expect(beat == nil)
        #expect(Self.steady.beat(near: Self.at(1.9), end: Self.at(2.2))?.number == 4)
        #expect(Self.steady.next(from: Self.at(1.9), end: Self.at(2.2)) == nil)
    }

    @Test func `the next beat is the first at or after a position`() {
        #expect(Self.steady.next(from: Self.at(0.25), end: nil) == Self.at(0.25))
        #expect(Self.steady.next(from: Self.at(0.251), end: nil) == Self.at(0.75))
        #expect(Self.steady.next(from: Self.at(-3), end: nil) == Self.at(0.25))
        #expect(Self.listed.next(from: Self.at(1.41), end: nil) == Self.at(2))
        #expect(Self.listed.next(from: Self.at(2.01), end: nil) == nil)
    }

    @Test func `beats within a range begin with its start and leave its end out`() {
        let beats = Self.steady.beats(in: Self.at(0.75)..<Self.at(1.75))
        #expect(beats == [Self.at(0.75), Self.at(1.25)])
        #expect(Self.steady.beats(in: Self.at(-2)..<Self.at(0.3)) == [Self.at(0.25)])
        #expect(Self.steady.beats(in: Self.at(0.3)..<Self.at(0.7)).isEmpty)
        #expect(Self.listed.beats(in: Self.at(1.4)..<Self.at(9)) == [Self.at(1.4), Self.at(2)])
    }

    @Test(arguments: 0..<40)
    func `every tap within half a beat is found, at its distance`(seed: Int) {
        let interval = 0.1 + Double(seed) * 0.037
        let grid = BeatGrid.steady(interval: Self.at(interval), first: Self.at(0.1))
        for number in 0..<50 {
            for share in stride(from: -0.49, through: 0.49, by: 0.07) {
                let position = 0.1 + (Double(number) + share) * interval
                let beat = grid.beat(near: Self.at(position), end: nil)
                #expect(beat?.number == number + 1)
                #expect(abs((beat?.asynchrony ?? .zero) / .seconds(1) - share * interval) < 2e-8)
                #expect(abs((beat?.phase ?? 999) - share * 360) < 1e-3)
            }
        }
    }
}
