/// Finds words in free text that reveal a machine or a person: paths, network addresses, mail addresses and device
/// addresses.
enum PrivatePlaces {
    /// The replacement for removed words.
    static let removed = "removed"

    /// The text with each such word replaced.
    static func removed(from text: String) -> String {
        guard text.utf8.contains(where: { "/\\@.:-~".utf8.contains($0) }) else { return text }
        var result = ""
        var word = ""
        for character in text {
            if isBetweenWords(character) {
                result += isPrivate(word) ? removed : word
                word = ""
                result.append(character)
            } else {
                word.append(character)
            }
        }
        return PrivateAddresses.removed(from: result + (isPrivate(word) ? removed : word))
    }

    private static func isBetweenWords(_ character: Character) -> Bool {
        character.isWhitespace || "\"'`,;()[]{}<>|".contains(character)
    }

    private static func isPrivate(_ word: String) -> Bool {
        guard word.utf8.count > 2, word.utf8.contains(where: { "/\\@".utf8.contains($0) }) else {
            return false
        }
        return word.contains("://") || isMail(word) || isWindowsPath(word) || holdsPath(word)
    }

    private static let roots: Set<Substring> = [
        "home", "Users", "root", "tmp", "var", "etc", "opt", "mnt", "media", "srv", "usr", "dev", "run",
        "data", "work", "Volumes", "private", "Library", "Applications",
    ]

    /// Whether a path begins somewhere in the word: `path=/home/…`, `“/home/…”`, `~anna/…`.
    private static func holdsPath(_ word: String) -> Bool {
        var before: Character?
        for index in word.indices {
            let rest = word[index...]
            switch word[index] {
            case "/":
                guard let last = before, !isBeforePath(last) else {
                    if isPath(rest) { return true }
                    break
                }
                // After other letters only a usual place counts: `music/calm.ogg` and `10 °/min/kg` are no paths.
                if !(last.isASCII && (last.isLetter || last.isNumber)), isRooted(rest) { return true }
            case "~" where before?.isLetter != true && before?.isNumber != true && rest.contains("/"):
                return true
            default: break
            }
            before = word[index]
        }
        return false
    }

    /// Whether a path, and not a unit or a part of a name, may begin after this.
    private static func isBeforePath(_ character: Character) -> Bool {
        guard let scalar = character.unicodeScalars.first, !".%/".contains(character) else { return false }
        return character.isPunctuation || "=+$^".contains(character) || scalar.properties.isEmojiPresentation
            || [.control, .format].contains(scalar.properties.generalCategory)
    }

    private static func isPath(_ word: Substring) -> Bool {
        let parts = word.split(separator: "/")
        return parts.count > 1 || parts.first.map { roots.contains($0) } == true
    }

    private static func isRooted(_ word: Substring) -> Bool {
        let parts = word.split(separator: "/")
        return parts.count > 1 && roots.contains(parts[0])
    }

    private static func isWindowsPath(_ word: String) -> Bool {
        let letters = Array(word.unicodeScalars)
        let isLetter = { (index: Int) in
            letters.indices.contains(index) && letters[index].isASCII
                && letters[index].properties.isAlphabetic
        }
        return word.contains("\\Users\\")
            || letters.indices.contains { index in
                guard letters[index] == "\\", index + 1 < letters.count else { return false }
                let isShare =
                    letters[index + 1] == "\\" && letters.indices.contains(index + 2)
                    && letters[index + 2] != "\\" && !isLetter(index - 1)
                let isDrive =
                    index > 1 && letters[index - 1] == ":" && isLetter(index - 2) && !isLetter(index - 3)
                return isShare || isDrive
            }
    }

    private static func isMail(_ word: String) -> Bool {
        guard let at = word.firstIndex(of: "@"), at != word.startIndex else { return false }
        return word[at...].dropFirst().dropLast().contains(".")
    }
}
