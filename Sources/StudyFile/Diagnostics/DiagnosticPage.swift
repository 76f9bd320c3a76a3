extension DiagnosticCode {
    /// The mistake in a few words.
    package var title: String { page.title }
    /// Why it is a mistake.
    package var explanation: String { page.explanation }
    /// A study that has the mistake.
    ///
    /// `nil` for mistakes that no short text can show.
    package var example: String? { markedExample.map { $0.filter { $0 != "1️⃣" } } }
    /// `example` with the mark `1️⃣` at the place that the diagnostic points to.
    package var markedExample: String? { page.example }
    /// The same study without the mistake.
    package var remedy: String { page.remedy }

    /// The lines in which `example` and `remedy` differ; `nil` if there is no example.
    package var difference: (mistake: String, remedy: String)? {
        guard let example else { return nil }
        let pair = [example, remedy].map { $0.split(separator: "\n", omittingEmptySubsequences: false) }
        let shorter = min(pair[0].count, pair[1].count)
        var head = zip(pair[0], pair[1]).prefix { $0 == $1 }.count
        let tail = min(zip(pair[0].reversed(), pair[1].reversed()).prefix { $0 == $1 }.count, shorter - head)
        if head + tail == shorter, head > 0 { head -= 1 }
        let lines = pair.map { $0[head..<($0.count - tail)].joined(separator: "\n") }
        return (lines[0], lines[1])
    }

    private var page: DiagnosticPage {
        guard let page = DiagnosticPage.all[rawValue] else {
            preconditionFailure("Pages.md has no section '\(rawValue)'")
        }
        return page
    }
}

/// The explanation of a kind of mistake: a section of `Pages.md`.
package struct DiagnosticPage {
    var title: String
    var explanation: String
    /// The example, with the mark `1️⃣` before the place that the diagnostic points to.
    var example: String?
    var remedy: String

    /// The pages of all codes, which are read when the first of them is needed.
    package static let all = pages(in: String(decoding: PackageResources.Pages_md, as: UTF8.self))

    private static func pages(in text: String) -> [String: DiagnosticPage] {
        var sections: [[Substring]] = []
        for line in text.split(separator: "\n", omittingEmptySubsequences: false) {
            if line.hasPrefix("## ") { sections.append([]) }
            if !sections.isEmpty { sections[sections.count - 1].append(line) }
        }
        return Dictionary(uniqueKeysWithValues: sections.map(page))
    }

    /// - Parameter section: `## code: title`, the explanation, and up to two studies between fences.
    private static func page(of section: [Substring]) -> (code: String, page: DiagnosticPage) {
        let parts = section.split(omittingEmptySubsequences: false) { $0.hasPrefix("```") }
        let heading = section[0].dropFirst("## ".count)
        let code = heading.prefix { $0 != ":" }
        let page = DiagnosticPage(
            title: String(heading.dropFirst(code.count + ": ".count)),
            explanation: parts[0].dropFirst().filter { !$0.isEmpty }.joined(separator: "\n"),
            example: parts.count > 2 ? study(parts[1]) : nil,
            remedy: parts.count > 4 ? study(parts[3]) : study(["- {type: instruction, identifier: a}"]))
        return (String(code), page)
    }

    /// Lines that begin with `- ` are the steps of a study's only task, before its completion step.
    private static func study(_ lines: ArraySlice<Substring>) -> String {
        guard lines.first?.hasPrefix("- ") == true else { return lines.map { $0 + "\n" }.joined() }
        let steps = lines.map { "      \($0)\n" }.joined()
        return """
            entrain: 1
            study: {identifier: rest, title: Rest}
            tasks:
              - identifier: Rest
                steps:
            \(steps)      - {type: completion, identifier: end}

            """
    }
}
