import Hashing
import Results
import Testing
import TextFormat

@testable import Datasets

@Suite struct TableTextTests {
    /// A row of draws whose stream is `text`, as CSV.
    private func row(_ text: String) -> TableText {
        var table = TableText(.draws)
        for lead in ["run", "study", "P01"] { table.text(lead) }
        table.integer(1)
        table.leadEveryRow()
        table.beginRow()
        table.integer(1)
        table.integer(1)
        table.text(text)
        table.text("uniform")
        table.text("clip")
        table.integer(4)
        table.missing()
        table.missing()
        table.endRow()
        return table
    }

    @Test(
        arguments: zip(
            [
                "plain", "", "=1+1", "+1", "-1", "@x", "'x", "a,b", "a\"b", "a\nb", "\tx", "-1,2", "a=b",
                "two words",
                " lead", "a;b", "7", "1,5",
            ],
            [
                "plain", "\"'\"", "'=1+1", "'+1", "'-1", "'@x", "''x", "\"a,b\"", "\"a\"\"b\"", "\"a\nb\"",
                "\"'\tx\"", "\"'-1,2\"", "a=b", "two words", " lead", "a;b", "'7", "\"'1,5\"",
            ]))
    func `guards what would be taken for something else, and quotes what needs it`(text: String, cell: String)
    {
        #expect(
            String(decoding: row(text).csv, as: UTF8.self) == "run,study,P01,1,1,1,\(cell),uniform,clip,4,,\n"
        )
    }

    @Test(arguments: ["", "=1+1", "a\"b\\c", "a\nb\u{0}c", "é日本\u{1F600}", "'", "\u{202E}x"])
    func `NDJSON gives every text back as it was`(text: String) throws {
        let json = try JSON(parsing: row(text).ndjson)
        #expect(json["stream"]?.text == text)
        #expect(json["number"] == .null)
        #expect(json["pool_size"] == 4)
    }

    @Test(arguments: [
        "", "'", "=1+1", "-'", "a\"b", "\"\u{301}x", "a,b", "a\nb", "\u{0}", "x'", "7", " ", "TRUE", "P01",
        "é,日本\u{1F600}", "=\"",
    ])
    func `a cell is the same in tables of datasets and of monitors`(text: String) {
        var cell: [UInt8] = []
        cell.append(cell: Array(text.utf8), 0..<text.utf8.count)
        #expect(CommaSeparated.cell(text) == String(decoding: cell, as: UTF8.self))
    }

    private func guards(_ text: String) -> Bool {
        let bytes = Array(text.utf8)
        return CellGuard.guards(bytes.span)
    }

    @Test(arguments: [
        "MARCH1", "SEPT2", "DEC-1", "Oct 4", "1-Mar", "5 May", "2 June 2026", "Jan 2026", "1. Mai", "3. März",
        "9 am",
        "9:30 PM", "10:15 p", "4 août", "12 %", "5%", "$5", "€ 3.50", "(5)", "1,000", "1,5", "Apr.7",
        "7/Nov/25",
    ])
    func `a text that a spreadsheet takes for a day, a time or an amount is guarded`(text: String) {
        #expect(guards(text))
    }

    @Test(arguments: [
        "P01", "A1", "May", "march on 3", "MARC1", "Marta 2", "a 7", "clip 3 pm", "%", "(a)", "sub-1",
    ])
    func `a text that is none of these is not guarded`(text: String) { #expect(!guards(text)) }

    @Test(arguments: [
        "1", "007", "1.5", "1e5", ".5", "5.", "0x1F", "0B1", "1i", "2+3i", "inf", "Infinity", "nan", "NA",
        "n/a", "NULL", "None",
        "<NA>", "#N/A", "true", "TRUE", "T", "f", "yes", "no", "1990-05-01", "1.5.1990", "12:30:00", "epoch",
        " 7", "7 ", "\u{0663}", " ", "1.2.30", "1990.5.1",
        "2026-11-21 05:00:00.123456+01:00", "18446744073709551615", "1.#IND", "",
        "1234567890123456789012345678901234567890123456789012345678901234",
    ])
    func `a text that programs take for a number, a time, a truth or nothing is guarded`(text: String) {
        #expect(guards(text))
    }

    @Test(arguments: [
        "P01", "rest", "12345678-1234-4123-8123-123456789012", "12345678-1234-4123-8123-123456789abc", "no.",
        "nan's", "1st",
        "a 1", "e5", ".", "..", "0.1.0", "{}", "[1,2]", "tree", "\u{65E5}", "12 clips", "x'y", "1990s",
        "infinite", "1.x",
    ])
    func `any other text is as it was`(text: String) {
        #expect(!guards(text))
    }

    @Test func `a real number has a point, however it was written`() {
        for (written, wanted) in [
            ("64", "64.0"), ("64.5", "64.5"), ("1e3", "1e3"), ("-2", "-2.0"), ("1E-2", "1E-2"),
        ] {
            var table = TableText(.draws)
            table.plain(Array(written.utf8), 0..<written.utf8.count)
            #expect(String(decoding: table.csv, as: UTF8.self) == wanted)
            #expect(String(decoding: table.ndjson, as: UTF8.self) == "{\"run\":" + wanted)
        }
    }

    @Test func `numbers are never guarded`() {
        var table = TableText(.draws)
        for _ in 0..<3 { table.text("x") }
        for _ in 0..<3 { table.integer(-1) }
        for _ in 0..<3 { table.text("x") }
        for _ in 0..<3 { table.integer(-2) }
        table.endRow()
        #expect(String(decoding: table.csv, as: UTF8.self) == "x,x,x,-1,-1,-1,x,x,x,-2,-2,-2\n")
    }
}

@Suite struct CellTextTests {
    private func text(_ write: (inout [UInt8]) -> Void) -> String {
        var bytes: [UInt8] = []
        write(&bytes)
        return String(decoding: bytes, as: UTF8.self)
    }

    @Test(
        arguments: zip(
            [
                0, 1, -1, 9_524_000_000, 37_324_000_000, 1_000_000_000, 100, 123_456_789_000_000_001,
                -500_000_000,
            ],
            [
                "0.0", "0.000000001", "-0.000000001", "9.524", "37.324", "1.0", "0.0000001",
                "123456789.000000001", "-0.5",
            ]))
    func `writes nanoseconds as seconds with a point`(nanoseconds: Int, seconds: String) {
        #expect(text { $0.append(secondsOfNanoseconds: nanoseconds) } == seconds)
    }

    @Test(arguments: [0, 7, -7, 10, 12_345, .max, .min])
    func `writes whole numbers`(number: Int) {
        #expect(text { $0.append(number: number) } == "\(number)")
    }

    @Test func `writes JSON as a text of JSON`() throws {
        let json: JSON = ["a\"b\\": ["\n", 1.5], "é": .null]
        var row = TableText(.events)
        for _ in 0..<3 { row.text("x") }
        row.integer(1)
        row.integer(1)
        row.seconds(nanoseconds: 0)
        row.word("event")
        let written = json.encoded()
        let name = Array("\"n\\u0061me\"".utf8)
        try row.string(name, name.indices)
        row.json(written, written.indices)
        row.endRow()
        let read = try JSON(parsing: row.ndjson)
        #expect(read["name"]?.text == "name")
        #expect(try JSON(parsing: Array((read["detail"]?.text ?? "").utf8)) == json)
    }
}

@Suite struct MisplacedTextTests {
    /// A source that is a number stopped the program.
    @Test(arguments: ["5", "12", "", "null", "[\"a\"]"])
    func `what is no text is refused where a text should stand`(written: String) {
        var row = TableText(.events)
        let bytes = Array(written.utf8)
        #expect(throws: WireFailure.self) { try row.string(bytes, bytes.indices) }
    }
}

@Suite struct TimeTextTests {
    @Test(
        arguments: zip(
            [0, 1, 86_399_999, 86_400_000, 1_767_258_014_083, -1, 951_782_400_000],
            [
                "1970-01-01T00:00:00.000Z", "1970-01-01T00:00:00.001Z", "1970-01-01T23:59:59.999Z",
                "1970-01-02T00:00:00.000Z", "2026-01-01T09:00:14.083Z", "1969-12-31T23:59:59.999Z",
                "2000-02-29T00:00:00.000Z",
            ]))
    func `writes times with three decimals`(milliseconds: Int, text: String) {
        var time = TimeText()
        #expect(String(decoding: time.write(milliseconds), as: UTF8.self) == text)
    }

    @Test func `other columns are another version of datasets`() {
        let columns = Table.allCases.flatMap { table in
            table.columns.map { "\(table.rawValue).\($0.name) \($0.kind)" }
        }
        #expect(DatasetIndex.version == 28)
        #expect(
            SHA256.hexadecimal(of: columns.joined(separator: "\n"))
                == "8a72a72880218d460ad2fea14340984c0e7b3052080b1f861e61e5a597074bd8",
            "a dataset of before would be gone on with: the version must be another one")
    }
}
