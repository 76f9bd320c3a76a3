import ArgumentParser
import BundleReplay
import Console
import Platform
import StudyModel
import TextFormat

package struct Docs: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "docs",
        abstract: "Shows the pages of the documentation, and searches them, without a net.",
        discussion: """
            Without words it lists the pages. With the name of a page, such as Sessions, it shows the page; with PAGE#SECTION, \
            a section. With other words it shows the section that says most of all of them, and names others.
            """)

    @Argument(help: "A page, a section, or words to look for.")
    var words: [String] = []

    func run() throws {
        try reporting {
            let book = try DocumentationBook()
            let asked = words.joined(separator: " ")
            if words.isEmpty {
                Output.emit(.lines(book.contents))
            } else if let text = book.text(of: asked) {
                Output.emit(.lines(text))
            } else {
                let found = book.sections(with: words)
                guard let best = found.first else {
                    throw StudyFailure(
                        "no section has all of these words: \(printable(asked)); use fewer, or 'entrain docs' for the pages",
                        .usage)
                }
                Output.emit(.lines(best.text))
                let others = found.dropFirst().prefix(8).map { "  entrain docs '\($0.name)'\n" }
                if !others.isEmpty { Output.emit(.lines("\nAlso:\n" + others.joined())) }
            }
        }
    }
}

/// The pages of the documentation, in sections.
private struct DocumentationBook {
    struct Section {
        var page: String
        /// `nil` for what stands above a page's first section.
        var heading: String?
        var lines: [String]

        /// `Sessions#Codes`
        var name: String { page + (heading.map { "#\($0)" } ?? "") }
        var text: String {
            let words = lines.drop(while: \.isEmpty).reversed().drop(while: \.isEmpty).reversed()
            return (["\(page)\(heading.map { ": \($0)" } ?? "")", ""] + words).joined(separator: "\n") + "\n"
        }
    }

    private var sections: [Section] = []
    private static let folder = "Sources/Documentation/Entrain.docc"

    init() throws {
        guard let data = DataFolder.path(holding: Self.folder) else {
            throw StudyFailure(
                "the pages are not here: set ENTRAIN_DATA to the folder with '\(Self.folder)'", .missing)
        }
        let pages = try Folder("\(data)/\(Self.folder)")
        for file in try pages.names(in: ".").filter({ $0.hasSuffix(".md") }).sorted() {
            add(String(decoding: try pages.read(file), as: UTF8.self), named: String(file.dropLast(3)))
        }
    }

    private mutating func add(_ text: String, named page: String) {
        var section = Section(page: page, heading: nil, lines: [])
        var isCode = false
        for line in text.split(separator: "\n", omittingEmptySubsequences: false) {
            if line.hasPrefix("```") { isCode.toggle() }
            if !isCode, line.hasPrefix("## ") || line.hasPrefix("### ") {
                sections.append(section)
                section = Section(
                    page: page, heading: String(line.drop { $0 == "#" }.dropFirst()), lines: [])
            } else if !line.hasPrefix("<!--") {
                section.lines.append(Self.plain(line))
            }
        }
        sections.append(section)
    }

    /// A line with the names of pages in place of links.
    private static func plain(_ line: Substring) -> String {
        String(line).replacing(#/<doc:([^>]*)>/#) {
            $0.output.1.replacing("#", with: ", ").replacing("-", with: " ")
        }
    }

    /// Each page with its first sentence.
    var contents: String {
        sections.filter { $0.heading == nil }.map { page in
            let words = page.lines.first { !$0.isEmpty && !$0.hasPrefix("#") } ?? ""
            return "\(page.page)\(String(repeating: " ", count: max(1, 18 - page.page.count)))\(words)\n"
        }.joined()
    }

    /// A page, or a section of one; `nil` if it has another name.
    func text(of name: String) -> String? {
        let parts = name.lowercased().split(separator: "#", maxSplits: 1).map(String.init)
        let page = sections.filter { $0.page.lowercased() == parts.first }
        guard parts.count > 1 else { return page.isEmpty ? nil : page.map(\.text).joined(separator: "\n") }
        let plain = { (heading: String) in heading.lowercased().replacing("-", with: " ") }
        return page.first { $0.heading.map(plain) == plain(parts[1]) }?.text
    }

    /// The sections that have all the words, those that say most of them first.
    func sections(with words: [String]) -> [Section] {
        let words = words.map { $0.lowercased() }
        let scored = sections.enumerated().compactMap { place, section -> (score: Int, place: Int)? in
            let heading = section.name.lowercased()
            let body = section.lines.joined(separator: "\n").lowercased()
            var score = section.page == "Changelog" || section.page == "Decisions" ? -20 : 0
            if section.heading?.lowercased() == words.joined(separator: " ") { score += 100 }
            for word in words {
                let count = body.ranges(of: word).count
                guard count > 0 || heading.contains(word) else { return nil }
                score += min(count, 8) + (heading.contains(word) ? 10 : 0)
            }
            return (score, place)
        }
        return scored.sorted { ($1.score, $0.place) < ($0.score, $1.place) }.map { sections[$0.place] }
    }
}
