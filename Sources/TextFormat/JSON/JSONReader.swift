/// Reads JSON from its bytes, value by value. It builds a value, or walks past it and says where it stands.
///
/// A value that it walks past is checked as strictly as one that it builds, except that keys may repeat. Numbers
/// can be copied digit by digit, without rounding.
package struct JSONReader: Sendable {
    package let bytes: [UInt8]
    /// Index of the byte that is read next.
    package internal(set) var position: Int
    private let start: Int
    let end: Int
    private var depth = 0
    /// Whether nothing of the innermost object or list has been read yet.
    private var isAtFirst = false

    package init(_ bytes: [UInt8]) { self.init(bytes, in: bytes.indices) }

    /// - Parameter range: where the JSON stands; offsets of errors count from its first byte.
    package init(_ bytes: [UInt8], in range: Range<Int>) {
        self.bytes = bytes
        position = range.lowerBound
        start = range.lowerBound
        end = range.upperBound
    }

    /// Walks past one value and returns where it stands.
    @discardableResult
    package mutating func value() throws(JSON.Malformed) -> Range<Int> {
        skipSpace()
        let first = position
        switch try peeked() {
        case UInt8(ascii: "{"):
            try enterObject()
            while try key() != nil { try value() }
        case UInt8(ascii: "["):
            try enterList()
            while try element() { try value() }
        case UInt8(ascii: "\""): _ = try string()
        case UInt8(ascii: "t"): try pass("true")
        case UInt8(ascii: "f"): try pass("false")
        case UInt8(ascii: "n"): try pass("null")
        default: _ = try number()
        }
        return first..<position
    }

    /// Whether an object follows.
    package var isAtObject: Bool {
        mutating get {
            skipSpace()
            return peek == UInt8(ascii: "{")
        }
    }

    /// Walks past the opening brace of an object.
    package mutating func enterObject() throws(JSON.Malformed) { try enter(UInt8(ascii: "{")) }

    /// Walks past a key and its colon to the value, or past the end of the object.
    ///
    /// - Returns: where the key's characters stand, as they were written; `nil` at the end of the object.
    package mutating func key() throws(JSON.Malformed) -> Range<Int>? {
        try keyToken()?.range
    }

    /// Walks past the opening bracket of a list.
    package mutating func enterList() throws(JSON.Malformed) { try enter(UInt8(ascii: "[")) }

    /// Walks past what stands before the next element, or past the end of the list.
    ///
    /// - Returns: whether an element follows, which must then be read or walked past.
    package mutating func element() throws(JSON.Malformed) -> Bool {
        try !leaves(UInt8(ascii: "]"))
    }

    /// Walks past space and says whether anything follows.
    package var hasMore: Bool {
        mutating get {
            skipSpace()
            return position < end
        }
    }

    /// Whether the bytes of a range are those of `word`.
    package func matches(_ range: Range<Int>, _ word: StaticString) -> Bool {
        guard range.count == word.utf8CodeUnitCount else { return false }
        let span = bytes.span
        return word.withUTF8Buffer { letters in
            for offset in 0..<letters.count where unsafe letters[offset] != span[range.lowerBound + offset] {
                return false
            }
            return true
        }
    }

    /// Whether a value that the reader walked past is a number.
    package func isNumber(_ range: Range<Int>) -> Bool {
        guard let first = bytes[range].first else { return false }
        return first == UInt8(ascii: "-") || Self.isDigit(first)
    }

    /// The number that stands in a range; `nil` if it holds something else.
    package func number(_ range: Range<Int>) -> Double? {
        isNumber(range) ? Double(String(decoding: bytes[range], as: UTF8.self)) : nil
    }

    /// The bytes of a range as text, with escapes as they were written.
    package func text(_ range: Range<Int>) -> String { String(decoding: bytes[range], as: UTF8.self) }
}

extension JSONReader {
    /// The characters between two quotes.
    struct Token {
        var range: Range<Int>
        var isEscaped: Bool
    }

    mutating func keyToken() throws(JSON.Malformed) -> Token? {
        if try leaves(UInt8(ascii: "}")) { return nil }
        guard peek == UInt8(ascii: "\"") else { throw malformed("a key is missing") }
        let token = try string()
        skipSpace()
        guard skip(UInt8(ascii: ":")) else { throw malformed("':' is missing") }
        return token
    }

    private mutating func enter(_ bracket: UInt8) throws(JSON.Malformed) {
        skipSpace()
        guard peek == bracket else {
            throw malformed("'\(Character(Unicode.Scalar(bracket)))' is missing")
        }
        guard depth < 64 else { throw malformed("nested more than 64 deep") }
        depth += 1
        position += 1
        isAtFirst = true
    }

    /// Walks past the comma before the next item, or the bracket after the last one.
    private mutating func leaves(_ bracket: UInt8) throws(JSON.Malformed) -> Bool {
        skipSpace()
        if skip(bracket) {
            depth -= 1
            isAtFirst = false
            return true
        }
        guard isAtFirst || skip(UInt8(ascii: ",")) else {
            throw malformed("'\(Character(Unicode.Scalar(bracket)))' is missing")
        }
        isAtFirst = false
        skipSpace()
        return false
    }

    mutating func string() throws(JSON.Malformed) -> Token {
        position += 1
        let first = position
        var isEscaped = false
        var isASCII = true
        while true {
            let run = plainRun(from: position)
            position = run.end
            isASCII = isASCII && run.isASCII
            switch peek {
            case nil: throw malformed("the string does not end")
            case UInt8(ascii: "\""):
                let range = first..<position
                position += 1
                if !isASCII { try validate(range) }
                return Token(range: range, isEscaped: isEscaped)
            case UInt8(ascii: "\\"):
                isEscaped = true
                position += 1
                _ = try escape()
            default: throw malformed("a control character stands in a string")
            }
        }
    }

    /// How far a string continues without a quote, a backslash or a control character.
    private func plainRun(from start: Int) -> (end: Int, isASCII: Bool) {
        let span = bytes.span
        var place = start
        var all: UInt8 = 0
        while place < end {
            let byte = span[place]
            if byte < 0x20 || byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "\\") { break }
            all |= byte
            place += 1
        }
        return (place, all < 0x80)
    }

    private mutating func validate(_ range: Range<Int>) throws(JSON.Malformed) {
        guard String(validating: bytes[range], as: UTF8.self) == nil else { return }
        position = range.lowerBound
        throw malformed("the string is not UTF-8")
    }

    /// The character of the escape whose backslash was just read.
    mutating func escape() throws(JSON.Malformed) -> Unicode.Scalar {
        guard let byte = peek else { throw malformed("the string does not end") }
        position += 1
        switch byte {
        case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "/"): return Unicode.Scalar(byte)
        case UInt8(ascii: "b"): return "\u{08}"
        case UInt8(ascii: "f"): return "\u{0C}"
        case UInt8(ascii: "n"): return "\n"
        case UInt8(ascii: "r"): return "\r"
        case UInt8(ascii: "t"): return "\t"
        case UInt8(ascii: "u"): return try unicodeEscape()
        default:
            position -= 1
            throw malformed("no escape is written so")
        }
    }

    private mutating func unicodeEscape() throws(JSON.Malformed) -> Unicode.Scalar {
        let first = try hexadecimal()
        var code = UInt32(first)
        if (0xD800..<0xDC00).contains(first) {
            guard skip(UInt8(ascii: "\\")), skip(UInt8(ascii: "u")) else {
                throw malformed("half of a surrogate pair")
            }
            let second = try hexadecimal()
            guard (0xDC00..<0xE000).contains(second) else { throw malformed("half of a surrogate pair") }
            code = 0x10000 + (UInt32(first) - 0xD800) << 10 + (UInt32(second) - 0xDC00)
        }
        guard let scalar = Unicode.Scalar(code) else { throw malformed("half of a surrogate pair") }
        return scalar
    }

    private mutating func hexadecimal() throws(JSON.Malformed) -> UInt16 {
        var value: UInt16 = 0
        for _ in 0..<4 {
            guard let byte = peek, let digit = Character(Unicode.Scalar(byte)).hexDigitValue else {
                throw malformed("four hexadecimal digits are missing")
            }
            value = value << 4 | UInt16(digit)
            position += 1
        }
        return value
    }

    /// Walks past a number.
    ///
    /// - Returns: whether it has neither a decimal point nor an exponent.
    mutating func number() throws(JSON.Malformed) -> Bool {
        guard let byte = peek, byte == UInt8(ascii: "-") || Self.isDigit(byte) else {
            throw malformed("no value begins so")
        }
        _ = skip(UInt8(ascii: "-"))
        if !skip(UInt8(ascii: "0")) { try digits() }
        var isWhole = true
        if skip(UInt8(ascii: ".")) {
            isWhole = false
            try digits()
        }
        if skip(UInt8(ascii: "e")) || skip(UInt8(ascii: "E")) {
            isWhole = false
            if !skip(UInt8(ascii: "+")) { _ = skip(UInt8(ascii: "-")) }
            try digits()
        }
        return isWhole
    }

    private mutating func digits() throws(JSON.Malformed) {
        let first = position
        while let byte = peek, Self.isDigit(byte) { position += 1 }
        guard position > first else { throw malformed("a digit is missing") }
    }

    private static func isDigit(_ byte: UInt8) -> Bool {
        (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte)
    }

    mutating func pass(_ word: StaticString) throws(JSON.Malformed) {
        for byte in word.description.utf8 {
            guard skip(byte) else { throw malformed("no value begins so") }
        }
    }

    @inline(__always)
    mutating func skipSpace() {
        while let byte = peek, byte <= 0x20,
            byte == 0x20 || byte == 0x0A || byte == 0x0D || byte == 0x09
        { position += 1 }
    }

    @inline(__always)
    private var peek: UInt8? { position < end ? bytes[position] : nil }

    func peeked() throws(JSON.Malformed) -> UInt8 {
        guard let peek else { throw malformed("the value is missing") }
        return peek
    }

    @inline(__always)
    private mutating func skip(_ byte: UInt8) -> Bool {
        guard peek == byte else { return false }
        position += 1
        return true
    }

    func malformed(_ problem: String) -> JSON.Malformed {
        JSON.Malformed(offset: position - start, problem: problem)
    }
}
