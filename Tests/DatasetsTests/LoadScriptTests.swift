import Testing

@testable import Datasets

@Suite struct LoadScriptTests {
    /// A script that lacked a table would drop its rows where datasets are put together.
    @Test(arguments: LoadScript.allCases) func `every script has every table and view, and counts all tables`(
        script: LoadScript
    ) throws {
        let text = script.text(for: try DatasetIndex(ofDataset: "/nowhere"))
        for table in Table.allCases {
            #expect(text.contains("\(script == .sqlite ? "TABLE" : "VIEW") \(table.rawValue)"), "\(table)")
            #expect(text.contains("SELECT '\(table.rawValue)' AS name"), "\(table)")
        }
        for view in ["hearts", "intervals", "labelled", "counts"] {
            #expect(text.contains("VIEW \(view) AS"), "\(view)")
        }
    }
}
