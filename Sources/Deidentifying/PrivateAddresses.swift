/// Finds addresses of the Internet and of devices in free text, also as a part of a longer word, such as
/// `strap-192.168.1.20`.
enum PrivateAddresses {
    /// The text with each of them replaced.
    static func removed(from text: String) -> String {
        let bytes = Array(text.utf8)
        guard bytes.contains(where: { ":.-".utf8.contains($0) }) else { return text }
        var result: [UInt8] = []
        var index = 0
        while index < bytes.count {
            let length =
                four(in: bytes, at: index) ?? device(in: bytes, at: index) ?? six(in: bytes, at: index)
            if let length {
                result += Array(PrivatePlaces.removed.utf8)
                index += length
            } else {
                result.append(bytes[index])
                index += 1
            }
        }
        return String(decoding: result, as: UTF8.self)
    }

    /// Four numbers below 256, with the port or the length of the network behind them.
    private static func four(in bytes: [UInt8], at start: Int) -> Int? {
        guard isDigit(bytes, start), !isDigit(bytes, start - 1), !isPointWithDigit(bytes, start - 1, -1)
        else {
            return nil
        }
        var end = start
        for part in 0..<4 {
            if part > 0 {
                guard isPointWithDigit(bytes, end, 1) else { return nil }
                end += 1
            }
            let digits = bytes[end...].prefix { isDigit($0) }
            guard digits.count < 4, digits.reduce(0, { $0 * 10 + Int($1 - 0x30) }) < 256 else { return nil }
            end += digits.count
        }
        guard !isPointWithDigit(bytes, end, 1) else { return nil }
        if end < bytes.count, ":/".utf8.contains(bytes[end]), isDigit(bytes, end + 1) {
            end += 1 + bytes[(end + 1)...].prefix { isDigit($0) }.count
        }
        return end - start
    }

    /// The address of a Bluetooth or network card: six or more pairs of hexadecimal digits.
    private static func device(in bytes: [UInt8], at start: Int) -> Int? {
        guard !isHexadecimal(bytes, start - 1) else { return nil }
        var (end, pairs) = (start, 0)
        while isHexadecimal(bytes, end), isHexadecimal(bytes, end + 1) {
            pairs += 1
            end += 2
            guard end < bytes.count, ":-".utf8.contains(bytes[end]), isHexadecimal(bytes, end + 1),
                isHexadecimal(bytes, end + 2)
            else { break }
            end += 1
        }
        return pairs > 5 && !isHexadecimal(bytes, end) ? end - start : nil
    }

    /// Eight groups of hexadecimal digits, or fewer with `::` in the place of zeros.
    private static func six(in bytes: [UInt8], at start: Int) -> Int? {
        let colon = UInt8(ascii: ":")
        guard bytes[start] == colon || isHexadecimal(bytes, start), !isAlphanumeric(bytes, start - 1),
            start == 0 || bytes[start - 1] != colon
        else { return nil }
        var address = bytes[start...].prefix { $0 == colon || isHexadecimal($0) }
        if address.endIndex < bytes.count, bytes[address.endIndex] == UInt8(ascii: "."),
            isDigit(bytes, address.endIndex + 1), let last = address.lastIndex(of: colon)
        {
            // An address of four numbers follows, which is found by itself.
            address = address[...last]
        }
        if address.last == colon, address.dropLast().last != colon { address = address.dropLast() }
        let groups = address.split(separator: colon, omittingEmptySubsequences: false)
        let filled = groups.filter { !$0.isEmpty }
        let isShort = zip(address, address.dropFirst()).contains { $0 == colon && $1 == colon }
        guard groups.count > 2, filled.allSatisfy({ $0.count < 5 }),
            isShort ? !filled.isEmpty && filled.count < 8 : filled.count == 8 && groups.count == 8,
            address.contains(where: { isDigit($0) }), !isAlphanumeric(bytes, address.endIndex)
        else { return nil }
        return address.count
    }

    private static func isPointWithDigit(_ bytes: [UInt8], _ index: Int, _ step: Int) -> Bool {
        bytes.indices.contains(index) && bytes[index] == UInt8(ascii: ".") && isDigit(bytes, index + step)
    }

    private static func isDigit(_ bytes: [UInt8], _ index: Int) -> Bool {
        bytes.indices.contains(index) && isDigit(bytes[index])
    }

    private static func isHexadecimal(_ bytes: [UInt8], _ index: Int) -> Bool {
        bytes.indices.contains(index) && isHexadecimal(bytes[index])
    }

    private static func isAlphanumeric(_ bytes: [UInt8], _ index: Int) -> Bool {
        guard bytes.indices.contains(index) else { return false }
        return isDigit(bytes[index]) || (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(bytes[index] | 0x20)
    }

    private static func isDigit(_ byte: UInt8) -> Bool {
        (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte)
    }

    private static func isHexadecimal(_ byte: UInt8) -> Bool {
        isDigit(byte) || (UInt8(ascii: "a")...UInt8(ascii: "f")).contains(byte | 0x20)
    }
}
