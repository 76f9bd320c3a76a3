import Results
import TextFormat

/// The members of a JSON object from outside, which are read one by one.
struct Fields {
    private let object: JSON.Object
    private let name: String
    private var known: Set<String> = []

    /// - Parameter name: the name of the object, for sentences such as "a sample needs 'bpm'".
    init(_ json: JSON, _ name: String) throws(Refusal) {
        guard let object = json.object else { throw .unprocessable("\(name) should be a JSON object") }
        self.object = object
        self.name = name
    }

    private mutating func find(_ key: String) -> JSON? {
        known.insert(key)
        guard let value = object[key], value != .null else { return nil }
        return value
    }

    mutating func number(_ key: String) throws(Refusal) -> Double {
        guard let number = try optionalNumber(key, in: -1e15...1e15) else { throw missing(key) }
        return number
    }

    mutating func optionalNumber(_ key: String, in range: ClosedRange<Double>) throws(Refusal) -> Double? {
        guard let value = find(key) else { return nil }
        guard let number = value.number else { throw .unprocessable("'\(key)' should be a number") }
        guard range.contains(number) else {
            throw .unprocessable("'\(key)' should be \(range.lowerBound) to \(range.upperBound)")
        }
        return number
    }

    mutating func integer(_ key: String, in range: ClosedRange<Int>) throws(Refusal) -> Int {
        guard let number = try optionalInteger(key, in: range) else { throw missing(key) }
        return number
    }

    mutating func optionalInteger(_ key: String, in range: ClosedRange<Int>) throws(Refusal) -> Int? {
        guard let value = find(key) else { return nil }
        guard let number = value.integer, range.contains(number) else {
            throw .unprocessable(
                "'\(key)' should be a whole number, \(range.lowerBound) to \(range.upperBound)")
        }
        return number
    }

    mutating func text(_ key: String, limit: Int) throws(Refusal) -> String {
        guard let text = try optionalText(key, limit: limit) else { throw missing(key) }
        return text
    }

    /// - Parameter limit: the greatest length, bytes of UTF-8.
    mutating func optionalText(_ key: String, limit: Int) throws(Refusal) -> String? {
        guard let value = find(key) else { return nil }
        guard let text = value.text else { throw .unprocessable("'\(key)' should be text") }
        guard text.utf8.count <= limit else {
            throw .unprocessable("'\(key)' is longer than \(limit) bytes")
        }
        return text
    }

    /// One of an enumeration's words.
    mutating func word<Word: RawRepresentable<String> & CaseIterable>(
        _ key: String, of words: Word.Type
    ) throws(Refusal) -> Word {
        guard let word = try optionalWord(key, of: words) else { throw missing(key) }
        return word
    }

    mutating func optionalWord<Word: RawRepresentable<String> & CaseIterable>(
        _ key: String, of words: Word.Type
    ) throws(Refusal) -> Word? {
        guard let text = try optionalText(key, limit: 64) else { return nil }
        guard let word = Word(rawValue: text) else {
            let names = words.allCases.map(\.rawValue).joined(separator: ", ")
            throw .unprocessable("'\(key)' should be one of \(names)")
        }
        return word
    }

    /// A word of letters, digits, points, hyphens and underscores.
    mutating func identifier(_ key: String) throws(Refusal) -> String {
        guard let name = try optionalIdentifier(key) else { throw missing(key) }
        return name
    }

    mutating func optionalIdentifier(_ key: String) throws(Refusal) -> String? {
        guard let text = try optionalText(key, limit: 64) else { return nil }
        guard Route.isIdentifier(text) else {
            throw .unprocessable("'\(key)' should be 1 to 64 letters, digits, '.', '_' or '-'")
        }
        return text
    }

    /// A participant's code, in the form that runs accept.
    mutating func optionalParticipant(_ key: String) throws(Refusal) -> String? {
        guard let text = try optionalText(key, limit: 256) else { return nil }
        guard Self.isParticipant(text) else {
            throw .unprocessable(
                "'\(key)' should be 1 to 64 characters, none of them a control character, without spaces at its ends"
            )
        }
        return text
    }

    static func isParticipant(_ text: String) -> Bool {
        (1...64).contains(text.unicodeScalars.count)
            && !text.unicodeScalars.contains { $0.properties.generalCategory == .control }
            && text.first?.isWhitespace != true && text.last?.isWhitespace != true
    }

    mutating func list(_ key: String, limit: Int) throws(Refusal) -> [JSON] {
        guard let value = find(key) else { return [] }
        guard let list = value.list else { throw .unprocessable("'\(key)' should be a list") }
        guard list.count <= limit else { throw .unprocessable("'\(key)' has more than \(limit) elements") }
        return list
    }

    mutating func member(_ key: String) -> JSON? { find(key) }

    func rejectUnknown() throws(Refusal) {
        for member in object.members where !known.contains(member.key) {
            let key = member.key.unicodeScalars.prefix(40).map(\.description).joined()
            throw .unprocessable("\(name) has no member '\(key)'")
        }
    }

    private func missing(_ key: String) -> Refusal { .unprocessable("\(name) needs '\(key)'") }
}
