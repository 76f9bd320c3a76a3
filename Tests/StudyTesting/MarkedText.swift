package import StudyFile
package import Testing

/// A text out of which the marks `1️⃣`, `2️⃣` … were taken, and where they stood.
package struct MarkedText {
    /// The text without marks.
    package var text: String
    /// Line and column (in Unicode scalars of the text without marks) by mark.
    package var places: [Character: SourcePlace]

    package init(_ marked: String) {
        text = ""
        places = [:]
        var place = SourcePlace(line: 1, column: 1)
        for character in marked {
            if Self.isMark(character) {
                places[character] = place
                continue
            }
            text.append(character)
            if ["\n", "\r\n", "\r"].contains(character) {
                place = SourcePlace(line: place.line + 1, column: 1)
            } else {
                place.column += character.unicodeScalars.count
            }
        }
    }

    /// Whether a character is a digit in a keycap.
    private static func isMark(_ character: Character) -> Bool {
        character.unicodeScalars.count == 3 && character.unicodeScalars.last == "\u{20E3}"
    }
}

/// Expects exactly the named diagnostics, each where its mark stands.
///
/// - Parameters:
///   - marked: a study file with marks.
///   - expected: a diagnostic's message or code by the mark where its range starts.
package func expectDiagnostics(
    _ marked: String, _ expected: [Character: String], library: Library,
    sourceLocation: SourceLocation = #_sourceLocation
) {
    let marked = MarkedText(marked)
    let parsed = ParsedStudy(Array(marked.text.utf8), named: "study.yaml", library: library)
    // Other hints are owed to what a test leaves out.
    var unexpected =
        parsed.diagnostics
        + (parsed.hints + parsed.doubts).filter { expected.values.contains($0.code.rawValue) }
    for (mark, words) in expected {
        let found = unexpected.firstIndex {
            $0.range.start == marked.places[mark] && ($0.message == words || $0.code.rawValue == words)
        }
        if let found {
            unexpected.remove(at: found)
        } else {
            Issue.record(
                "\(mark): no '\(words)', but\n\(parsed.diagnostics.rendered(isColoured: false))",
                sourceLocation: sourceLocation)
        }
    }
    let rest = unexpected.rendered(isColoured: false)
    #expect(unexpected.isEmpty, "unexpected:\n\(rest)", sourceLocation: sourceLocation)
}
