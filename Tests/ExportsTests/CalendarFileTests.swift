import Testing

@testable import Exports

/// Appointments as other programs' calendars read them.
@Suite struct CalendarFileTests {
    private func text(_ entries: CalendarFile.Entry...) -> String {
        String(decoding: CalendarFile(entries, stamp: 1_774_252_800).bytes, as: UTF8.self)
    }

    @Test func `writes days and times`() {
        let days = CalendarFile.Entry(
            uid: "a@entrain", summary: "P07: week1", details: "x", span: .days(20_541...20_543))
        let time = CalendarFile.Entry(
            uid: "b@entrain", summary: "P07: month1", details: "y",
            span: .time(from: 1_774_800_000, to: 1_774_803_600))
        #expect(
            text(days, time)
                == """
                BEGIN:VCALENDAR
                VERSION:2.0
                PRODID:-//entrain//entrain//EN
                CALSCALE:GREGORIAN
                BEGIN:VEVENT
                UID:a@entrain
                DTSTAMP:20260323T080000Z
                DTSTART;VALUE=DATE:20260329
                DTEND;VALUE=DATE:20260401
                SUMMARY:P07: week1
                DESCRIPTION:x
                TRANSP:TRANSPARENT
                END:VEVENT
                BEGIN:VEVENT
                UID:b@entrain
                DTSTAMP:20260323T080000Z
                DTSTART:20260329T160000Z
                DTEND:20260329T170000Z
                SUMMARY:P07: month1
                DESCRIPTION:y
                TRANSP:TRANSPARENT
                END:VEVENT
                END:VCALENDAR

                """.split(separator: "\n", omittingEmptySubsequences: false).joined(separator: "\r\n"))
    }

    @Test(arguments: [
        String(repeating: "é", count: 100), String(repeating: "a", count: 75),
        String(repeating: "👩🏽‍🔬;", count: 40),
    ])
    func `folds long lines and tears no character`(title: String) {
        let written = text(.init(uid: "a", summary: title, details: "", span: .days(0...0)))
        for line in written.utf8.split(separator: UInt8(ascii: "\n")) {
            #expect(line.last == UInt8(ascii: "\r") && line.count <= 76)
            #expect(String(validating: line, as: UTF8.self) != nil)
        }
        // Programs join lines by their bytes: a fold may stand within what is one character for people.
        let unfolded = Array(written.utf8).split(separator: Array("\r\n ".utf8)).joined()
        let whole = String(decoding: Array(unfolded), as: UTF8.self)
        #expect(whole.contains("SUMMARY:" + title.replacing(";", with: "\\;") + "\r\n"))
    }

    @Test func `texts break no line`() {
        let written = text(.init(uid: "a", summary: "a,b;c\\d\ne\r\nf", details: "", span: .days(0...0)))
        #expect(written.contains(#"SUMMARY:a\,b\;c\\d\ne\nf"# + "\r\n"))
    }
}
