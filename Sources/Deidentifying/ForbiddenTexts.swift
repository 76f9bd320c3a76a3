import StudyModel

/// Texts that must not appear in a pseudonymised export, and their replacements.
package struct ForbiddenTexts: Sendable {
    /// A text that must not leave.
    private struct Entry: Sendable {
        /// UTF-8, ASCII letters in lower case.
        var bytes: [UInt8]
        var replacement: [UInt8]
        /// Long enough that it cannot occur by chance; it is looked for within words and in every byte written.
        var isStrict: Bool
        /// Letters alone can be part of a word of the format, so in the written bytes only whole words count.
        var hasDigit: Bool
    }

    private var entries: [Entry] = []
    /// Entries by their first two bytes; entries of one byte stand under that byte alone.
    private var places: [UInt16: [Int]] = [:]
    private var isBeginning = [Bool](repeating: false, count: 1 << 16)
    /// The codes themselves, of which two may differ only in capitals.
    private let replacements: [String: String]
    /// Codes with letters beyond ASCII, which can be encoded in several ways.
    private var composed: [(code: [Character], replacement: String)] = []
    private var known: [String: String] = [:]
    private let hidesDates: Bool

    /// - Parameters:
    ///   - codes: participants' codes and runs' names, with their pseudonyms.
    ///   - machine: this machine's name.
    ///   - hidesDates: whether days in texts are removed too.
    init(_ codes: [String: String], machine: String?, hidesDates: Bool = false) {
        self.hidesDates = hidesDates
        replacements = codes
        for (code, pseudonym) in codes.sorted(by: { $0.key < $1.key }) {
            add(code, pseudonym)
            if code.utf8.contains(where: { $0 > 0x7F }) {
                for variant in [code.lowercased(), code.uppercased()] where variant != code {
                    add(variant, pseudonym)
                }
                composed.append((Array(code.lowercased()), pseudonym))
            }
        }
        if let machine, machine != "localhost" { add(machine, PrivatePlaces.removed) }
        // The longest come first, because a code may begin like another one.
        entries = entries.sorted { $0.bytes.count > $1.bytes.count }
        for (index, entry) in entries.enumerated() {
            let second = entry.bytes.count > 1 ? UInt16(entry.bytes[1]) : 0
            let key = UInt16(entry.bytes[0]) << 8 | second
            places[key, default: []].append(index)
            isBeginning[Int(key)] = true
        }
    }

    /// Codes that are looked for only as whole words, because they occur in numbers and words by chance.
    static func isWeak(_ code: String) -> Bool {
        code.utf8.count < 3 || !code.unicodeScalars.contains { $0.properties.isAlphabetic }
    }

    private mutating func add(_ text: String, _ replacement: String) {
        guard !text.isEmpty else { return }
        entries.append(
            Entry(
                bytes: text.utf8.map(Self.lower), replacement: Array(replacement.utf8),
                isStrict: !Self.isWeak(text),
                hasDigit: text.unicodeScalars.contains { $0.properties.numericType != nil }))
    }

    /// The text without anything that must not leave.
    package mutating func clean(_ text: String) -> String {
        if let known = replacements[text] ?? known[text] { return known }
        // Codes come first, because one may look like a day.
        let cleaned = PrivateTimes.removed(
            from: replaced(PrivatePlaces.removed(from: text)), hidesDates: hidesDates)
        if text.utf8.count < 64, known.count < 10_000 { known[text] = cleaned }
        return cleaned
    }

    private func replaced(_ text: String) -> String {
        var text = text
        for (code, replacement) in composed { text = Self.replace(code, with: replacement, in: text) }
        let bytes = Array(text.utf8)
        var result: [UInt8] = []
        var done = 0
        var index = 0
        while index < bytes.count {
            guard let entry = entry(in: bytes, at: index, strictOnly: false) else {
                index += 1
                continue
            }
            result += bytes[done..<index] + entry.replacement
            index += entry.bytes.count
            done = index
        }
        return done == 0 ? text : String(decoding: result + bytes[done...], as: UTF8.self)
    }

    /// Finds text that equals the code letter by letter, however its letters are composed.
    private static func replace(_ code: [Character], with replacement: String, in text: String) -> String {
        let letters = Array(text)
        guard letters.count >= code.count, text.utf8.contains(where: { $0 > 0x7F }) else { return text }
        let lower = letters.map { Character($0.lowercased()) }
        var result = ""
        var index = 0
        while index < letters.count {
            if index + code.count <= lower.count, lower[index..<index + code.count].elementsEqual(code) {
                result += replacement
                index += code.count
            } else {
                result.append(letters[index])
                index += 1
            }
        }
        return result
    }

    /// The first forbidden text in the bytes; `nil` if there is none.
    package func first(in bytes: [UInt8]) -> String? {
        for index in bytes.indices {
            if let entry = entry(in: bytes, at: index, strictOnly: true) {
                return String(decoding: entry.bytes, as: UTF8.self)
            }
        }
        return nil
    }

    private func entry(in bytes: [UInt8], at index: Int, strictOnly: Bool) -> Entry? {
        let first = UInt16(Self.lower(bytes[index])) << 8
        let pair = index + 1 < bytes.count ? first | UInt16(Self.lower(bytes[index + 1])) : first
        if isBeginning[Int(pair)], let found = entry(under: pair, in: bytes, at: index, strictOnly) {
            return found
        }
        // A text that is forbidden in every byte has more than one byte.
        guard !strictOnly, pair != first, isBeginning[Int(first)] else { return nil }
        return entry(under: first, in: bytes, at: index, strictOnly)
    }

    private func entry(under key: UInt16, in bytes: [UInt8], at index: Int, _ strictOnly: Bool) -> Entry? {
        for place in places[key, default: []] {
            let entry = entries[place]
            guard entry.isStrict || !strictOnly, index + entry.bytes.count <= bytes.count,
                zip(entry.bytes, bytes[index...]).allSatisfy({ $0 == Self.lower($1) })
            else { continue }
            let counts = strictOnly ? entry.hasDigit : entry.isStrict
            if counts || Self.isWord(index..<index + entry.bytes.count, in: bytes) { return entry }
        }
        return nil
    }

    private static func isWord(_ range: Range<Int>, in bytes: [UInt8]) -> Bool {
        let isFree = { (index: Int) in !bytes.indices.contains(index) || !isLetter(bytes[index]) }
        return isFree(range.lowerBound - 1) && isFree(range.upperBound)
    }

    private static func isLetter(_ byte: UInt8) -> Bool {
        switch lower(byte) {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "0")...UInt8(ascii: "9"), 0x80...0xFF: true
        default: false
        }
    }

    private static func lower(_ byte: UInt8) -> UInt8 {
        (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains(byte) ? byte | 0x20 : byte
    }
}
