import StudyModel
import Testing

@Suite struct BreathingPacerTests {
    private static let square = BreathingPacer(
        inhalation: .seconds(4), hold: .seconds(1), exhalation: .seconds(5), holdOut: .seconds(2))
    private static let plain = BreathingPacer(inhalation: .seconds(4), exhalation: .milliseconds(5500))

    @Test func `the parts of a breath follow one another, breath after breath`() {
        let parts = (0..<6).map(Self.square.part)
        #expect(parts.map(\.phase) == [.in, .hold, .out, .holdOut, .in, .hold])
        #expect(parts.map(\.start) == [0, 4, 5, 10, 12, 16].map { .seconds($0) })
        #expect((0..<3).map { Self.plain.part($0).phase } == [.in, .out, .in])
        #expect(Self.plain.part(1001).start == .milliseconds(500 * 9500 + 4000))
    }

    @Test(arguments: [
        (Duration.zero, 0), (.milliseconds(3999), 0), (.seconds(4), 1), (.seconds(9), 2), (.seconds(11), 3),
        (.seconds(12), 4), (.seconds(1200), 400),
    ])
    func `the part of a moment begins at it or before, and the next after it`(time: Duration, number: Int) {
        #expect(Self.square.number(at: time) == number)
    }
}
