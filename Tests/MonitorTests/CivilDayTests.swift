import Testing
import TextFormat

@testable import Monitor

@Suite struct CivilDayTests {
    @Test func `the page gets the offset from UTC of every moment of ten years`() {
        let now = 1_795_262_400.0
        let changes = CivilDay.offsets(until: now).list ?? []
        for day in 0..<3_600 {
            let time = now - Double(day) * 86_400 - Double(day * 7_919 % 86_400)
            let last = changes.last { $0["t"]?.number ?? .infinity <= time }
            #expect(last?["offset"]?.integer == CivilDay.offset(at: time))
        }
    }
}
