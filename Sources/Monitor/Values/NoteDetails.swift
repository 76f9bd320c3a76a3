import TextFormat

/// What a note is about, with its own figures.
package struct NoteDetails: Hashable, Sendable {
    package var kind: Kind
    /// By their names; see `Kind.figures`.
    package var figures: [String: Double]
    package var intensity: Intensity?
    /// What a dose is counted in, such as `mg`; `nil` for units of the substance, as those of insulin.
    package var unit: String?

    /// The kinds of notes that have figures of their own. A medication has only its name, which is the note's text.
    package enum Kind: String, Hashable, Sendable, CaseIterable {
        case meal, exercise, dose, medication, mood

        /// The figures that it may have, with what they may be: g of a meal, minutes, units of a dose, and 1 (bad) to 5 (good).
        var figures: [(name: String, range: ClosedRange<Double>)] {
            switch self {
            case .meal: [("carbohydrates", 0...1000), ("protein", 0...1000), ("fat", 0...1000)]
            case .exercise: [("duration", 0...1440)]
            case .dose: [("units", 0...10_000_000)]
            case .medication: []
            case .mood: [("mood", 1...5)]
            }
        }

        /// Whether it says nothing without its text.
        var needsText: Bool { self == .medication || self == .exercise }
    }

    /// The names of all that a note may have beside its kind and its text.
    static let keys = Kind.allCases.flatMap { $0.figures.map(\.name) } + ["intensity", "unit"]

    package enum Intensity: String, Hashable, Sendable, CaseIterable { case light, moderate, vigorous }

    /// Reads them beside a note's text; `nil` of a plain note.
    init?(from fields: inout Fields) throws(Refusal) {
        let word = try fields.optionalText("kind", limit: 32)
        var figures: [String: Double] = [:]
        guard let word, word != "note" else { return nil }
        guard let kind = Kind(rawValue: word) else {
            let words = (["note"] + Kind.allCases.map(\.rawValue)).joined(separator: ", ")
            throw .unprocessable("'kind' should be one of \(words)")
        }
        for (name, range) in kind.figures { figures[name] = try fields.optionalNumber(name, in: range) }
        intensity = kind == .exercise ? try fields.optionalWord("intensity", of: Intensity.self) : nil
        unit = kind == .dose ? try Self.unit(from: &fields) : nil
        guard unit == nil || figures["units"] != nil else {
            throw .unprocessable("'unit' says nothing without 'units'")
        }
        (self.kind, self.figures) = (kind, figures)
    }

    /// Beside a number, a unit that begins like one would be read as another dose.
    private static func unit(from fields: inout Fields) throws(Refusal) -> String? {
        guard let text = try fields.optionalText("unit", limit: 128) else { return nil }
        let scalars = text.unicodeScalars
        guard (1...32).contains(scalars.count), let first = scalars.first, let last = scalars.last,
            !scalars.contains(where: { $0.properties.generalCategory == .control }),
            ![first, last].contains(where: \.properties.isWhitespace),
            first.properties.numericType == nil, !".,:+-−–".unicodeScalars.contains(first)
        else {
            throw .unprocessable("'unit' should be 1 to 32 characters that begin like a word, such as mg")
        }
        return text
    }

    /// Whether there is anything in it beside its kind.
    var isEmpty: Bool { figures.isEmpty && intensity == nil }

    var json: JSON {
        var object = JSON.Object(["kind": .text(kind.rawValue)])
        for (name, _) in kind.figures { object[name] = figures[name].map(JSON.real) }
        object["intensity"] = intensity.map { .text($0.rawValue) }
        object["unit"] = unit.map(JSON.text)
        return .object(object)
    }
}
