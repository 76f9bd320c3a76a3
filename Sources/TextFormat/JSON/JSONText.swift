/// Compact JSON being written, piece by piece.
///
/// Commas are added automatically. Members that are written one by one must come in the order of their keys; whole
/// values sort their keys themselves.
package struct JSONText {
    package private(set) var bytes: [UInt8] = []
    private var needsComma = false

    package init(reserving capacity: Int = 0) { bytes.reserveCapacity(capacity) }

    package mutating func beginObject() { begin(UInt8(ascii: "{")) }
    package mutating func endObject() { end(UInt8(ascii: "}")) }
    package mutating func beginList() { begin(UInt8(ascii: "[")) }
    package mutating func endList() { end(UInt8(ascii: "]")) }

    package mutating func key(_ key: String) {
        text(key)
        bytes.append(UInt8(ascii: ":"))
        needsComma = false
    }

    package mutating func null() { literal("null") }
    package mutating func boolean(_ value: Bool) { literal(value ? "true" : "false") }

    package mutating func integer(_ value: Int) {
        beginValue()
        bytes.append(contentsOf: value.description.utf8)
    }

    /// The shortest digits that read back as `value`, always with a decimal point; `null` if the value is not
    /// finite.
    package mutating func real(_ value: Double) {
        guard value.isFinite else { return null() }
        beginValue()
        let digits = value.description
        if digits.utf8.contains(UInt8(ascii: ".")) {
            bytes.append(contentsOf: digits.utf8)
        } else {
            let mantissa = digits.utf8.prefix { $0 != UInt8(ascii: "e") }
            bytes.append(contentsOf: mantissa)
            bytes.append(contentsOf: ".0".utf8)
            bytes.append(contentsOf: digits.utf8.dropFirst(mantissa.count))
        }
    }

    package mutating func text(_ value: String) {
        beginValue()
        bytes.append(UInt8(ascii: "\""))
        // The characters are copied first and checked afterwards, because an array is read much faster than a
        // string.
        let start = bytes.count
        bytes.append(contentsOf: value.utf8)
        if bytes[start...].contains(where: Self.needsEscape) {
            bytes.removeSubrange(start...)
            for byte in value.utf8 { appendEscaped(byte) }
        }
        bytes.append(UInt8(ascii: "\""))
    }

    /// A string of ASCII characters that need no escape, appended by `write`.
    package mutating func plainText(_ write: (inout [UInt8]) -> Void) {
        beginValue()
        bytes.append(UInt8(ascii: "\""))
        write(&bytes)
        bytes.append(UInt8(ascii: "\""))
    }

    package mutating func value(_ value: JSON) {
        switch value {
        case .null: null()
        case .boolean(let boolean): self.boolean(boolean)
        case .integer(let integer): self.integer(integer)
        case .real(let real): self.real(real)
        case .text(let text): self.text(text)
        case .list(let list):
            beginList()
            for element in list { self.value(element) }
            endList()
        case .object(let object):
            beginObject()
            for member in object.members {
                key(member.key)
                self.value(member.value)
            }
            endObject()
        }
    }

    /// Ends a line of a file that holds one value on each line.
    package mutating func endLine() {
        bytes.append(UInt8(ascii: "\n"))
        needsComma = false
    }

    private mutating func begin(_ bracket: UInt8) {
        beginValue()
        bytes.append(bracket)
        needsComma = false
    }

    private mutating func end(_ bracket: UInt8) {
        bytes.append(bracket)
        needsComma = true
    }

    private mutating func literal(_ word: String) {
        beginValue()
        bytes.append(contentsOf: word.utf8)
    }

    private mutating func beginValue() {
        if needsComma { bytes.append(UInt8(ascii: ",")) }
        needsComma = true
    }

    private static func needsEscape(_ byte: UInt8) -> Bool {
        byte < 0x20 || byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "\\") || byte == 0x7F
    }

    private mutating func appendEscaped(_ byte: UInt8) {
        switch byte {
        case UInt8(ascii: "\""), UInt8(ascii: "\\"): bytes += [UInt8(ascii: "\\"), byte]
        case UInt8(ascii: "\n"): bytes += Array(#"\n"#.utf8)
        case UInt8(ascii: "\r"): bytes += Array(#"\r"#.utf8)
        case UInt8(ascii: "\t"): bytes += Array(#"\t"#.utf8)
        case 0..<0x20, 0x7F:
            let digits = Array("0123456789abcdef".utf8)
            bytes += Array(#"\u00"#.utf8) + [digits[Int(byte >> 4)], digits[Int(byte & 15)]]
        default: bytes.append(byte)
        }
    }
}

extension JSON {
    /// The value as compact UTF-8: keys in order, reals with a point, control characters escaped.
    public func encoded() -> [UInt8] {
        var text = JSONText()
        text.value(self)
        return text.bytes
    }
}
