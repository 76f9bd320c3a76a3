import Results
import Testing

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
            ["plain", "", "=1+1", "+1", "-1", "@x", "'x", "a,b", "a\"b", "a\nb", "\tx", "-1,2", "a=b"],
            [
                "plain", "\"\"", "'=1+1", "'+1", "'-1", "'@x", "''x", "\"a,b\"", "\"a\"\"b\"", "\"a\nb\"",
                "\"'\tx\"", "\"'-1,2\"", "a=b",
            ]))
    func `guards formulas and quotes what needs it`(text: String, cell: String) {
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

@Suite struct JSONCursorTests {
    @Test(arguments: [
        "{}", "[]", "1.50", "\"a\\\"b\"", "{\"a\":[1,{\"b\":\"}\"}],\"c\":null}", " [ 1 , 2 ] ",
    ])
    func `passes one value`(text: String) throws {
        var cursor = JSONCursor(Array(text.utf8))
        let range = try cursor.value()
        #expect(cursor.text(range) == text.filter { $0 != " " } || text.hasPrefix(" "))
        let hasMore = cursor.hasMore
        #expect(!hasMore)
    }

    @Test(arguments: ["", "{", "[1,2", "\"abc", "}", ",", "\"a\\"])
    func `says what is not whole`(text: String) {
        var cursor = JSONCursor(Array(text.utf8))
        #expect(throws: Unlike.self) { try cursor.value() }
    }

    @Test(arguments: ["{1:2}", "{\"a\" 1}", "{\"a\":1 \"b\":2}", "[", "{\"a\":1,}"])
    func `refuses members that are none`(text: String) {
        var cursor = JSONCursor(Array(text.utf8))
        #expect(throws: Unlike.self) { try cursor.members { cursor, _ in try cursor.value() } }
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
}
