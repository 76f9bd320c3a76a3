import Results
import SessionPorts
import StudyModel
import Testing

@testable import Platform
@testable import Signals

@Suite struct LiveReadingTests {
    @Test(arguments: [
        ("90", LiveReading(rate: 90)), (" 72.5 ", LiveReading(rate: 72.5)), ("0", LiveReading(rate: nil)),
        ("-1", LiveReading(rate: nil)), (#"{"bpm":90}"#, LiveReading(rate: 90)),
        (
            #"{"HeartRate": 61.5, "timestamp": 1479686400.123, "rrIntervals": [0.66, 800], "contact": true}"#,
            LiveReading(rate: 61.5, rrIntervals: [0.66, 0.8], time: 1_479_686_400.123, contact: true)
        ),
        (#"{"hr":60,"t":1479686400123}"#, LiveReading(rate: 60, time: 1_479_686_400.123)),
        (#"{"hr":60,"time":"2016-11-21T00:00:00Z"}"#, LiveReading(rate: 60, time: 1_479_686_400)),
        (#"{"rr":850}"#, LiveReading(rate: nil, rrIntervals: [0.85])),
        (#"{"bpm":null,"rr":[0.9]}"#, LiveReading(rate: nil, rrIntervals: [0.9])),
    ])
    func `reads what scripts send`(line: String, expected: LiveReading) throws {
        #expect(try LiveReading.all(inLine: line.utf8) == [expected])
    }

    @Test func `reads several at once`() throws {
        #expect(
            try LiveReading.all(inLine: #"[61, {"bpm": 62}]"#.utf8).map(\.rate) == [61, 62])
    }

    @Test(arguments: [
        "x", "", "{}", #"{"bpm":"fast"}"#, #"{"bpm":1000}"#, #"{"bpm":60,"rr":[0]}"#, #"{"bpm":60,"rr":"a"}"#,
        #"{"bpm":60,"t":"yesterday"}"#, #"{"bpm":60,"t":-5}"#, "true", #""90""#, "[[90]]", "90 91", "1e999",
        "\u{1B}[2J",
    ])
    func `refuses everything else, in words`(line: String) {
        let problem = #expect(throws: LiveReading.Malformed.self) { try LiveReading.all(inLine: line.utf8) }
        #expect(problem?.text.isEmpty == false)
        #expect(problem?.text.contains("\u{1B}") == false)
    }
}

@Suite struct LiveInboxTests {
    private func reading(_ rate: Double, _ time: Double?) -> LiveReading {
        LiveReading(rate: rate, time: time)
    }

    @Test func `a reading is as old as its time says, where the clocks agree`() {
        var inbox = LiveInbox(from: .start, usualAge: 10)
        let samples = inbox.take(
            [reading(60, 1_000_005), reading(61, 1_000_009)], at: .seconds(20), wall: 1_000_010)
        #expect(samples.map(\.instant) == [.seconds(15), .seconds(19)])
        #expect(samples.allSatisfy { $0.arrival == .seconds(20) })
        #expect(inbox.tally.remarks == [])
    }

    @Test func `the order of time is made again, doubles are left out, and both are told`() {
        var inbox = LiveInbox(from: .start, usualAge: 10)
        let first = inbox.take(
            [reading(62, 1_000_003), reading(60, 1_000_001), reading(60, 1_000_001)], at: .seconds(5),
            wall: 1_000_003)
        #expect(first.map(\.value.heart?.rate) == [60, 62])
        let second = inbox.take(
            [reading(61, 1_000_002), reading(62, 1_000_003)], at: .seconds(6), wall: 1_000_004)
        #expect(second.map(\.instant) == [.seconds(4)])
        #expect(inbox.tally.doubled == 2 && inbox.tally.disordered == 1)
        #expect(inbox.tally.remarks.count == 2)
    }

    @Test(arguments: [-3600.0, 3600, 315_000_000])
    func `a clock that is wrong is set by its freshest reading, and that is told`(skew: Double) {
        var inbox = LiveInbox(from: .start, usualAge: 10)
        let told = { (seconds: Double) in 1_000_000_000 + seconds + skew }
        let first = inbox.take(
            [reading(60, told(8)), reading(61, told(9))], at: .seconds(10), wall: 1_000_000_010)
        #expect(first.map { ($0.instant.offset.seconds * 1000).rounded() } == [9000, 10_000])
        let second = inbox.take([reading(62, told(19.5))], at: .seconds(20), wall: 1_000_000_020)
        #expect(second.map { ($0.instant.offset.seconds * 1000).rounded() } == [20_000])
        #expect(
            inbox.tally.remarks.first?.contains(skew > 0 ? "ahead of this machine" : "behind this machine")
                == true)
    }

    @Test func `what is older than the run is left out, and counted`() {
        var inbox = LiveInbox(from: .seconds(3), usualAge: 10)
        let samples = inbox.take(
            [reading(60, 1_000_000), reading(61, 1_000_009)], at: .seconds(10), wall: 1_000_010)
        #expect(samples.map(\.value.heart?.rate) == [61])
        #expect(inbox.tally.tooOld == 1)
    }

    @Test func `the first reading's time is the origin of the others' elapsed time, whatever the clock`() {
        for skew in [0, -3600.0] {
            var inbox = LiveInbox(from: .seconds(3), usualAge: 10)
            let told = { (seconds: Double) in 1_000_000_000 + seconds + skew }
            // The server has been there for 100 s.
            let first = inbox.take(
                [reading(60, told(-90)), reading(61, told(8.25)), reading(62, nil)], at: .seconds(10),
                wall: 1_000_000_010)
            #expect(first.map(\.value.heart?.elapsed) == [98.25, nil])
            let known = SourceInformation(origin: told(-90), samplesBeforeRun: 1)
            #expect(inbox.news() == [.told(known)])
            #expect(inbox.news() == [])
            let second = inbox.take([reading(63, told(19.5))], at: .seconds(20), wall: 1_000_000_020)
            #expect(second.map(\.value.heart?.elapsed) == [109.5])
            #expect(inbox.news() == [])
        }
    }

    @Test func `readings without a time are new, each`() {
        var inbox = LiveInbox(from: .start, usualAge: 10)
        #expect(inbox.take([reading(60, nil), reading(60, nil)], at: .seconds(1), wall: 5).count == 2)
        #expect(inbox.tally.doubled == 0)
    }
}

@Suite struct PollAnswerTests {
    @Test func `reads the server's own form, lists, single readings and lines`() {
        let own = PollAnswer(
            Array(#"{"cursor":"77","samples":[{"t":5,"elapsed":1,"bpm":90.0,"rr":[]}]}"#.utf8))
        #expect(own.cursor == "77" && own.readings == [LiveReading(rate: 90, time: 5)])
        let list = PollAnswer(Array(#"[{"bpm":60,"t":7},{"bpm":61,"t":6.5}]"#.utf8))
        #expect(list.cursor == "7" && list.readings.count == 2)
        let lines = PollAnswer(
            Array("{\"bpm\":60,\"time\":\"2016-11-21T00:00:00Z\"}\r\n\n{\"bpm\":61}\n".utf8))
        #expect(lines.cursor == "2016-11-21T00:00:00Z" && lines.readings.count == 2)
        #expect(PollAnswer(Array("64".utf8)).readings == [LiveReading(rate: 64)])
        #expect(PollAnswer([]).readings == [] && PollAnswer([]).problems == [])
        #expect(PollAnswer(Array("[]".utf8)) == PollAnswer([]))
    }

    @Test func `keeps what it understands and names what it does not`() {
        let answer = PollAnswer(Array("{\"bpm\":60,\"t\":1}\n<html>\n{\"bpm\":61,\"t\":2}\n".utf8))
        #expect(answer.readings.map(\.rate) == [60, 61])
        #expect(answer.problems.count == 1 && answer.problems[0].text.contains("'<html>'"))
    }
}

@Suite struct PollTests {
    private func poll(_ url: String = "http://h/x") -> Poll { Poll(PolledServer(url: url), from: .start) }

    private func answer(
        _ body: String, status: Int = 200, headers: [HTTPHeader] = []
    ) -> Result<HTTPResponse, HTTPFailure> {
        .success(HTTPResponse(head: HTTPHead(status: status, headers: headers), body: Array(body.utf8)))
    }

    @Test func `asks for everything first, then for what is new`() {
        var plain = poll()
        #expect(plain.question == "http://h/x")
        _ = plain.take(answer(#"{"cursor":"a b","samples":[]}"#), at: .start, wall: 0)
        #expect(plain.question == "http://h/x?since=a%20b")
        var query = poll("http://h/x?k=1")
        _ = query.take(answer(#"[{"bpm":60,"t":1479686400.5}]"#), at: .start, wall: 1_479_686_400.5)
        #expect(query.question == "http://h/x?k=1&since=1479686400.5")
        var placed = poll("http://h/{cursor}/x")
        #expect(placed.question == "http://h/null/x")
        _ = placed.take(answer(#"{"cursor":9,"samples":[]}"#), at: .start, wall: 0)
        #expect(placed.question == "http://h/9/x")
    }

    @Test func `an error is told once, and the server is asked on`() {
        var poll = poll()
        #expect(poll.take(answer("", status: 500), at: .start, wall: 0) == [.lost("the server answers 500")])
        #expect(poll.take(answer("", status: 500), at: .seconds(10), wall: 0) == [])
        let slow = HTTPFailure.tooSlow("30 s")
        #expect(
            poll.take(.failure(slow), at: .seconds(20), wall: 0) == [
                .lost("the server is too slow: 30 s")
            ])
        let reports = poll.take(answer(#"[{"bpm":60}]"#), at: .seconds(30), wall: 0)
        #expect(reports.first == .live && reports.count == 2)
        #expect(
            poll.remarks == ["requests without an answer: 3; the last time: the server is too slow: 30 s"])
    }

    @Test func `does as a server says that wants to be left alone, or wants a token`() {
        var poll = poll()
        _ = poll.take(
            answer("", status: 503, headers: [HTTPHeader("retry-after", "120")]), at: .seconds(10), wall: 0)
        #expect(poll.notBefore == .seconds(130))
        guard case .lost(let words)? = poll.take(answer("", status: 401), at: .seconds(130), wall: 0).first
        else {
            Issue.record("it is not lost")
            return
        }
        #expect(words.description.contains("ENTRAIN_TOKEN"))
    }

    @Test func `a page instead of readings is an error`() {
        var poll = poll()
        let lost = SourceReport.lost("none of the readings in the server's answers is understood")
        #expect(poll.take(answer("<html>"), at: .start, wall: 0) == [lost])
        // The next page says the same in other words: that is for the end.
        #expect(poll.take(answer("<body>"), at: .seconds(10), wall: 10) == [])
        #expect(
            poll.remarks.last?.hasPrefix("readings that were not understood: 2; the first: '<html>'") == true)
    }

    @Test func `a server that tells nothing new is lost, until it does`() {
        var poll = poll()
        let first = poll.take(answer(#"[{"bpm":60,"t":1}]"#), at: .start, wall: 1)
        #expect(first.prefix(2) == [.live, .told(SourceInformation(origin: 1))])
        #expect(poll.take(answer("[]"), at: .seconds(10), wall: 11) == [])
        #expect(
            poll.take(answer("[]"), at: .seconds(30), wall: 31) == [
                .lost("the server has sent nothing new for 30 s")
            ])
        #expect(poll.take(answer("[]"), at: .seconds(35), wall: 36) == [])
        #expect(poll.take(answer(#"[{"bpm":60,"t":39}]"#), at: .seconds(40), wall: 41).first == .live)
    }
}

@Suite struct PushDeskTests {
    private func line(_ text: String) -> PushInterpreter.Input { .line(.line(Array(text.utf8))) }

    @Test func `is live with the first reading, lost in silence, and ends with its sender`() {
        var interpreter = PushInterpreter(from: .start)
        let first = interpreter.take(line("90\r"), at: .seconds(1), wall: 0)
        #expect(
            first == [
                .report(.live),
                .report(.sample(Timed(HeartRateSample(rate: 90), at: .seconds(1), arrival: .seconds(1)))),
                .wake(.seconds(11)),
            ])
        #expect(interpreter.take(line("91"), at: .seconds(8), wall: 0).count == 1)
        #expect(interpreter.take(.woke, at: .seconds(11), wall: 0) == [.wake(.seconds(18))])
        #expect(
            interpreter.take(.woke, at: .seconds(18), wall: 0) == [
                .report(.lost("no reading for 10 s")), .wake(.seconds(28)),
            ])
        #expect(interpreter.take(line("92"), at: .seconds(19), wall: 0).first == .report(.live))
        #expect(interpreter.take(.line(.ended), at: .seconds(20), wall: 0).last == .end)
    }

    @Test func `lines that are no readings are counted and cost nothing`() {
        var interpreter = PushInterpreter(from: .start)
        for text in ["", "  ", "beat", "{\"bpm\":}"] {
            #expect(interpreter.take(line(text), at: .seconds(1), wall: 0) == [])
        }
        #expect(interpreter.take(.line(.tooLong), at: .seconds(1), wall: 0) == [])
        #expect(
            interpreter.remarks.count == 1
                && interpreter.remarks[0].hasPrefix("readings that were not understood: 3"))
    }

    @Test func `a socket that cannot be had is a failure`() {
        var interpreter = PushInterpreter(from: .start)
        #expect(interpreter.take(.line(.failed("no")), at: .start, wall: 0) == [.fail(SourceFailure("no"))])
    }
}

@Suite struct EventParserTests {
    @Test func `takes events apart however they are cut`() {
        let text =
            ": alive\n\nid: 7\ndata: 90\n\nevent: heartRate\r\nid: 8\r\ndata: {\"bpm\":\r\ndata: 91}\r\n\r\n"
            + "event: session\ndata: {}\n\nretry: 250\nid:9\rdata:92\r\rdata: 93"
        let bytes = Array(text.utf8)
        for cut in 0...bytes.count {
            var parser = ServerEventParser(names: ["", "message", "heartRate"])
            let found = parser.take(Array(bytes[..<cut])) + parser.take(Array(bytes[cut...]))
            #expect(
                found.map { String(decoding: $0, as: UTF8.self) } == ["90\n", "{\"bpm\":\n91}\n", "92\n"])
            #expect(parser.lastIdentifier == "9")
            #expect(parser.pause == .milliseconds(250))
        }
    }

    @Test func `what was not ended is forgotten when the stream begins anew`() {
        var parser = ServerEventParser(names: ["", "message", "heartRate"])
        #expect(parser.take(Array("id: 3\ndata: 1\n".utf8)).isEmpty)
        parser.begin()
        #expect(parser.take(Array("\ndata: 2\n\n".utf8)) == [Array("2\n".utf8)])
        #expect(parser.lastIdentifier == nil)
    }
}
