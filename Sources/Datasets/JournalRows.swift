import Results

/// Makes a row of every line of a journal, and remembers what catalogues say of the clips that were played.
struct JournalRows {
    /// Clip → attributes of its catalogue entry.
    private(set) var attributes: [String: JSON] = [:]

    mutating func add(_ journal: [UInt8], to events: inout TableText) throws {
        guard var start = journal.firstIndex(of: UInt8(ascii: "\n")) else {
            throw Unlike("the journal is empty")
        }
        start += 1
        while start < journal.count {
            guard let end = journal[start...].firstIndex(of: UInt8(ascii: "\n")) else {
                throw Unlike("the journal's last line is torn")
            }
            try add(JSONCursor(journal, at: start), to: &events)
            start = end + 1
        }
    }

    private mutating func add(_ line: JSONCursor, to events: inout TableText) throws {
        var cursor = line
        var number = 0..<0
        var instant = 0..<0
        var kind = "event"
        var content = 0..<0
        try cursor.members { cursor, key in
            let value = try cursor.value()
            if cursor.matches(key, "n") {
                number = value
            } else if cursor.matches(key, "t") {
                instant = value
            } else if cursor.matches(key, "event") {
                content = value
            } else if cursor.matches(key, "effect") {
                kind = "effect"
                content = value
            }
        }
        let bytes = cursor.bytes
        guard let nanoseconds = Int(String(decoding: bytes[instant], as: UTF8.self)), !content.isEmpty else {
            throw Unlike("a line of the journal tells no moment")
        }
        events.beginRow()
        events.plain(bytes[number])
        events.real(Double(nanoseconds) / 1e9)
        events.text(kind)
        if bytes[content.lowerBound] == UInt8(ascii: "{") {
            try addVariant(cursor.bytes, content, to: &events)
        } else {
            try events.string(bytes[content])
            events.missing()
        }
        events.endRow()
    }

    /// `{"played":{…}}`: the name, and what it bears.
    private mutating func addVariant(_ bytes: [UInt8], _ content: Range<Int>, to events: inout TableText)
        throws
    {
        var cursor = JSONCursor(bytes, at: content.lowerBound)
        var isWritten = false
        try cursor.members { cursor, key in
            let payload = try cursor.value()
            guard !isWritten else { return }
            isWritten = true
            try events.string(bytes[key.lowerBound - 1..<key.upperBound + 1])
            events.json(bytes[payload])
            if cursor.matches(key, "play") { try remember(Array(bytes[payload])) }
        }
        guard isWritten else { throw Unlike("a line of the journal tells nothing") }
    }

    private mutating func remember(_ played: [UInt8]) throws {
        let stimulus = try JSON(parsing: played)["clip"]?["drawn"]?["stimulus"]
        if let name = stimulus?["identifier"]?.text { attributes[name] = stimulus?["attributes"] }
    }
}
