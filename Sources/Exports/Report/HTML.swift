import Datasets
import TextFormat

/// Text for a page, with all characters that mean something to a browser escaped.
enum HTML {
    static func escaped(_ text: String) -> String { escaped(text, longestWord: .max) }

    /// The same for a table cell, where long words may be broken so that no column pushes the others out.
    static func cell(_ text: String) -> String { escaped(text, longestWord: 22) }

    private static func escaped(_ text: String, longestWord: Int) -> String {
        var result = ""
        var length = 0
        for scalar in text.unicodeScalars {
            length = scalar.properties.isWhitespace ? 0 : length + 1
            if length > longestWord {
                result += "<wbr>"
                length = 1
            }
            switch scalar {
            case "&": result += "&amp;"
            case "<": result += "&lt;"
            case ">": result += "&gt;"
            case "\"": result += "&quot;"
            case "\n", "\t": result.unicodeScalars.append(scalar)
            // Control characters and those that change the direction of text are shown, not obeyed.
            case _
            where scalar.properties.generalCategory == .control
                || (0x202A...0x202E).contains(scalar.value) || (0x2066...0x2069).contains(scalar.value):
                result += scalar.spelledOut
            case _: result.unicodeScalars.append(scalar)
            }
        }
        return result
    }

    /// A table; numbers stand to the right.
    ///
    /// - Parameters:
    ///   - columns: headings, and whether their cells are numbers.
    ///   - rows: the cells, already escaped.
    static func table(_ columns: [(name: String, isNumber: Bool)], _ rows: [[String]]) -> String {
        guard !rows.isEmpty else { return "<p class=\"none\">None.</p>\n" }
        let style = columns.map { $0.isNumber ? " class=\"number\"" : "" }
        let head = zip(columns, style).map { "<th scope=\"col\"\($1)>\(escaped($0.name))</th>" }
        let body = rows.map { row in
            "<tr>"
                + zip(row, style).enumerated().map { place, cell in
                    place == 0
                        ? "<th scope=\"row\"\(cell.1)>\(cell.0)</th>" : "<td\(cell.1)>\(cell.0)</td>"
                }.joined() + "</tr>"
        }
        // Users without a mouse can scroll content that is wider than the window with the arrow keys.
        return "<div class=\"wide\" tabindex=\"0\"><table><thead><tr>\(head.joined())</tr></thead>\n<tbody>"
            + body.joined(separator: "\n") + "</tbody></table></div>\n"
    }

    /// What only some readers want; paper has it open.
    ///
    /// - Parameter html: the content, already escaped.
    static func details(_ summary: String, _ html: String) -> String {
        html.isEmpty ? "" : "<details><summary>\(escaped(summary))</summary>\n\(html)</details>\n"
    }

    /// A title with the identifier that files have for it; the identifier alone if there is no title.
    static func named(_ title: String?, _ identifier: String) -> String {
        title.map { "\(cell($0)) <code>\(cell(identifier))</code>" } ?? cell(identifier)
    }

    /// Names with values.
    static func facts(_ facts: [(name: String, value: String)]) -> String {
        "<dl>" + facts.map { "<div><dt>\(escaped($0.name))</dt><dd>\(escaped($0.value))</dd></div>" }.joined()
            + "</dl>\n"
    }
}

/// One page that contains everything: no script, and nothing from elsewhere.
struct ReportPage {
    let title: String
    /// Style rules for this page only.
    private let ownStyle: String
    private var body = ""

    init(title: String, style: String = "") { (self.title, ownStyle) = (title, style) }

    mutating func add(_ html: String) { body += html }

    /// Adds what readers must know first.
    mutating func addWarnings(_ warnings: [String]) {
        for warning in warnings { body += "<p class=\"warning\">\(HTML.escaped(warning))</p>\n" }
    }

    mutating func addSection(_ heading: String, note: String? = nil, _ html: String) {
        body += "<section><h2>\(HTML.escaped(heading))</h2>\n"
        if let note { body += "<p>\(HTML.escaped(note))</p>\n" }
        body += html + "</section>\n"
    }

    var text: String {
        """
        <!DOCTYPE html>
        <html lang="en"><head><meta charset="utf-8">
        <meta name="viewport" content="width=device-width, initial-scale=1">
        <meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'">
        <meta name="color-scheme" content="light dark">
        <title>\(HTML.escaped(title))</title>
        <style>
        \(Self.style)\(ownStyle.isEmpty ? "" : "\n" + ownStyle)
        </style></head><body><main>
        <h1>\(HTML.escaped(title))</h1>
        \(body)</main></body></html>

        """
    }

    private static let light = """
        --ink: #16202a; --soft: #4a5865; --line: #c3ccd4; --paper: #ffffff; --shade: #eef2f5; --fill: #c9d9e8;
        --strong: #0a4f8f; --warm: #a33c00;
        """
    private static let dark = """
        --ink: #e8edf2; --soft: #a9b6c2; --line: #44515d; --paper: #12181e; --shade: #1d262e; --fill: #2b4a66;
        --strong: #7cc0ff; --warm: #ffab6b;
        """

    /// Each paragraph and cell has the direction of its own first letter: a study's words may be right-to-left.
    private static let style = """
        :root { \(light) }
        @media screen and (prefers-color-scheme: dark) { :root { \(dark) } }
        * { box-sizing: border-box; }
        body { margin: 0; background: var(--paper); color: var(--ink);
          font: 15px/1.5 system-ui, "DejaVu Sans", Helvetica, Arial, sans-serif; }
        main { max-width: 1000px; margin: 0 auto; padding: 24px 20px 48px; }
        h1 { font-size: 26px; line-height: 1.2; margin: 0 0 12px; overflow-wrap: anywhere; }
        h2 { font-size: 19px; margin: 32px 0 6px; }
        p { margin: 4px 0 10px; max-width: 46em; }
        .none, figcaption, footer, code { color: var(--soft); }
        .answer { font-size: 21px; line-height: 1.4; max-width: 38em; margin: 2px 0 10px; }
        .label, summary { color: var(--soft); font-size: 13.5px; margin: 10px 0 0; }
        code { font: 12px ui-monospace, "DejaVu Sans Mono", monospace; overflow-wrap: anywhere; }
        .warning { border-left: 4px solid var(--line); padding-left: 12px; font-weight: 600; }
        dl { display: grid; grid-template-columns: repeat(auto-fill, minmax(200px, 1fr)); gap: 8px 20px; margin: 12px 0; }
        dt { color: var(--soft); font-size: 13px; } dd { margin: 0; overflow-wrap: anywhere; }
        ul.said { margin: 4px 0 8px; padding-left: 20px; max-width: 46em; } ul.said li { overflow-wrap: anywhere; }
        details { margin: 8px 0; } summary { cursor: pointer; padding: 3px 0; }
        .wide { overflow-x: auto; background: linear-gradient(to left, var(--paper) 40%, transparent) right / 48px 100% no-repeat local,
          linear-gradient(to left, var(--soft), transparent) right / 12px 100% no-repeat scroll; }
        table { border-collapse: collapse; width: 100%; font-size: 13.5px; }
        h1, h2, p, li, th, td, dd, figcaption { unicode-bidi: plaintext; text-align: start; }
        th, td { vertical-align: top; padding: 4px 18px 4px 0; border-bottom: 1px solid var(--line); }
        thead th { border-bottom: 2px solid var(--soft); vertical-align: bottom; } tbody th { font-weight: inherit; min-width: 9em; } tbody th.number { min-width: 0; }
        .number { text-align: right; font-variant-numeric: tabular-nums; white-space: nowrap; }
        th.number { white-space: normal; }
        figure { margin: 8px 0; } figure.narrow { max-width: 560px; } figcaption { font-size: 13px; }
        svg { display: block; width: 100%; height: auto; }
        svg text { font: 12px system-ui, "DejaVu Sans", Helvetica, Arial, sans-serif; fill: var(--ink); }
        svg text.soft { fill: var(--soft); } svg text.bold { font-weight: 600; }
        svg .end { text-anchor: end; } svg .middle { text-anchor: middle; }
        .grid { stroke: var(--line); stroke-width: 1; } .axis { stroke: var(--soft); stroke-width: 1.2; }
        .data { stroke: var(--strong); stroke-width: 1.8; fill: none; stroke-linejoin: round; }
        .dot { fill: var(--strong); } .shade { fill: var(--shade); } .mean { fill: var(--warm); }
        .person { stroke: var(--soft); stroke-width: 1; opacity: 0.6; fill: none; }
        .box { fill: var(--paper); stroke: var(--soft); stroke-width: 1.2; }
        .clip { fill: var(--fill); stroke: var(--strong); stroke-width: 1.2; }
        .middle-line { stroke: var(--warm); stroke-width: 1.6; stroke-dasharray: 6 4; fill: none; }
        .zero { stroke: var(--warm); stroke-width: 1.6; }
        .edge { stroke: var(--warm); stroke-width: 1; fill: none; } .expected { fill: var(--warm); opacity: 0.18; }
        .mark { stroke: var(--ink); stroke-width: 1.4; fill: var(--paper); }
        .cross { stroke: var(--soft); stroke-width: 1; } .band { fill: var(--fill); }
        .strips { display: grid; grid-template-columns: repeat(auto-fill, minmax(min(300px, 100%), 1fr)); gap: 4px 16px; }
        .legend { display: flex; flex-wrap: wrap; gap: 4px 22px; font-size: 13px; margin: 6px 0; }
        .legend span { display: inline-flex; align-items: center; gap: 6px; }
        .legend svg { width: 34px; height: 16px; flex: none; }
        @media screen and (max-width: 640px) {
          .wide > svg { min-width: 640px; } .wide table { width: max-content; min-width: 100%; } td { max-width: 260px; }
          tbody th, thead th:first-child { position: sticky; left: 0; background: var(--paper); max-width: 42vw; overflow-wrap: anywhere; }
          .answer { font-size: 18px; }
        }
        footer { margin-top: 36px; font-size: 13px; overflow-wrap: anywhere; }
        @page { size: A4; margin: 14mm; @bottom-center { content: counter(page) " / " counter(pages); font-size: 8pt; } }
        @media print {
          body { font-size: 11pt; print-color-adjust: exact; -webkit-print-color-adjust: exact; }
          main { max-width: none; padding: 0; } section { break-inside: auto; }
          figure, tr, h2, p { break-inside: avoid; } h2, h2 + p { break-after: avoid; }
          .wide { overflow: visible; background: none; } summary { list-style: none; font-weight: 600; break-after: avoid; }
          details::details-content { content-visibility: visible; block-size: auto; opacity: 1; }
          table { font-size: 8.5pt; } th, td { padding-right: 10px; }
        }
        """
}
