import Results
import TextFormat

/// Reads rows of a table from its NDJSON, cell by cell, by the types of the table's columns.
struct NDJSONRows {
    private let columns: [Table.Column]
    private let keys: TableText.Keys
    /// A text with its escapes resolved.
    private var text: [UInt8] = []

    init(_ table: Table) {
        columns = table.columns
        keys = TableText.Keys(table.columns)
    }

    /// Reads the line at `place`, and moves it behind the line.
    ///
    /// - Throws: if the line does not belong to the table.
    mutating func read(_ bytes: [UInt8], at place: inout Int, into target: inout [ParquetColumn]) throws {
        for index in columns.indices {
            try pass(keys.text, keys.ends[index]..<keys.ends[index + 1], in: bytes, at: &place)
            try readCell(index, bytes, at: &place, into: &target[index])
        }
        try pass(Self.end, Self.end.indices, in: bytes, at: &place)
    }

    private static let end = Array("}\n".utf8)
    private static let null = Array("null".utf8)

    private mutating func readCell(
        _ index: Int, _ bytes: [UInt8], at place: inout Int, into target: inout ParquetColumn
    ) throws {
        let kind = columns[index].kind
        guard place < bytes.count else { throw Self.malformed }
        if bytes[place] == UInt8(ascii: "n") {
            guard !columns[index].isRequired else { throw Self.malformed }
            try pass(Self.null, Self.null.indices, in: bytes, at: &place)
            return target.missing()
        }
        switch kind {
        case .text:
            let string = try string(bytes, at: &place)
            guard string.isEscaped else { return target.append(text: bytes, string.range) }
            try unescape(bytes, string.range)
            target.append(text: text, text.indices)
        case .time:
            target.append(integer: try milliseconds(bytes, string(bytes, at: &place).range))
        case .integer: target.append(integer: try integer(bytes, at: &place))
        case .real: target.append(real: try real(bytes, at: &place))
        case .boolean:
            let isTrue = bytes[place] == UInt8(ascii: "t")
            let word = Array((isTrue ? "true" : "false").utf8)
            try pass(word, word.indices, in: bytes, at: &place)
            target.append(boolean: isTrue)
        }
    }

    private static let malformed = WireFailure("a line is not a row of the table")

    private func pass(_ wanted: [UInt8], _ range: Range<Int>, in bytes: [UInt8], at place: inout Int) throws {
        let (left, right) = (wanted.span, bytes.span)
        guard place + range.count <= right.count else { throw Self.malformed }
        for offset in 0..<range.count where left[range.lowerBound + offset] != right[place + offset] {
            throw Self.malformed
        }
        place += range.count
    }

    /// Walks past a string; the range is without its quotes.
    private func string(_ bytes: [UInt8], at place: inout Int) throws -> (range: Range<Int>, isEscaped: Bool)
    {
        let span = bytes.span
        guard span[place] == UInt8(ascii: "\"") else { throw Self.malformed }
        let first = place + 1
        var (end, isEscaped) = (first, false)
        while end < span.count, span[end] != UInt8(ascii: "\"") {
            if span[end] == UInt8(ascii: "\\") {
                isEscaped = true
                end += 1
            }
            end += 1
        }
        guard end < span.count else { throw Self.malformed }
        place = end + 1
        return (first..<end, isEscaped)
    }

    /// Puts the characters of a string into `text`.
    private mutating func unescape(_ bytes: [UInt8], _ range: Range<Int>) throws {
        text.removeAll(keepingCapacity: true)
        let span = bytes.span
        var place = range.lowerBound
        while place < range.upperBound {
            var byte = span[place]
            if byte == UInt8(ascii: "\\") {
                place += 1
                byte = span[place]
                guard byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "\\") else {
                    let quoted = range.lowerBound - 1..<range.upperBound + 1
                    text = Array(try JSON(parsing: bytes, in: quoted).asText().utf8)
                    return
                }
            }
            text.append(byte)
            place += 1
        }
    }

    private func integer(_ bytes: [UInt8], at place: inout Int) throws -> Int {
        let text = numeral(bytes, at: &place)
        if let digits = Self.digits(bytes, text), digits.places == 0 { return digits.value }
        guard let value = Int(String(decoding: bytes[text], as: UTF8.self)) else { throw Self.malformed }
        return value
    }

    private func real(_ bytes: [UInt8], at place: inout Int) throws -> Double {
        let text = numeral(bytes, at: &place)
        // Whole numbers and powers of ten of this size are exact, so their quotient is rounded only once.
        if let digits = Self.digits(bytes, text) {
            return Double(digits.value) / Self.powersOfTen[digits.places]
        }
        guard let value = Double(String(decoding: bytes[text], as: UTF8.self)) else { throw Self.malformed }
        return value
    }

    static let powersOfTen = (0...15).map { exponent in
        (0..<exponent).reduce(1.0) { power, _ in power * 10 }
    }

    /// Walks past a number.
    private func numeral(_ bytes: [UInt8], at place: inout Int) -> Range<Int> {
        let span = bytes.span
        let first = place
        while place < span.count, span[place] != UInt8(ascii: ","), span[place] != UInt8(ascii: "}") {
            place += 1
        }
        return first..<place
    }

    /// Reads up to 15 digits with or without a decimal point.
    ///
    /// - Returns: the digits as one number, and how many of them come after the point; `nil` for any other number.
    static func digits(_ bytes: [UInt8], _ range: Range<Int>) -> (value: Int, places: Int)? {
        guard !range.isEmpty, range.count <= 16 else { return nil }
        let span = bytes.span
        var (value, count, point) = (0, 0, -1)
        for index in range {
            let digit = span[index] &- UInt8(ascii: "0")
            if digit <= 9 {
                value = value * 10 + Int(digit)
                count += 1
            } else if span[index] == UInt8(ascii: "."), point < 0, count > 0 {
                point = count
            } else {
                return nil
            }
        }
        guard count > 0, count <= 15, point != count else { return nil }
        return (value, point < 0 ? 0 : count - point)
    }

    /// Reads `2026-01-31T09:00:14.083Z`, as `TimeText` writes it.
    private func milliseconds(_ bytes: [UInt8], _ range: Range<Int>) throws -> Int {
        guard range.count == 24 else { throw Self.malformed }
        func number(_ start: Int, _ count: Int) -> Int {
            bytes[(range.lowerBound + start)...].prefix(count).reduce(0) { $0 * 10 + Int($1 & 0xF) }
        }
        let day = CivilDate(year: number(0, 4), month: number(5, 2), day: number(8, 2)).daysSince1970
        let seconds = (day * 24 + number(11, 2)) * 3600 + number(14, 2) * 60 + number(17, 2)
        return seconds * 1000 + number(20, 3)
    }
}
