/// Texts for trying layouts: longer by two fifths, with accents, and in brackets, so that one sees what is cut off, what
/// does not fit, and what is not translated.
package enum PseudoText {
    private static let accents: [Character: Character] = [
        "a": "á", "b": "ƀ", "c": "ç", "d": "ð", "e": "é", "g": "ĝ", "h": "ĥ", "i": "í", "j": "ĵ", "k": "ķ",
        "l": "ļ", "n": "ñ", "o": "ö", "r": "ŕ", "s": "š", "t": "ţ", "u": "ü", "w": "ŵ", "y": "ý", "z": "ž",
        "A": "Å", "C": "Ç", "D": "Ð", "E": "É", "G": "Ĝ", "H": "Ĥ", "I": "Í", "J": "Ĵ", "K": "Ķ", "L": "Ļ",
        "N": "Ñ", "O": "Ö", "R": "Ŕ", "S": "Š", "T": "Ţ", "U": "Û", "W": "Ŵ", "Y": "Ý", "Z": "Ž",
    ]

    /// The text as it is shown when layouts are tried. Places such as `{answer.age}` and `%1` stay whole, and so do
    /// the marks of Markdown at the beginning of a line.
    package static func of(_ text: String) -> String {
        text.split(separator: "\n", omittingEmptySubsequences: false).map(line).joined(separator: "\n")
    }

    private static func line(_ line: Substring) -> String {
        let marks = line.prefix { " \t#>*-+.0123456789".contains($0) }
        // A heading or an item of a list; otherwise the line only begins with a digit or the like.
        let head = marks.last == " " ? marks : ""
        let words = line.dropFirst(head.count)
        guard hasWords(words) else { return String(line) }
        var longer = ""
        var rest = words
        while let character = rest.first {
            if let place = place(at: rest) {
                longer += place
                rest = rest.dropFirst(place.count)
                continue
            }
            let accented = accents[character] ?? character
            longer.append(accented)
            if "aeiouAEIOU".contains(character) { longer.append(accents[lower(character)] ?? accented) }
            rest = rest.dropFirst()
        }
        var missing = (words.count * 7 + 4) / 5 - longer.count - 2
        if missing > 0 { longer += " " }
        while missing > 1 {
            longer += "~"
            missing -= 1
        }
        return "\(head)[\(longer)]"
    }

    /// Whether there is a letter outside of places.
    private static func hasWords(_ text: Substring) -> Bool {
        var rest = text
        while let character = rest.first {
            if let place = place(at: rest) {
                rest = rest.dropFirst(place.count)
            } else if character.isLetter {
                return true
            } else {
                rest = rest.dropFirst()
            }
        }
        return false
    }

    private static func lower(_ character: Character) -> Character {
        character.lowercased().first ?? character
    }

    /// `{name}`, or `%` with a digit, at the beginning.
    private static func place(at text: Substring) -> Substring? {
        if text.first == "%", let digit = text.dropFirst().first, digit.isASCII, digit.isNumber {
            return text.prefix(2)
        }
        guard text.first == "{" else { return nil }
        let name = text.dropFirst().prefix { $0.utf8.allSatisfy(Identifier.isAllowed) }
        return text[name.endIndex...].first == "}" ? text[...name.endIndex] : nil
    }
}
