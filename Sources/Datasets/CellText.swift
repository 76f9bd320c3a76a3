import Results
import TextFormat

extension [UInt8] {
    package mutating func append(_ word: StaticString) {
        word.withUTF8Buffer { letters in unsafe append(contentsOf: letters) }
    }

    /// Appends a range of other bytes, without a copy in between.
    package mutating func append(_ bytes: [UInt8], _ range: Range<Int>) {
        let span = bytes.span.extracting(range)
        unsafe span.withUnsafeBufferPointer { buffer in unsafe append(contentsOf: buffer) }
    }

    package mutating func append(number: Int) {
        if number < 0 { append(UInt8(ascii: "-")) }
        append(digitsOf: number.magnitude)
    }

    /// Appends seconds with a decimal point and no needless digits.
    package mutating func append(secondsOfNanoseconds nanoseconds: Int) {
        if nanoseconds < 0 { append(UInt8(ascii: "-")) }
        let (whole, rest) = nanoseconds.magnitude.quotientAndRemainder(dividingBy: 1_000_000_000)
        append(digitsOf: whole)
        append(UInt8(ascii: "."))
        var (left, scale) = (rest, UInt(100_000_000))
        repeat {
            append(UInt8(ascii: "0") + UInt8(left / scale))
            left %= scale
            scale /= 10
        } while left > 0
    }

    private mutating func append(digitsOf number: UInt) {
        if number >= 10 { append(digitsOf: number / 10) }
        append(UInt8(ascii: "0") + UInt8(number % 10))
    }

    /// Appends text as a cell of a CSV file, guarded and quoted if necessary.
    package mutating func append(cell bytes: [UInt8], _ range: Range<Int>) {
        let text = bytes.span.extracting(range)
        let isGuarded = CellGuard.guards(text)
        // DuckDB could take the guard and the end of the cell for quotes.
        var needsQuotes = isGuarded && (text.isEmpty || text[text.count - 1] == UInt8(ascii: "'"))
        var index = 0
        while !needsQuotes, index < text.count {
            needsQuotes = Self.isQuoted(text[index])
            index += 1
        }
        guard needsQuotes else {
            if isGuarded { append(UInt8(ascii: "'")) }
            return append(bytes, range)
        }
        append(addingCapacity: 2 * text.count + 3) { output in
            output.append(UInt8(ascii: "\""))
            if isGuarded { output.append(UInt8(ascii: "'")) }
            for index in text.indices {
                let byte = text[index]
                if byte == UInt8(ascii: "\"") { output.append(byte) }
                output.append(byte)
            }
            output.append(UInt8(ascii: "\""))
        }
    }

    /// Appends UTF-8 as a JSON string.
    package mutating func append(text bytes: [UInt8]) {
        let needsEscape = bytes.contains {
            $0 < 0x20 || $0 == UInt8(ascii: "\"") || $0 == UInt8(ascii: "\\") || $0 == 0x7F
        }
        guard !needsEscape else {
            self += JSON.text(String(decoding: bytes, as: UTF8.self)).encoded()
            return
        }
        append(UInt8(ascii: "\""))
        self += bytes
        append(UInt8(ascii: "\""))
    }

    /// Appends JSON as a JSON string.
    ///
    /// The only control characters in JSON are white space between values.
    package mutating func append(quoted bytes: [UInt8], _ range: Range<Int>) {
        let json = bytes.span.extracting(range)
        append(addingCapacity: 2 * json.count + 2) { output in
            output.append(UInt8(ascii: "\""))
            for index in json.indices {
                let byte = json[index]
                if byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "\\") {
                    output.append(UInt8(ascii: "\\"))
                }
                output.append(byte < 0x20 ? 0x20 : byte)
            }
            output.append(UInt8(ascii: "\""))
        }
    }

    private static func isQuoted(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "\""), UInt8(ascii: ","), 0x00..<0x20: true
        default: false
        }
    }
}
