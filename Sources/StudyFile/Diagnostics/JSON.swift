/// A JSON value that keeps the order of its keys.
enum JSON: Hashable, Sendable {
    case bool(Bool)
    /// A number as it is to be written.
    case number(String)
    case string(String)
    case array([JSON])
    case object([Member])

    /// A key with its value.
    struct Member: Hashable, Sendable {
        var key: String
        var value: JSON
    }

    /// The value as text; `indentation` is that of its line, and `nil` writes everything in one line.
    func text(indentation: Int? = nil) -> String {
        switch self {
        case .bool(let value): value ? "true" : "false"
        case .number(let text): text
        case .string(let text): Self.quoted(text)
        case .array(let values):
            Self.list(values.map { $0.text(indentation: indentation.map { $0 + 2 }) }, "[", "]", indentation)
        case .object(let members):
            Self.list(
                members.map { member in
                    Self.quoted(member.key) + (indentation == nil ? ":" : ": ")
                        + member.value.text(indentation: indentation.map { $0 + 2 })
                }, "{", "}", indentation)
        }
    }

    /// The value as an author would write it in one line of YAML.
    var yaml: String {
        switch self {
        case .bool, .number: text()
        case .string(let text): Self.isPlain(text) ? text : Self.quoted(text)
        case .array(let values): "[" + values.map(\.yaml).joined(separator: ", ") + "]"
        case .object(let members):
            "{" + members.map { $0.key + ": " + $0.value.yaml }.joined(separator: ", ") + "}"
        }
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

    private static func quoted(_ text: String) -> String {
        var result = "\""
        for scalar in text.unicodeScalars {
            switch scalar {
            case "\"": result += "\\\""
            case "\\": result += "\\\\"
            case "\n": result += "\\n"
            case "\t": result += "\\t"
            case "\r": result += "\\r"
            case "\u{0}"..<"\u{20}", "\u{7F}"..<"\u{A0}":
                let digits = String(scalar.value, radix: 16)
                result += "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
            default: result.unicodeScalars.append(scalar)
            }
        }
        return result + "\""
    }
}

extension JSON: ExpressibleByStringLiteral, ExpressibleByIntegerLiteral, ExpressibleByFloatLiteral,
    ExpressibleByBooleanLiteral, ExpressibleByArrayLiteral, ExpressibleByDictionaryLiteral
{
    init(stringLiteral text: String) { self = .string(text) }
    init(integerLiteral number: Int) { self = .number(String(number)) }
    init(floatLiteral number: Double) { self = .number("\(number)") }
    init(booleanLiteral value: Bool) { self = .bool(value) }
    init(arrayLiteral values: JSON...) { self = .array(values) }
    init(dictionaryLiteral members: (String, JSON)...) {
        self = .object(members.map { Member(key: $0.0, value: $0.1) })
    }

    init(_ texts: [String]) { self = .array(texts.map(JSON.string)) }
}
