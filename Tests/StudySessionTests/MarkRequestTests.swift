import SessionPorts
import StudyModel
import Testing

@testable import StudySession

@Suite struct MarkRequestTests {
    @Test(arguments: [
        (-2_000_000, 1.0, 4.998), (-2_000_000, 10, 4.98), (0, 1, 5), (1_000_000_000, 1, 5),
        (-2_000_000, 0, 5),
    ])
    func `a mark has the moment at which it was asked for`(age: Int64, speed: Double, seconds: Double) {
        let clock: Int64 = 3_000_000_000_000
        let request = MarkRequest(.note, nil, text: "x", pressed: clock + age) { _ in }
        let moment = request.moment(now: .seconds(5), clock: clock, speed: speed)
        #expect(moment.nanoseconds == RunInstant.seconds(seconds).nanoseconds)
    }

    @Test(arguments: [Int64.min, -1, 0, .max])
    func `no moment that is claimed ends the run`(pressed: Int64) {
        let request = MarkRequest(.note, nil, text: "x", pressed: pressed) { _ in }
        for clock in [Int64.max, 0, 3_000_000_000_000] {
            #expect(request.moment(now: .seconds(5), clock: clock, speed: 100) <= .seconds(5))
        }
    }

    @Test func `a mark is one line, and says how bad it was only where it was bad`() {
        #expect(RunMark(.note, nil, text: "coughed", at: .start) != nil)
        #expect(RunMark(.adverse, .mild, text: "dizzy", at: .start) != nil)
        for text in ["", "  ", "a\nb", "a\u{1B}b", "a\u{2028}b", String(repeating: "a", count: 501)] {
            #expect(RunMark(.note, nil, text: text, at: .start) == nil)
        }
        #expect(RunMark(.note, .mild, text: "x", at: .start) == nil)
        #expect(RunMark(.adverse, nil, text: "x", at: .start) == nil)
    }
}
