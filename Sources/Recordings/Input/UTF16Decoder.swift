/// Converts UTF-16 to UTF-8, a block at a time; invalid units become U+FFFD.
struct UTF16Decoder {
    private let isBigEndian: Bool
    /// Bytes of a character that continues in the next block.
    private var waiting: [UInt8] = []
    private var isAtStart = true

    /// - Parameter beginning: the first bytes of a file.
    /// - Returns: `nil` for text in another encoding. UTF-16 begins with its byte order mark, or with ASCII letters
    ///   that each have a zero byte.
    init?(_ beginning: [UInt8]) {
        guard beginning.count >= 2 else { return nil }
        let isLetter: (UInt8) -> Bool = { (0x20..<0x7F).contains($0) }
        switch (beginning[0], beginning[1]) {
        case (0xFF, 0xFE): isBigEndian = false
        case (0xFE, 0xFF): isBigEndian = true
        case (let letter, 0) where isLetter(letter) && beginning.count >= 4 && beginning[3] == 0:
            isBigEndian = false
        case (0, let letter) where isLetter(letter) && beginning.count >= 4 && beginning[2] == 0:
            isBigEndian = true
        default: return nil
        }
    }

    mutating func decode(_ block: [UInt8]) -> [UInt8] {
        let bytes = waiting + block
        var units = stride(from: 0, to: bytes.count - 1, by: 2).map { index in
            let (first, second) = (UInt16(bytes[index]), UInt16(bytes[index + 1]))
            return isBigEndian ? first << 8 | second : second << 8 | first
        }
        waiting = bytes.count % 2 == 1 ? [bytes[bytes.count - 1]] : []
        if let last = units.last, (0xD800..<0xDC00).contains(last) {
            units.removeLast()
            waiting = Array(bytes[(2 * units.count)...])
        }
        if isAtStart, units.first == 0xFEFF { units.removeFirst() }
        isAtStart = units.isEmpty && isAtStart
        return Array(String(decoding: units, as: UTF16.self).utf8)
    }
}
