import Synchronization

/// A program's own words in several languages. Each language has a JSON file, which is read when the language is
/// first needed.
///
/// A file is an object of keys and texts. `filled(with:)` replaces `%1` to `%9` in a text.
package final class Words: Sendable {
    /// The file of each language, by the language's tag.
    package let files: [String: @Sendable () -> [UInt8]]
    private let texts = Mutex<[String: [String: String]]>([:])

    /// - Parameter files: the file of each language; one must be English.
    package init(_ files: [String: @Sendable () -> [UInt8]]) { self.files = files }

    /// The language of the files that fits a tag such as `de-AT`; `nil` if none does.
    package func language(for tag: some StringProtocol) -> String? {
        guard let language = tag.split(separator: "-").first?.lowercased() else { return nil }
        return files[language] == nil ? nil : language
    }

    /// The texts of a language, by their keys.
    package func texts(in language: String) -> [String: String] {
        texts.withLock { texts in
            if let known = texts[language] { return known }
            let read = files[language].map { Self.read($0(), language) } ?? [:]
            texts[language] = read
            return read
        }
    }

    private static func read(_ file: [UInt8], _ language: String) -> [String: String] {
        guard let object = try? JSON(parsing: file).object else {
            preconditionFailure("the words of '\(language)' are not a JSON object")
        }
        return Dictionary(
            object.members.compactMap { member in member.value.text.map { (member.key, $0) } },
            uniquingKeysWith: { first, _ in first })
    }
}

extension String {
    /// The text with `arguments` in the place of `%1`, `%2` and so on.
    package func filled(with arguments: [String]) -> String {
        guard !arguments.isEmpty else { return self }
        var result: [UInt8] = []
        var isPlace = false
        for byte in utf8 {
            if byte == UInt8(ascii: "%") {
                if isPlace { result.append(byte) }
                isPlace = true
            } else if isPlace {
                // An argument's place is a digit from 1.
                let index = Int(byte) - Int(UInt8(ascii: "1"))
                let isFilled = arguments.indices.contains(index)
                result += isFilled ? Array(arguments[index].utf8) : [UInt8(ascii: "%"), byte]
                isPlace = false
            } else {
                result.append(byte)
            }
        }
        return String(decoding: isPlace ? result + [UInt8(ascii: "%")] : result, as: UTF8.self)
    }
}
