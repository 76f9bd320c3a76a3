/// The layout of the messages of one local type, as a definition message describes it.
struct FITLayout {
    private struct Field {
        var number: UInt8
        var offset: Int
        var size: Int
        var baseType: UInt8
    }

    /// Numbers of the messages that are read.
    static let record: UInt16 = 20
    static let monitoring: UInt16 = 55
    static let hrv: UInt16 = 78
    static let beats: UInt16 = 132
    static let beatIntervals: UInt16 = 290
    /// The field of the time in every message.
    static let timestamp: UInt8 = 253

    /// The global number of the kind of message.
    private(set) var message: UInt16
    /// Bytes of a message, including developers' fields.
    private(set) var size = 0
    private var fields: [Field] = []
    private let isBigEndian: Bool

    /// Reads a definition; `nil` if the bytes end.
    init?(_ reader: inout ByteReader, hasDeveloperFields: Bool) {
        guard reader.byte() != nil, let order = reader.byte(), let first = reader.byte(),
            let second = reader.byte(), let count = reader.byte()
        else { return nil }
        isBigEndian = order == 1
        message = isBigEndian ? UInt16(first) << 8 | UInt16(second) : UInt16(second) << 8 | UInt16(first)
        for _ in 0..<count {
            guard let field = reader.read(3) else { return nil }
            fields.append(Field(number: field[0], offset: size, size: Int(field[1]), baseType: field[2]))
            size += Int(field[1])
        }
        guard hasDeveloperFields else { return }
        guard let developerCount = reader.byte() else { return nil }
        for _ in 0..<developerCount {
            guard let field = reader.read(3) else { return nil }
            size += Int(field[1])
        }
    }

    /// Whether the message has the field with that number.
    func has(_ number: UInt8) -> Bool { fields.contains { $0.number == number } }

    /// The only or first value of a field; `nil` if it is missing or marked as invalid.
    func number(_ number: UInt8, in data: ArraySlice<UInt8>) -> Int? { numbers(number, in: data).first }

    /// The bytes of a field; empty if it is missing.
    func bytes(_ number: UInt8, in data: ArraySlice<UInt8>) -> [UInt8] {
        fields.first { $0.number == number }.map { Array(data[$0.offset..<$0.offset + $0.size]) } ?? []
    }

    /// The valid values of a field that contains unsigned numbers.
    func numbers(_ number: UInt8, in data: ArraySlice<UInt8>) -> [Int] {
        guard let field = fields.first(where: { $0.number == number }), let width = Self.width(field.baseType)
        else { return [] }
        return stride(from: field.offset, through: field.offset + field.size - width, by: width).compactMap {
            let bytes = data[$0..<$0 + width]
            let value = (isBigEndian ? Array(bytes) : bytes.reversed()).reduce(0) { $0 << 8 | Int($1) }
            return value == Self.invalid(field.baseType, width) ? nil : value
        }
    }

    /// Bytes of an unsigned number; `nil` for all other types.
    private static func width(_ baseType: UInt8) -> Int? {
        switch baseType & 0x1F {
        case 0x00, 0x02, 0x0A, 0x0D: 1
        case 0x04, 0x0B: 2
        case 0x06, 0x0C: 4
        default: nil
        }
    }

    /// All bits set, or 0 for the types whose names end in z.
    private static func invalid(_ baseType: UInt8, _ width: Int) -> Int {
        switch baseType & 0x1F {
        case 0x0A, 0x0B, 0x0C: 0
        default: 1 << (8 * width) - 1
        }
    }
}
