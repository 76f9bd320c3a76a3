import StudyModel
import Testing

@testable import Results

@Suite struct HeldKeysTests {
    /// The moments of presses, ms, of what arrived at these moments.
    private func pressed(_ moments: [Int], key: String = "space") -> [Int] {
        HeldKeys.presses(moments.map { (key, .milliseconds($0)) }).map { moments[$0] }
    }

    @Test func `taps of a quick finger all count`() {
        // Six a second for a minute, and a burst of eight a second.
        let steady = (0..<360).map { $0 * 1000 / 6 }
        #expect(pressed(steady) == steady)
        let burst = (0..<40).map { $0 * 125 }
        #expect(pressed(burst) == burst)
    }

    @Test(arguments: [(250, 33), (500, 30), (660, 40), (300, 20)])
    func `a key that is held counts once`(delay: Int, period: Int) {
        let held = [1000] + (0..<30).map { 1000 + delay + $0 * period }
        #expect(pressed(held) == [1000])
        let later = (held.last ?? 0) + 800
        #expect(pressed([400] + held + [later, later + 500]) == [400, 1000, later, later + 500])
    }

    @Test func `a key that bounces counts once`() {
        #expect(pressed([0, 8, 500, 512, 1000]) == [0, 500, 1000])
    }

    @Test func `repetitions are less than 90 ms apart, three at least, and begin within 750 ms`() {
        #expect(pressed([0, 750, 839, 928]) == [0])
        #expect(pressed([0, 750, 840, 930]) == [0, 750, 840, 930])
        #expect(pressed([0, 751, 840, 929]) == [0, 751])
        #expect(pressed([0, 750, 839]) == [0, 750])
    }

    @Test func `a drum roll of two keys counts`() {
        let roll = (0..<40).map {
            (key: $0.isMultiple(of: 2) ? "f" : "j", instant: RunInstant.milliseconds($0 * 60))
        }
        #expect(HeldKeys.presses(roll).count == 40)
    }

    @Test func `a roll that nobody pressed before is one press`() {
        // The terminal sent nothing before: nothing says that the first arrival is a repetition.
        #expect(pressed([5000, 5033, 5066, 5100]) == [5000])
    }
}

extension RunInstant {
    fileprivate static func milliseconds(_ count: Int) -> RunInstant {
        .nanoseconds(Int64(count) * 1_000_000)
    }
}
