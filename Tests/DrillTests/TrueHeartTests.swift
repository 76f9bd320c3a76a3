import Testing

@testable import Drill

struct TrueHeartTests {
    private let said: [(time: Double, line: Substring)] = [
        (100, "Step 1 of 5: Before"), (102, "Step 3 of 5: During"), (104, "Step 4 of 5: Again"),
        (106, "Step 5 of 5: After"),
    ]

    private func demanded(until end: Double) -> [TrueHeart.Reading] {
        TrueHeart().demanded(said: said.filter { $0.time <= end }, until: end, speed: 4)
            .filter { $0.values.count > 1 }
    }

    @Test func `what had arrived a second before the end is demanded, while a step records it`() {
        #expect(demanded(until: 102.9).isEmpty)
        #expect(demanded(until: 104).count == 4)
        #expect(demanded(until: 104).allSatisfy { $0.arrival > 8 && $0.arrival < 12 })
        // The second before the end lies in the next step, and then in one that records nothing.
        #expect(demanded(until: 106).count == 12)
        #expect(demanded(until: 110).count == 16)
    }

    @Test func `nothing is demanded of a run that had not begun`() {
        #expect(TrueHeart().demanded(said: [], until: 200, speed: 4).isEmpty)
    }
}
