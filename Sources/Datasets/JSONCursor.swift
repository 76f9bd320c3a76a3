/// Walks through JSON without building values, for files of many small items.
///
/// Numbers are handed out as they were written, digit for digit, so that no reader's rounding comes in between.
struct JSONCursor {
    let bytes: [UInt8]
    private(set) var position: Int

    init(_ bytes: [UInt8], at position: Int = 0) {
        self.bytes = bytes
        self.position = position
    }

    /// Calls `body` for each member with the bytes of its key; `body` must read or skip the value.
    mutating func members(_ body: (inout JSONCursor, Range<Int>) throws -> Void) throws {
        try expect(UInt8(ascii: "{"))
        if skip(UInt8(ascii: "}")) { return }
        repeat {
            skipSpace()
            let key = try value()
            guard bytes[key.lowerBound] == UInt8(ascii: "\"") else { throw malformed("a key is missing") }
            try expect(UInt8(ascii: ":"))
            try body(&self, key.lowerBound + 1..<key.upperBound - 1)
        } while skip(UInt8(ascii: ","))
        try expect(UInt8(ascii: "}"))
    }

    /// Calls `body` for each element, which it must read or skip.
    mutating func elements(_ body: (inout JSONCursor) throws -> Void) throws {
        try expect(UInt8(ascii: "["))
        if skip(UInt8(ascii: "]")) { return }
        repeat { try body(&self) } while skip(UInt8(ascii: ","))
        try expect(UInt8(ascii: "]"))
    }

    /// Passes one value and returns where it stands.
    @discardableResult
    mutating func value() throws(Unlike) -> Range<Int> {
        skipSpace()
        let start = position
        var depth = 0
        repeat {
            guard position < bytes.count else { throw malformed("the value does not end") }
            switch bytes[position] {
            case UInt8(ascii: "\""): try passString()
            case UInt8(ascii: "{"), UInt8(ascii: "["):
                depth += 1
                position += 1
            case UInt8(ascii: "}"), UInt8(ascii: "]"):
                guard depth > 0 else { throw malformed("the value is missing") }
                depth -= 1
                position += 1
            case UInt8(ascii: ","), UInt8(ascii: ":"), 0x20, 0x0A, 0x0D, 0x09:
                guard depth > 0 else { throw malformed("the value is missing") }
                position += 1
            default: passWord()
            }
        } while depth > 0
        return start..<position
    }

    /// Whether the bytes of a range are those of `word`.
    func matches(_ range: Range<Int>, _ word: StaticString) -> Bool {
        guard range.count == word.utf8CodeUnitCount else { return false }
        return word.withUTF8Buffer { letters in
            for (offset, index) in range.enumerated() where unsafe letters[offset] != bytes[index] {
                return false
            }
            return true
        }
    }

    /// The bytes of a range as text, escapes as they were written.
    func text(_ range: Range<Int>) -> String { String(decoding: bytes[range], as: UTF8.self) }

    /// Passes space and says whether anything follows.
    var hasMore: Bool {
        mutating get {
            skipSpace()
            return position < bytes.count
        }
    }

    private mutating func passString() throws(Unlike) {
        position += 1
        while position < bytes.count {
            let byte = bytes[position]
            position += byte == UInt8(ascii: "\\") ? 2 : 1
            if byte == UInt8(ascii: "\"") { return }
        }
        throw malformed("the string does not end")
    }

    private mutating func passWord() {
        while position < bytes.count {
            switch bytes[position] {
            case UInt8(ascii: ","), UInt8(ascii: ":"), UInt8(ascii: "}"), UInt8(ascii: "]"), 0x20, 0x0A, 0x0D,
                0x09:
                return
            default: position += 1
            }
        }
    }

    private mutating func skipSpace() {
        while position < bytes.count,
            bytes[position] == 0x20 || bytes[position] == 0x0A || bytes[position] == 0x0D
                || bytes[position] == 0x09
        { position += 1 }
    }

    private mutating func skip(_ byte: UInt8) -> Bool {
        skipSpace()
        guard position < bytes.count, bytes[position] == byte else { return false }
        position += 1
        return true
    }

    private mutating func expect(_ byte: UInt8) throws(Unlike) {
        guard skip(byte) else { throw malformed("'\(Character(Unicode.Scalar(byte)))' is missing") }
    }

    private func malformed(_ problem: String) -> Unlike { Unlike("\(problem) at byte \(position)") }
}
