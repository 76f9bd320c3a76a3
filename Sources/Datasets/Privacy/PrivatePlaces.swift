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
        return result + (isPrivate(word) ? removed : word)
    }

    private static func isBetweenWords(_ character: Character) -> Bool {
        character.isWhitespace || "\"'`,;()[]{}<>|".contains(character)
    }

    private static func isPrivate(_ word: String) -> Bool {
        guard word.utf8.count > 2 else { return false }
        if word.contains("://") || isMail(word) || isDevice(word) || isNetwork(word) { return true }
        // A path may follow a name: `file:/home/…`, `path=/home/…`.
        let pieces = word.split(omittingEmptySubsequences: false) { $0 == "=" || $0 == ":" }
        return isWindowsPath(word) || pieces.contains { isPath($0) }
    }

    private static let roots: Set<Substring> = [
        "home", "Users", "root", "tmp", "var", "etc", "opt", "mnt", "media", "srv", "usr", "dev", "run",
        "data", "work", "Volumes", "private", "Library", "Applications",
    ]

    private static func isPath(_ word: Substring) -> Bool {
        if word.hasPrefix("~") && word.contains("/") { return true }
        guard word.hasPrefix("/") else { return false }
        let parts = word.split(separator: "/")
        return parts.count > 1 || parts.first.map { roots.contains($0) } == true
    }

    private static func isWindowsPath(_ word: String) -> Bool {
        if word.hasPrefix("\\\\") { return true }
        let letters = Array(word.unicodeScalars)
        return zip(letters.indices, letters.indices.dropFirst(2)).contains { first, third in
            letters[first].properties.isAlphabetic && letters[first + 1] == ":" && letters[third] == "\\"
                && (first == 0 || !letters[first - 1].properties.isAlphabetic)
        }
    }

    private static func isMail(_ word: String) -> Bool {
        guard let at = word.firstIndex(of: "@"), at != word.startIndex else { return false }
        return word[at...].dropFirst().dropLast().contains(".")
    }

    /// A Bluetooth or network card's address: six pairs of hexadecimal digits.
    private static func isDevice(_ word: String) -> Bool {
        let pairs = word.split { $0 == ":" || $0 == "-" }
        return pairs.count == 6 && pairs.allSatisfy { $0.utf8.count == 2 && $0.allSatisfy(\.isHexDigit) }
    }

    /// An address of the Internet, with or without a port.
    private static func isNetwork(_ word: String) -> Bool {
        let address = word.split(separator: ":").first ?? ""
        let numbers = address.split(separator: ".", omittingEmptySubsequences: false)
        return numbers.count == 4 && numbers.allSatisfy { Int($0).map { (0...255).contains($0) } == true }
    }
}
