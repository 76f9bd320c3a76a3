/// Placeholders in texts: `{name}`, where the name consists of the characters of identifiers.
package enum Placeholder {
    /// A text in which each placeholder that `value` knows is filled in; the others stay as they are.
    package static func filled(_ text: String, _ value: (String) -> String?) -> String {
        guard text.utf8.contains(UInt8(ascii: "{")) else { return text }
        // Braces and names are ASCII, and in UTF-8 no other character contains such a byte.
        var (filled, rest) = ("", text.utf8[...])
        while let open = rest.firstIndex(of: UInt8(ascii: "{")) {
            filled += Substring(rest[..<open])
            rest = rest[open...]
            let name = rest.dropFirst().prefix(while: Identifier.isAllowed)
            if name.endIndex < rest.endIndex, rest[name.endIndex] == UInt8(ascii: "}"),
                let value = value(String(Substring(name)))
            {
                filled += value
                rest = rest[name.endIndex...].dropFirst()
            } else {
                filled += "{"
                rest = rest.dropFirst()
            }
        }
        return filled + Substring(rest)
    }

    /// The names of the places in a text, each once, in their order.
    package static func names(in text: String) -> [String] {
        var names: [String] = []
        _ = filled(text) { name in
            if !name.isEmpty, !names.contains(name) { names.append(name) }
            return nil
        }
        return names
    }
}
