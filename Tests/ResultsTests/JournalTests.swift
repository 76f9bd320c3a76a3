import Platform
import StudyModel
import StudyTesting
import Testing
import TextFormat

@testable import Results

@Suite struct JournalTests {
    @Test(arguments: 0..<300 as Range<UInt64>)
    func `every event and every effect reads back as the same`(seed: UInt64) throws {
        var random = SampleValues(seed: seed)
        let records =
            (0..<SampleValues.eventKinds).map { kind in
                Journal.Record(.event(random.event(kind)), at: random.instant())
            }
            + (0..<SampleValues.effectKinds).map { kind in
                Journal.Record(.effect(random.effect(kind)), at: random.instant())
            }
        #expect(try Journal(parsing: encoded(records)).records == records)
    }

    @Test(arguments: 0..<10)
    func `every kind of answer reads back as the same`(kind: Int) throws {
        var random = SampleValues(seed: 7)
        for _ in 0..<50 {
            let answer = random.answer(kind)
            #expect(try Answer(wire: JSON(parsing: answer.wire.encoded())) == answer)
        }
    }

    @Test func `an infinite number is kept too`() throws {
        let records = [Journal.Record(.event(.observed(.infinity)), at: .start)]
        #expect(try Journal(parsing: encoded(records)).records == records)
    }

    @Test func `the journal stays as documented`() {
        let records: [Journal.Record] = [
            .init(.event(.begin), at: .start),
            .init(
                .effect(.wake(Wake(ordinal: 2, segment: 1, moment: .end), at: .seconds(30))),
                at: .seconds(1.5)),
            .init(.event(.answered([GivenAnswer(question: "mood", answer: .scale(7))])), at: .seconds(31)),
            .init(.effect(.end(.completed)), at: .seconds(32)),
        ]
        #expect(goldenDifference(String(decoding: encoded(records), as: UTF8.self), "journal.jsonl") == nil)
    }

    @Test func `torn at any byte, all that was whole is read`() throws {
        var random = SampleValues(seed: 3)
        let records = (0..<8).map { _ in random.record() }
        let bytes = encoded(records)
        let ends = Lines(of: bytes).whole.map { $0.upperBound + 1 }
        for length in ends[0]...bytes.count {
            let prefix = try JournalPrefix(of: Array(bytes[..<length]))
            let whole = ends.count { $0 <= length }
            #expect(prefix.journal.records == Array(records.prefix(whole - 1)))
            #expect(prefix.goodBytes == ends[whole - 1])
            #expect((prefix.problem == nil) == (length == prefix.goodBytes))
        }
        for length in 0..<ends[0] {
            #expect(throws: FileFailure.self) { try JournalPrefix(of: Array(bytes[..<length])) }
        }
    }

    @Test func `a line gone or garbled is an error of a sealed journal and the end of a running one`() throws
    {
        let records = (0..<4).map { Journal.Record(.event(.saved($0)), at: .seconds(Double($0))) }
        let lines = Lines(of: encoded(records)).whole.map { encoded(records)[$0] + [UInt8(ascii: "\n")] }
        let missing = Array((lines[..<2] + lines[3...]).joined())
        let garbled = Array((lines[..<2] + [Array("{\"n\":2,\"t\":0}\n".utf8)[...]] + lines[3...]).joined())
        for bytes in [missing, garbled] {
            let error = #expect(throws: FileFailure.self) { try Journal(parsing: bytes) }
            #expect(error?.description.contains("line 3") == true)
            #expect(try JournalPrefix(of: bytes).journal.records == [records[0]])
        }
    }

    @Test func `a journal of another format is refused`() throws {
        let text = String(decoding: encoded([]), as: UTF8.self)
            .replacing(#""journal":1"#, with: #""journal":2"#)
        #expect(throws: FileFailure.self) { try Journal(parsing: Array(text.utf8)) }
    }

    private func encoded(_ records: [Journal.Record]) -> [UInt8] {
        var text = JSONText()
        text.value(Sample.header().wire)
        text.endLine()
        for (index, record) in records.enumerated() { record.write(to: &text, number: index + 1) }
        return text.bytes
    }
}
