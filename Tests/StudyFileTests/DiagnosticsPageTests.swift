import StudyFile
import StudyTesting
import Testing

@Suite struct DiagnosticsPageTests {
    @Test func `the documentation has a section for every code`() {
        let name = "../../../Sources/Documentation/Entrain.docc/Diagnostics.md"
        let difference = goldenDifference(Self.page, name)
        #expect(difference == nil, "\(difference ?? "")")
    }

    private static var page: String {
        let head = """
            # Diagnostics

            Every finding of `entrain check` by its code: why it is a mistake, and lines with and without it.

            ## Overview

            `entrain explain CODE` shows the same in the terminal, and `entrain explain` lists all codes. A finding
            names the file, the line and the column; its place is underlined. Errors keep a study from running,
            warnings do not.

            The lines shown are those that differ in two small studies such as this one:

            ```yaml
            \(visible(DiagnosticCode.completionNotLast.remedy))
            ```

            """
        return head + DiagnosticCode.allCases.map(section).joined()
    }

    private static func section(of code: DiagnosticCode) -> String {
        var text = "\n## \(code.rawValue)\n\n\(code.title): \(code.explanation)\n"
        guard let lines = code.difference else { return text }
        text += "\n```yaml\n\(visible(lines.mistake))\n```\n"
        return text + "\nWithout the mistake:\n\n```yaml\n\(visible(lines.remedy))\n```\n"
    }

    /// What a page cannot show is written as Unicode's own pictures of it.
    private static func visible(_ text: String) -> String {
        var shown = ""
        for scalar in text.unicodeScalars {
            switch scalar.value {
            case 0x0a: shown.unicodeScalars.append(scalar)
            case 0x09: shown += "→"
            case 0x00..<0x20, 0x7f, 0x80..<0xa0, 0x202a...0x202e, 0x2066...0x2069:
                shown += "\\u{\(String(scalar.value, radix: 16))}"
            default: shown.unicodeScalars.append(scalar)
            }
        }
        while shown.hasSuffix("\n") { shown.removeLast() }
        return shown
    }
}
