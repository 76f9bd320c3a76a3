import TextFormat

/// The first page of a folder for whoever reviews a study.
package struct AuditPage {
    /// What a command of the program says about the study.
    package struct Part {
        package var title: String
        /// What the reader learns from it, in a sentence.
        package var purpose: String
        /// Files of the folder.
        package var files: [String]
        /// What the command wrote, in lines.
        package var words: String

        package init(_ title: String, _ purpose: String, files: [String], words: String) {
            (self.title, self.purpose, self.files, self.words) = (title, purpose, files, words)
        }
    }

    private let title: String
    private let facts: [(name: String, value: String)]
    private let open: [String]
    private let parts: [Part]

    /// - Parameters:
    ///   - title: what the study is called.
    ///   - facts: what identifies it.
    ///   - open: what is not settled, in sentences.
    package init(title: String, facts: [(name: String, value: String)], open: [String], parts: [Part]) {
        (self.title, self.facts, self.open, self.parts) = (title, facts, open, parts)
    }

    /// The page.
    package var html: String {
        var page = ReportPage(title: "For review: \(title)", style: "details pre { white-space: pre-wrap; }")
        let items = facts.map {
            "<div><dt>\(HTML.escaped($0.name))</dt><dd>\(HTML.escaped($0.value))</dd></div>"
        }
        page.add("<dl class=\"items\">\(items.joined())</dl>\n")
        page.addSection(
            "What is open",
            open.isEmpty
                ? "<p>Nothing of what the program looks at.</p>\n"
                : "<ul>\(open.map { "<li>\(HTML.escaped($0))</li>" }.joined(separator: "\n"))</ul>\n")
        for part in parts {
            let links = part.files.map { "<a href=\"\(HTML.escaped($0))\">\(HTML.escaped($0))</a>" }
            page.addSection(
                part.title, note: part.purpose,
                "<p>\(links.joined(separator: ", "))</p>\n<details><summary>What it says</summary>"
                    + "<pre>\(HTML.escaped(part.words))</pre></details>\n")
        }
        page.add(
            "<footer>Made by entrain audit. The same study and options give the same files again, but for a drill.</footer>\n"
        )
        return page.text
    }
}
