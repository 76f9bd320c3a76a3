extension JSON {
    /// Text that is not JSON.
    public struct Malformed: Error, Hashable, Sendable, CustomStringConvertible {
        /// Index of the byte at which reading stopped.
        public var offset: Int
        /// What is wrong there.
        public var problem: String

        public var description: String { "\(problem) at byte \(offset)" }
    }

    /// Reads one value that fills `bytes`.
    ///
    /// - Parameter bytes: UTF-8 after RFC 8259, nested at most 64 deep, each key once per object.
    /// - Throws: `Malformed` at the first byte that does not fit.
    public init(parsing bytes: [UInt8]) throws(Malformed) { try self.init(parsing: bytes[...]) }

    /// Reads one value that fills `bytes`; offsets of errors count from its first byte.
    init(parsing bytes: ArraySlice<UInt8>) throws(Malformed) {
        var parser = JSONParser(bytes)
        self = try parser.document()
    }
}

/// Reads JSON by recursive descent.
private struct JSONParser {
    private let bytes: ArraySlice<UInt8>
    private var position: Int
    private var depth = 0

    init(_ bytes: ArraySlice<UInt8>) {
        self.bytes = bytes
        position = bytes.startIndex
    }

    mutating func document() throws(JSON.Malformed) -> JSON {
        let value = try value()
        skipSpace()
        guard position == bytes.endIndex else { throw malformed("something after the value") }
        return value
    }

    private mutating func value() throws(JSON.Malformed) -> JSON {
        skipSpace()
        guard let byte = peek else { throw malformed("the value is missing") }
        switch byte {
        case UInt8(ascii: "{"): return try object()
        case UInt8(ascii: "["): return try list()
        case UInt8(ascii: "\""): return .text(try string())
        case UInt8(ascii: "t"): return try word("true", .boolean(true))
        case UInt8(ascii: "f"): return try word("false", .boolean(false))
        case UInt8(ascii: "n"): return try word("null", .null)
        case UInt8(ascii: "-"), UInt8(ascii: "0")...UInt8(ascii: "9"): return try number()
        default: throw malformed("no value begins so")
        }
    }

    private mutating func object() throws(JSON.Malformed) -> JSON {
        let start = position
        try descend()
        var members: [JSON.Object.Member] = []
        skipSpace()
        if !take(UInt8(ascii: "}")) {
            repeat {
                skipSpace()
                guard peek == UInt8(ascii: "\"") else { throw malformed("a key is missing") }
                let key = try string()
                skipSpace()
                guard take(UInt8(ascii: ":")) else { throw malformed("':' is missing") }
                members.append(JSON.Object.Member(key: key, value: try value()))
                skipSpace()
            } while take(UInt8(ascii: ","))
            guard take(UInt8(ascii: "}")) else { throw malformed("'}' is missing") }
        }
        depth -= 1
        guard let object = JSON.Object(members) else {
            position = start
            throw malformed("a key stands twice in the object")
        }
        return .object(object)
    }

    private mutating func list() throws(JSON.Malformed) -> JSON {
        try descend()
        var elements: [JSON] = []
        skipSpace()
        if !take(UInt8(ascii: "]")) {
            repeat {
                elements.append(try value())
                skipSpace()
            } while take(UInt8(ascii: ","))
            guard take(UInt8(ascii: "]")) else { throw malformed("']' is missing") }
        }
        depth -= 1
        return .list(elements)
    }

    private mutating func descend() throws(JSON.Malformed) {
        guard depth < 64 else { throw malformed("nested more than 64 deep") }
        depth += 1
        position += 1
    }

    private mutating func number() throws(JSON.Malformed) -> JSON {
        let start = position
        _ = take(UInt8(ascii: "-"))
        if !take(UInt8(ascii: "0")) { try digits() }
        var isInteger = true
        if take(UInt8(ascii: ".")) {
            isInteger = false
            try digits()
        }
        if take(UInt8(ascii: "e")) || take(UInt8(ascii: "E")) {
            isInteger = false
            if !take(UInt8(ascii: "+")) { _ = take(UInt8(ascii: "-")) }
            try digits()
        }
        let text = String(decoding: bytes[start..<position], as: UTF8.self)
        if isInteger, let integer = Int(text) { return .integer(integer) }
        guard let real = Double(text), real.isFinite else {
            position = start
            throw malformed("the number is too large")
        }
        return .real(real)
    }

    private mutating func digits() throws(JSON.Malformed) {
        let start = position
        while let byte = peek, (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) { position += 1 }
        guard position > start else { throw malformed("a digit is missing") }
    }

    private mutating func string() throws(JSON.Malformed) -> String {
        position += 1
        let start = position
        var unescaped: [UInt8]?
        while let byte = peek {
            switch byte {
            case UInt8(ascii: "\""):
                let end = position
                position += 1
                let text =
                    unescaped.map { String(validating: $0, as: UTF8.self) }
                    ?? String(validating: bytes[start..<end], as: UTF8.self)
                guard let text else {
                    position = start
                    throw malformed("the string is not UTF-8")
                }
                return text
            case UInt8(ascii: "\\"):
                if unescaped == nil { unescaped = Array(bytes[start..<position]) }
                position += 1
                unescaped?.append(contentsOf: try escape())
            case 0..<0x20: throw malformed("a control character stands in a string")
            default:
                unescaped?.append(byte)
                position += 1
            }
        }
        throw malformed("the string does not end")
    }

    /// The UTF-8 of the escape whose backslash was just read.
    private mutating func escape() throws(JSON.Malformed) -> [UInt8] {
        guard let byte = peek else { throw malformed("the string does not end") }
        position += 1
        switch byte {
        case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "/"): return [byte]
        case UInt8(ascii: "b"): return [0x08]
        case UInt8(ascii: "f"): return [0x0C]
        case UInt8(ascii: "n"): return [0x0A]
        case UInt8(ascii: "r"): return [0x0D]
        case UInt8(ascii: "t"): return [0x09]
        case UInt8(ascii: "u"): return try unicodeEscape()
        default:
            position -= 1
            throw malformed("no escape is written so")
        }
    }

    private mutating func unicodeEscape() throws(JSON.Malformed) -> [UInt8] {
        let first = try hexadecimal()
        var code = UInt32(first)
        if (0xD800..<0xDC00).contains(first) {
            guard take(UInt8(ascii: "\\")), take(UInt8(ascii: "u")) else {
                throw malformed("half of a surrogate pair")
            }
            let second = try hexadecimal()
            guard (0xDC00..<0xE000).contains(second) else { throw malformed("half of a surrogate pair") }
            code = 0x10000 + (UInt32(first) - 0xD800) << 10 + (UInt32(second) - 0xDC00)
        }
        guard let scalar = Unicode.Scalar(code) else { throw malformed("half of a surrogate pair") }
        return Array(String(Character(scalar)).utf8)
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

    private mutating func word(_ word: StaticString, _ value: JSON) throws(JSON.Malformed) -> JSON {
        for byte in word.description.utf8 {
            guard take(byte) else { throw malformed("no value begins so") }
        }
        return value
    }

    private mutating func skipSpace() {
        while let byte = peek, byte == 0x20 || byte == 0x0A || byte == 0x0D || byte == 0x09 { position += 1 }
    }

    private var peek: UInt8? { position < bytes.endIndex ? bytes[position] : nil }

    private mutating func take(_ byte: UInt8) -> Bool {
        guard peek == byte else { return false }
        position += 1
        return true
    }

    private func malformed(_ problem: String) -> JSON.Malformed {
        JSON.Malformed(offset: position - bytes.startIndex, problem: problem)
    }
}
