import TextFormat

extension JSON {
    /// The value as text, its members in the order in which they were given. `indentation` is that of its line;
    /// `nil` writes everything in one line.
    func document(indentation: Int? = nil) -> String {
        switch self {
        case .null, .boolean, .text: TerminalText.json(encoded()).text
        case .integer(let number): number.description
        case .real(let number): plainNumber(number)
        case .list(let values):
            Self.list(
                values.map { $0.document(indentation: indentation.map { $0 + 2 }) }, "[", "]", indentation)
        case .object(let object):
            Self.list(
                object.givenMembers.map { member in
                    JSON.text(member.key).document() + (indentation == nil ? ":" : ": ")
                        + member.value.document(indentation: indentation.map { $0 + 2 })
                }, "{", "}", indentation)
        }
    }

    /// The value as an author would write it in one line of YAML.
    var yaml: String {
        switch self {
        case .null, .boolean, .integer, .real: document()
        case .text(let text): Self.isPlain(text) ? text : document()
        case .list(let values): "[" + values.map(\.yaml).joined(separator: ", ") + "]"
        case .object(let object):
            "{" + object.givenMembers.map { $0.key + ": " + $0.value.yaml }.joined(separator: ", ") + "}"
        }
    }

    /// A number that is written as an integer if it is whole.
    static func shortest(_ number: Double) -> JSON {
        Int(exactly: number).map { .integer($0) } ?? .real(number)
    }

    /// Whether a text needs no quotes: letters first, then nothing that has a meaning in YAML.
    private static func isPlain(_ text: String) -> Bool {
        guard let first = text.first, first.isLetter || first.isNumber else { return false }
        return text.allSatisfy { $0.isLetter || $0.isNumber || " .-_/!?".contains($0) }
    }

    private static func list(_ items: [String], _ open: String, _ close: String, _ indentation: Int?)
        -> String
    {
        guard let indentation, !items.isEmpty else { return open + items.joined(separator: ",") + close }
        let flat = open + items.joined(separator: ", ") + close
        if flat.utf8.count <= 80, !flat.utf8.contains(UInt8(ascii: "\n")) { return flat }
        let margin = String(repeating: " ", count: indentation + 2)
        let body = items.map { margin + $0 }.joined(separator: ",\n")
        return open + "\n" + body + "\n" + String(repeating: " ", count: indentation) + close
    }
}
