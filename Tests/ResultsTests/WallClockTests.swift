import StudyModel
import Testing

@testable import Results

@Suite struct WallClockTests {
    /// Source: GNU date.
    @Test(
        arguments: [
            (0, 0, "1970-01-01T00:00:00+0000"), (1_447_329_600, -18_000, "2015-11-12T07:00:00-0500"),
            (951_782_400, 0, "2000-02-29T00:00:00+0000"), (951_868_800, 0, "2000-03-01T00:00:00+0000"),
            (1_709_164_799, 0, "2024-02-28T23:59:59+0000"), (1_709_164_800, 0, "2024-02-29T00:00:00+0000"),
            (4_107_542_399, 0, "2100-02-28T23:59:59+0000"), (4_107_542_400, 0, "2100-03-01T00:00:00+0000"),
            (-1, 0, "1969-12-31T23:59:59+0000"), (-86_401, 3600, "1969-12-31T00:59:59+0100"),
            (-2_203_891_200, 0, "1900-03-01T00:00:00+0000"), (-11_676_096_000, 0, "1600-01-01T00:00:00+0000"),
            (1_704_067_199, 19_800, "2024-01-01T05:29:59+0530"),
            (1_704_067_199, -12_600, "2023-12-31T20:29:59-0330"),
            (1_704_067_199, 20_700, "2024-01-01T05:44:59+0545"),
            (1_704_067_199, -30, "2023-12-31T23:59:59+0000"),
            (1_704_067_199, -3630, "2023-12-31T22:59:59-0100"),
            (253_402_300_799, 0, "9999-12-31T23:59:59+0000"),
        ] as [(Int64, Int, String)])
    func `gives ResearchKit's dates`(seconds: Int64, offset: Int, date: String) {
        let clock = WallClock(seconds: seconds, nanoseconds: 0, utcOffset: offset, zone: "")
        #expect(clock.date(of: .start) == date)
        #expect(clock.stamp(of: .start) == String(date.prefix(19).filter(\.isNumber)))
    }

    @Test(
        arguments: [
            (.start, "23:59:58"), (.nanoseconds(99_999_999), "23:59:58"),
            (.nanoseconds(100_000_000), "23:59:59"),
            (.seconds(-0.95), "23:59:57"), (.seconds(1.1), "00:00:00"), (.seconds(3601.1), "01:00:00"),
        ] as [(RunInstant, String)])
    func `shows the second that has begun`(instant: RunInstant, time: String) {
        let clock = WallClock(seconds: 86_398, nanoseconds: 900_000_000, utcOffset: 0, zone: "UTC")
        #expect(clock.date(of: instant).dropFirst(11).prefix(8) == time)
    }

    @Test func `counts seconds since 1970 to the microsecond`() {
        let clock = WallClock(seconds: 1_447_321_234, nanoseconds: 999_999_000, utcOffset: 0, zone: "UTC")
        #expect(clock.secondsSince1970(of: .nanoseconds(1_000)) == 1_447_321_235)
        #expect(clock.secondsSince1970(of: .nanoseconds(-999_999_000)) == 1_447_321_234)
        #expect(clock.secondsSince1970(of: .nanoseconds(124_456_789)) == 1_447_321_235.124455)
    }
}
