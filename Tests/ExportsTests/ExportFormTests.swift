import Results
import Testing
import TextFormat

@testable import Datasets
@testable import Exports

@Suite struct ExportFormTests {
    static let naughty = [
        "plain", "tab\tin it", "line\nfeed", "\r\n", "\"quoted\"", "\\", "\\n", "n/a", "NA", "null", "nan",
        " ",
        "  edges ", "=1+1", "+1", "-1", "@x", "'", "\u{0}\u{1}\u{7F}", "\u{85}\u{2028}\u{2029}", "\u{FEFF}x",
        "👩‍👩‍👧‍👦", "𝕳", "السلام", "ﷺ", "\u{202E}abc", "<script>", "%s%n", "a,b;c|d", "\u{0}",
    ]

    @Test(arguments: naughty)
    func `a text in a table is one cell and comes back`(text: String) throws {
        let cell = BIDSTable.escaped(text)
        #expect(!cell.isEmpty)
        #expect(!cell.unicodeScalars.contains { $0 == "\t" || $0 == "\n" || $0 == "\r" || $0 == "\"" })
        #expect(!["n/a", "NA", "null", "nan"].contains(cell))
        #expect(!"=+-@ ".contains(cell.prefix(1)))
        #expect(try JSON(parsing: Array("\"\(cell)\"".utf8)).text == text)
    }

    @Test func `missing values and numbers are written as BIDS wants them`() {
        var table = BIDSTable(["a", "b"])
        table.rows = [[.missing, .real(65)], [.integer(3), .init(Double.nan)], [.text(""), .real(0.5)]]
        #expect(String(decoding: table.bytes, as: UTF8.self) == "a\tb\nn/a\t65.0\n3\tn/a\nn/a\t0.5\n")
    }

    @Test func `names for files keep people apart`() {
        let labels = RunNames.labels([
            "P-01", "P01", "p01", "Zoë", "日本", "", "a b", String(repeating: "x", count: 99),
        ])
        #expect(labels.count == 8)
        #expect(Set(labels.values.map { $0.lowercased() }).count == 8)
        for label in labels.values {
            #expect(label.utf8.count <= 41)
            #expect(label.allSatisfy { $0.isASCII && ($0.isLetter || $0.isNumber) })
        }
        #expect(RunNames.labels(["P01", "P02"]) == ["P01": "P01", "P02": "P02"])
    }

    @Test func `compresses without a name and without a time`() throws {
        let compressed = try Deflation.packed(Array("0.0\t65.0\n".utf8), level: 9)
        #expect(Array(compressed.prefix(4)) == [0x1F, 0x8B, 8, 0])
        #expect(Array(compressed[4..<8]) == [0, 0, 0, 0])
        #expect(try Deflation.packed([], level: 0).count > 18)
    }

    @Test func `an address within a folder is written with escapes`() {
        #expect(OldResearchKitExport.address("steps/02-a b/ö.json") == "steps/02-a%20b/%C3%B6.json")
    }

    @Test func `XDF holds no characters that XML cannot`() {
        #expect(XMLText.escaped("<a & \"b\">\u{0}\n") == "&lt;a &amp; &quot;b&quot;&gt;\u{FFFD}&#10;")
    }
}
