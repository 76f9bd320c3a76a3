/// Places in texts that are filled in: `{name}`, where the name is made of the characters of identifiers.
package enum Placeholder {
    /// A text with each place filled in that `value` knows; the others stay as they are.
    package static func filled(_ text: String, _ value: (String) -> String?) -> String {
        guard text.utf8.contains(UInt8(ascii: "{")) else { return text }
        var (filled, rest) = ("", text[...])
        while let open = rest.firstIndex(of: "{") {
            filled += rest[..<open]
            rest = rest[open...]
            let name = rest.dropFirst().prefix {
                $0.utf8.count == 1 && $0.utf8.allSatisfy(Identifier.isAllowed)
            }
            if name.endIndex < rest.endIndex, rest[name.endIndex] == "}", let value = value(String(name)) {
                filled += value
                rest = rest[rest.index(after: name.endIndex)...]
            } else {
                filled += "{"
                rest = rest.dropFirst()
            }
        }
        return filled + rest
    }
}
