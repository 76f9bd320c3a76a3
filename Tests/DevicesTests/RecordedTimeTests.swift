import Testing

@testable import Devices

@Suite struct RecordedTimeTests {
    @Test(arguments: [
        ("1970-01-01T00:00:00Z", 0.0), ("2019-10-16T12:08:58.041+02:00", 1_571_220_538.041),
        ("2019-10-16 12:08:58,041 +0200", 1_571_220_538.041), ("2016-04-26T17:49:14-0400", 1_461_707_354),
        ("2000-02-29T23:59:60Z", 951_868_800), ("2026/1/31 9:05", 1_769_850_300),
        ("31.01.2026 09:05:00", 1_769_850_300), ("2026-01-31 09:05:00 UTC", 1_769_850_300),
        ("4/12/2016 7:21:00 AM", 1_460_445_660), ("4/12/2016 12:21:00 AM", 1_460_420_460),
        ("4/12/2016 12:21:05 PM", 1_460_463_665), ("2026-01-31", 1_769_817_600),
        ("2026-01-31T10:05:00+01", 1_769_850_300), ("1969-12-31T23:59:59Z", -1),
    ]) func `reads a moment`(text: String, seconds: Double) {
        #expect(RecordedTime(text) == .instant(seconds))
    }

    @Test(arguments: [
        ("09:30:00", 34200.0), ("0:00:01.5", 1.5), ("36:00:00", 129_600), ("23:59:59,25", 86399.25),
    ])
    func `reads a time of the day`(text: String, seconds: Double) {
        #expect(RecordedTime(text) == .timeOfDay(seconds))
    }

    @Test(arguments: [
        "", "72", "time", "2026-13-01T00:00:00Z", "2026-02-29", "1900-02-29", "2026-01-31T25:00:00",
        "2026-01-31T10:60:00", "2026-01-31T10:00:00+1:00", "2026-01-31T10:00:00X", "2026-01-31T",
        "2026-01-31T10:00:00.", "4/12/2016 7:21:00", "4/12/2016 13:21:00 PM", "10:00", "10:00:00 Z",
        "2026-01-31T10:00:00+99:00", "2026-01/31 10:00:00", "99999-01-01T00:00:00Z", "12:00:00:00",
        "2026-01-31T10:00:00Zzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzz",
    ]) func `refuses what is none`(text: String) {
        #expect(RecordedTime(text) == nil)
    }

    @Test(arguments: [
        ("72", 72.0), ("-1", -1), ("72,5", 72.5), ("1e3", 1000), ("+.5", 0.5),
        ("1560279835.000000", 1_560_279_835),
    ]) func `reads a number`(text: String, value: Double) {
        #expect(number(text, hasDecimalComma: true) == value)
    }

    @Test(arguments: [
        "", " ", "nan", "inf", "0x1p3", "1,234,5", "1.234,5", "1_000", "٣", "1e999", "--1", "1 2", "e",
        "11111111111111111111111111111111111111111111",
    ]) func `refuses what is no number`(text: String) {
        #expect(number(text, hasDecimalComma: true) == nil)
    }

    @Test func `a comma is no point where it separates cells`() {
        #expect(number("72,5", hasDecimalComma: false) == nil)
    }
}
