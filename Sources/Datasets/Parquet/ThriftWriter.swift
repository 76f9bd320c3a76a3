/// Writes structures in Thrift's compact protocol, in which Parquet describes itself.
///
/// Source: Apache Thrift, "Thrift Compact protocol encoding".
struct ThriftWriter {
    private(set) var bytes: [UInt8] = []
    /// The number of the last field in each open structure.
    private var last: [Int] = [0]

    private enum Kind: UInt8 {
        case yes = 1, no = 2, small = 5, large = 6, binary = 8, list = 9, structure = 12
    }

    /// A whole number of 32 bits, or a value of an enumeration.
    mutating func field(_ number: Int, small value: Int) {
        begin(number, .small)
        bytes.append(varint: Self.zigzag(value))
    }

    /// A whole number of 64 bits.
    mutating func field(_ number: Int, large value: Int) {
        begin(number, .large)
        bytes.append(varint: Self.zigzag(value))
    }

    mutating func field(_ number: Int, boolean value: Bool) { begin(number, value ? .yes : .no) }

    mutating func field(_ number: Int, text: String) { field(number, bytes: Array(text.utf8)) }

    mutating func field(_ number: Int, bytes value: [UInt8]) {
        begin(number, .binary)
        append(value)
    }

    /// A structure whose fields `write` writes.
    mutating func field(_ number: Int, _ write: (inout ThriftWriter) -> Void) {
        begin(number, .structure)
        structure(write)
    }

    mutating func field<Element>(
        _ number: Int, structures: [Element], _ write: (inout ThriftWriter, Element) -> Void
    ) {
        beginList(number, structures.count, of: .structure)
        for element in structures { structure { write(&$0, element) } }
    }

    /// A list of values of an enumeration.
    mutating func field(_ number: Int, smalls: [Int]) {
        beginList(number, smalls.count, of: .small)
        for value in smalls { bytes.append(varint: Self.zigzag(value)) }
    }

    mutating func field(_ number: Int, texts: [String]) {
        beginList(number, texts.count, of: .binary)
        for text in texts { append(Array(text.utf8)) }
    }

    /// Ends the outermost structure.
    mutating func end() { bytes.append(0) }

    private mutating func structure(_ write: (inout ThriftWriter) -> Void) {
        last.append(0)
        write(&self)
        last.removeLast()
        end()
    }

    private mutating func begin(_ number: Int, _ kind: Kind) {
        let step = number - (last.last ?? 0)
        last[last.count - 1] = number
        if (1...15).contains(step) {
            bytes.append(UInt8(step) << 4 | kind.rawValue)
        } else {
            bytes.append(kind.rawValue)
            bytes.append(varint: Self.zigzag(number))
        }
    }

    private mutating func beginList(_ number: Int, _ count: Int, of kind: Kind) {
        begin(number, .list)
        if count < 15 {
            bytes.append(UInt8(count) << 4 | kind.rawValue)
        } else {
            bytes.append(0xF0 | kind.rawValue)
            bytes.append(varint: UInt(count))
        }
    }

    private mutating func append(_ value: [UInt8]) {
        bytes.append(varint: UInt(value.count))
        bytes += value
    }

    /// Numbers near 0 become short, whatever their sign.
    private static func zigzag(_ value: Int) -> UInt { UInt(bitPattern: value << 1 ^ value >> 63) }
}

extension [UInt8] {
    /// Appends seven bits in each byte, the lowest first.
    mutating func append(varint value: UInt) {
        var rest = value
        while rest >= 0x80 {
            append(UInt8(truncatingIfNeeded: rest) | 0x80)
            rest >>= 7
        }
        append(UInt8(rest))
    }

    /// Appends four bytes, the lowest first.
    mutating func append(littleEndian number: UInt32) {
        unsafe Swift.withUnsafeBytes(of: number.littleEndian) { bytes in unsafe append(contentsOf: bytes) }
    }

    /// Appends eight bytes, the lowest first.
    mutating func append(littleEndian number: UInt64) {
        unsafe Swift.withUnsafeBytes(of: number.littleEndian) { bytes in unsafe append(contentsOf: bytes) }
    }
}
