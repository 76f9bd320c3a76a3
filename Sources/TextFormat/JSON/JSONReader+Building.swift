extension JSONReader {
    /// Builds the value that fills the rest.
    mutating func document() throws(JSON.Malformed) -> JSON {
        let value = try json()
        guard !hasMore else { throw malformed("something after the value") }
        return value
    }

    /// Builds one value.
    package mutating func json() throws(JSON.Malformed) -> JSON {
        skipSpace()
        switch try peeked() {
        case UInt8(ascii: "{"): return try object()
        case UInt8(ascii: "["):
            try enterList()
            var elements: [JSON] = []
            while try element() { elements.append(try json()) }
            return .list(elements)
        case UInt8(ascii: "\""): return .text(try characters(of: string()))
        case UInt8(ascii: "t"):
            try pass("true")
            return .boolean(true)
        case UInt8(ascii: "f"):
            try pass("false")
            return .boolean(false)
        case UInt8(ascii: "n"):
            try pass("null")
            return .null
        default: return try numeral()
        }
    }

    private mutating func object() throws(JSON.Malformed) -> JSON {
        let first = position
        try enterObject()
        var members: [JSON.Object.Member] = []
        var before: Token?
        var isAscending = true
        while let key = try keyToken() {
            if let before, isAscending {
                isAscending = !before.isEscaped && !key.isEscaped && precedes(before.range, key.range)
            }
            before = key
            members.append(JSON.Object.Member(key: try characters(of: key), value: try json()))
        }
        guard let object = isAscending ? JSON.Object(ascending: members) : JSON.Object(members) else {
            position = first
            throw malformed("a key stands twice in the object")
        }
        return .object(object)
    }

    /// Whether the bytes of one range come before those of another.
    private func precedes(_ left: Range<Int>, _ right: Range<Int>) -> Bool {
        let span = bytes.span
        for offset in 0..<min(left.count, right.count) {
            let (one, other) = (span[left.lowerBound + offset], span[right.lowerBound + offset])
            if one != other { return one < other }
        }
        return left.count < right.count
    }

    private mutating func numeral() throws(JSON.Malformed) -> JSON {
        let first = position
        let isWhole = try number()
        let text = String(decoding: bytes[first..<position], as: UTF8.self)
        if isWhole, let integer = Int(text) { return .integer(integer) }
        guard let real = Double(text), real.isFinite else {
            position = first
            throw malformed("the number is too large")
        }
        return .real(real)
    }

    /// The characters of a string that the reader walked past.
    private func characters(of token: Token) throws(JSON.Malformed) -> String {
        guard token.isEscaped else { return text(token.range) }
        var copy = JSONReader(bytes, in: token.range)
        var unescaped: [UInt8] = []
        while copy.position < copy.end {
            let byte = bytes[copy.position]
            copy.position += 1
            if byte == UInt8(ascii: "\\") {
                unescaped.append(contentsOf: Array(String(Character(try copy.escape())).utf8))
            } else {
                unescaped.append(byte)
            }
        }
        return String(decoding: unescaped, as: UTF8.self)
    }
}
