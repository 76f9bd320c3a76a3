import Testing

@testable import Recordings

@Suite struct RecordedTimeTests {
    @Test(arguments: [
        ("1970-01-01T00:00:00Z", 0.0), ("2019-10-16T12:08:58.041+02:00", 1_571_220_538.041),
        ("2019-10-16 12:08:58,041 +0200", 1_571_220_538.041), ("2016-04-26T17:49:14-0400", 1_461_707_354),
        ("2000-02-29T23:59:60Z", 951_868_800), ("2026/1/31 9:05", 1_769_850_300),
        ("31.01.2026 09:05:00", 1_769_850_300), ("2026-01-31 09:05:00 UTC", 1_769_850_300),
        ("4/12/2016 7:21:00 AM", 1_460_445_660), ("4/12/2016 12:21:00 AM", 1_460_420_460),
        ("4/12/2016 12:21:05 PM", 1_460_463_665), ("2026-01-31", 1_769_817_600),
        ("2026-01-31T10:05:00+01", 1_769_850_300), ("1969-12-31T23:59:59Z", -1),
        ("20260131T090500Z", 1_769_850_300), ("20260131T100500+0100", 1_769_850_300),
        ("31-Jan-2026 09:05:00", 1_769_850_300), ("31 January 2026 9:05 AM", 1_769_850_300),
        ("Jan 31, 2026, 9:05:00 AM", 1_769_850_300), ("31/01/2026 09:05:00", 1_769_850_300),
        ("1/31/2026 9:05", 1_769_850_300), ("31-01-2026 09:05", 1_769_850_300),
        ("31.01.26 09:05", 1_769_850_300), ("2026-01-31 10:05:00 UTC+01:00", 1_769_850_300),
    ]) func `reads a moment`(text: String, seconds: Double) {
        #expect(RecordedTime(text) == .instant(seconds))
    }

    @Test(arguments: [
        ("09:30:00", 34200.0), ("0:00:01.5", 1.5), ("36:00:00", 129_600), ("23:59:59,25", 86399.25),
        ("09:30:00 PM", 77_400), ("9:30 AM", 34_200), ("12:00:01 am", 1), ("10:00:00 Z", 36_000),
        ("10:00:00.5+02:00", 28_800.5),
    ])
    func `reads a time of the day`(text: String, seconds: Double) {
        #expect(RecordedTime(text) == .timeOfDay(seconds))
    }

    @Test(arguments: [
        "", "72", "time", "2026-13-01T00:00:00Z", "2026-02-29", "1900-02-29", "2026-01-31T25:00:00",
        "2026-01-31T10:60:00", "2026-01-31T10:00:00+1:00", "2026-01-31T10:00:00X", "2026-01-31T",
        "2026-01-31T10:00:00.", "4/12/2016 7:21:00", "4/12/2016 13:21:00 PM", "10:00",
        "2026-01-31T10:00:00+99:00", "2026-01/31 10:00:00", "99999-01-01T00:00:00Z", "12:00:00:00",
        "31-01-26 09:05", "30 February 2026", "Foo 31, 2026", "31-Jan", "Jan 31", "20261301T000000Z",
        "13:00 PM",
        "2026-01-31T10:00:00Zzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzz",
    ]) func `refuses what is none`(text: String) {
        #expect(RecordedTime(text) == nil)
    }

    @Test(arguments: [
        (["4/12/2016 7:21:00", "4/13/2016 7:21:00"], DayOrder.monthFirst, 0),
        (["4/12/2016 7:21:00", "13/12/2016 7:21:00"], .dayFirst, 0),
        (["4/12/2016 7:21:00 PM"], .monthFirst, 0), (["04/12/16 07:21:00"], .monthFirst, 0),
        (["4/12/2016 7:21:00", "4-12-2016"], .dayFirst, 1), (["2016-12-04", "soon", ""], nil, 0),
    ]) func `all times of a recording tell which comes first, the day or the month`(
        times: [String], order: DayOrder?, guesses: Int
    ) {
        let style = TimeStyle(times: times, days: [])
        #expect(style.dayOrder == order)
        #expect(style.assumptions.count == guesses)
    }

    @Test(arguments: [
        (["0:00", "0:01"], true, 1.0), (["61:05", "61:06"], true, 3666), (["12:30", "12:31"], false, 45_060),
        (["12:30.5", "12:31.5"], true, 751.5),
    ]) func `two parts are minutes and seconds where they cannot be a time of the day`(
        times: [String], areMinutes: Bool, last: Double
    ) {
        let style = TimeStyle(times: times, days: [])
        #expect(style.areTwoPartsMinutes == areMinutes)
        #expect(RecordedTime(times[1], style) == .timeOfDay(last))
        #expect(TimeStyle(times: times, days: ["2026-01-31"]).areTwoPartsMinutes == false)
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
