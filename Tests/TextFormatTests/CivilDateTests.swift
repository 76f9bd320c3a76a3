import Testing
import TextFormat

@Suite struct CivilDateTests {
    @Test func `goes through 800 years day by day`() {
        let lengths = [31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31]
        var expected = CivilDate(year: 1600, month: 1, day: 1)
        for day in -135_140...157_054 {
            #expect(CivilDate(daysSince1970: day) == expected)
            #expect(expected.daysSince1970 == day && expected.isInCalendar)
            let isLeap = expected.year % 4 == 0 && expected.year % 100 != 0 || expected.year % 400 == 0
            expected.day += 1
            if expected.day > lengths[expected.month - 1] + (isLeap && expected.month == 2 ? 1 : 0) {
                expected = CivilDate(
                    year: expected.year + (expected.month == 12 ? 1 : 0), month: expected.month % 12 + 1,
                    day: 1)
            }
        }
    }

    @Test(arguments: ["2026-11-21", "2024-02-29", "0001-01-01", "9999-12-31"])
    func `reads a day and writes it`(text: String) {
        #expect(CivilDate(text)?.text == text)
    }

    @Test(arguments: [
        "", "2026-11", "2026-11-31", "2026-02-29", "1900-02-29", "2026-00-10", "2026-13-01", "2026-01-00",
        "2026-1-1", "26-01-01", "2026-01-01-", "+026-01-01", "２０２６-01-01", "2026/01/01", "2026-01-01T00",
    ])
    func `refuses everything else`(text: String) { #expect(CivilDate(text) == nil) }
}
