import Results
import Testing
import TextFormat

@testable import Monitor

@Suite struct ReadingTests {
    @Test(arguments: ["{}", #"{"text":" "}"#, #"{"text":"a","deleted":true}"#, #"{"deleted":false}"#])
    func `a note is changed or deleted, and nothing else`(wrong: String) throws {
        #expect(throws: Refusal.self) { try NoteChange(of: 1, json: try json(wrong)) }
    }

    @Test(arguments: [("90", 90.0), ("72.5", 72.5), (" 61\r\n", 61), ("20", 20), ("300", 300), ("1e2", 100)])
    func `reads a plain number`(text: String, rate: Double) throws {
        #expect(try Reading(text: text.utf8).beatsPerMinute == rate)
    }

    @Test(arguments: [
        "", " ", "ninety", "90 91", "90,5", "nan", "inf", "-inf", "-60", "0", "19.9", "300.1", "1e400",
        "0x5A", "90bpm",
        "９０", "\u{202E}90", "90\0", String(repeating: "9", count: 40),
    ])
    func `refuses what is no heart rate`(text: String) {
        let refusal = #expect(throws: Refusal.self) { try Reading(text: text.utf8) }
        #expect(refusal?.kind == .unprocessable)
    }

    @Test func `refuses what is not UTF-8`() {
        #expect(throws: Refusal.self) { try Reading(text: [0xFF, 0x39, 0x30]) }
    }

    @Test func `reads a batch`() throws {
        let readings = try Reading.all(
            in: json(
                #"{"samples":[{"bpm":60},{"bpm":61.5,"elapsed":1,"rr":[0.98]},{"bpm":62,"t":1479686400.123}]}"#
            ))
        #expect(
            readings == [
                Reading(beatsPerMinute: 60), Reading(beatsPerMinute: 61.5, elapsed: 1, rrIntervals: [0.98]),
                Reading(beatsPerMinute: 62, time: 1_479_686_400.123),
            ])
    }

    @Test(arguments: [
        "[]", "{}", "3", "null", #"{"samples":[]}"#, #"{"samples":{}}"#, #"{"samples":[1]}"#,
        #"{"bpm":"90"}"#,
        #"{"bpm":null}"#, #"{"bpm":90,"rr":[0]}"#, #"{"bpm":90,"rr":0.6}"#, #"{"bpm":90,"rr":["0.6"]}"#,
        #"{"bpm":90,"t":1}"#, #"{"bpm":90,"t":1e300}"#, #"{"bpm":90,"bmp":90}"#,
        #"{"samples":[{"bpm":90}],"x":1}"#,
    ])
    func `refuses other JSON`(text: String) throws {
        let value = try json(text)
        let refusal = #expect(throws: Refusal.self) { try Reading.all(in: value) }
        #expect(refusal?.kind == .unprocessable)
    }
}

@Suite struct SessionDescriptionTests {
    static let whole = """
        {"id":"9E5C4C57-0000","kind":"run","limits":{"high":120.0,"low":55.0},"participant":"P01","session":2,\
        "startedAt":1479686400.0,"steps":[{"duration":180.0,"expected":[[0.0,64.0,57.0,70.0]],"identifier":"warmUp",\
        "title":"Warm up"}],"study":"expected-workout","task":"workout","title":"Expected workout"}
        """

    @Test func `keeps what it was told`() throws {
        let description = try SessionDescription(json: json(Self.whole), now: 5)
        #expect(description.json.string == Self.whole)
    }

    @Test func `begins now where nothing else is said`() throws {
        #expect(try SessionDescription(json: json(#"{"id":"x"}"#), now: 1_500_000_000).start == 1_500_000_000)
    }

    @Test(arguments: [
        "{}", #"{"id":""}"#, #"{"id":"readings"}"#, #"{"id":"a/b"}"#, #"{"id":".."}"#,
        #"{"id":"x","kind":"readings"}"#,
        #"{"id":"x","kind":"?"}"#, #"{"id":"x","limits":{"low":100,"high":60}}"#,
        #"{"id":"x","limits":{"low":1}}"#,
        #"{"id":"x","steps":[{}]}"#, #"{"id":"x","steps":[{"identifier":"s","expected":[[0,1,2]]}]}"#,
        #"{"id":"x","steps":[{"identifier":"s","expected":[[0,1,2,-1]]}]}"#, #"{"id":"x","session":0}"#,
        #"{"id":"x","participant":"a\u0007"}"#, #"{"id":"x","unknown":1}"#,
    ])
    func `refuses nonsense`(text: String) throws {
        let value = try json(text)
        #expect(throws: Refusal.self) { try SessionDescription(json: value, now: 0) }
    }

    @Test(arguments: [
        "{}", #"{"events":[]}"#, #"{"events":[{}]}"#,
        #"{"events":[{"sequence":0,"kind":"over","elapsed":1}]}"#,
        #"{"events":[{"sequence":1,"kind":"whatever","elapsed":1}]}"#,
        #"{"events":[{"sequence":1,"kind":"over"}]}"#,
        #"{"events":[{"sequence":1,"kind":"over","elapsed":1,"extra":1}]}"#,
    ])
    func `refuses events that are none`(text: String) throws {
        let value = try json(text)
        #expect(throws: Refusal.self) { try RunEvent.all(in: value) }
    }
}

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

    @Test func `a moment stands for the day in which it lies`() throws {
        let day = try #require(CivilDay("2026-03-14"))
        for moment in [day.start, day.start + 3600.5, day.end - 1] {
            #expect(CivilDay(String(Int(moment))) == day)
        }
        #expect(CivilDay(String(Int(day.end))) == day.next)
    }

    @Test(arguments: ["2026-11-21", "2000-02-29", "2024-02-29", "2099-12-31", "2025-03-30"])
    func `is as long as a day can be, between its neighbours`(text: String) throws {
        let day = try #require(CivilDay(text))
        #expect(day.text == text)
        #expect([23, 24, 25].map { $0 * 3600 }.contains(day.end - day.start))
        #expect(day.next.start == day.end && day.previous.end == day.start)
        #expect(
            CivilDay(at: day.start) == day && CivilDay(at: day.end - 1) == day
                && CivilDay(at: day.end) == day.next)
    }

    @Test(arguments: [
        "", "2026", "2026-1-1", "2026-02-30", "2025-02-29", "2026-13-01", "2026-00-10", "1999-12-31",
        "2100-01-01",
        "+026-01-01", "2026-01-0x", "２026-01-01", "2026-01-01 ",
    ])
    func `is no other text`(text: String) { #expect(CivilDay(text) == nil) }
}

struct SplitMixForTests: RandomNumberGenerator {
    var state: UInt64
    init(seed: UInt64) { state = seed }
    mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var mixed = state
        mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
        mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
        return mixed ^ (mixed >> 31)
    }
}
