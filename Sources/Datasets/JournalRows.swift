import Results

/// Makes a row of every line of a journal, and remembers what catalogues say of the clips that were played.
struct JournalRows {
    /// Clip → attributes of its catalogue entry.
    private(set) var attributes: [String: JSON] = [:]

    mutating func add(_ journal: [UInt8], to events: inout TableText) throws {
        let lines = Lines(of: journal)
        guard !lines.whole.isEmpty else { throw Unlike("the journal is empty") }
        guard !lines.hasTornEnd else { throw Unlike("the journal's last line is torn") }
        for line in lines.whole.dropFirst() {
            var reader = JSONReader(journal, in: line)
            try add(&reader, to: &events)
        }
    }

    private mutating func add(_ reader: inout JSONReader, to events: inout TableText) throws {
        var number = 0..<0
        var instant = 0..<0
        var kind: StaticString = "event"
        var content = 0..<0
        try reader.enterObject()
        while let key = try reader.key() {
            let value = try reader.value()
            if reader.matches(key, "n") {
                number = value
            } else if reader.matches(key, "t") {
                instant = value
            } else if reader.matches(key, "event") {
                content = value
            } else if reader.matches(key, "effect") {
                kind = "effect"
                content = value
            }
        }
        guard let line = Int(reader.text(number)), let nanoseconds = Int(reader.text(instant)),
            !content.isEmpty, !reader.hasMore
        else { throw Unlike("a line of the journal tells no moment") }
        events.beginRow()
        events.integer(line)
        events.seconds(nanoseconds: nanoseconds)
        events.word(kind)
        try addContent(content, of: reader.bytes, to: &events)
        events.endRow()
    }

    /// `"name"`, or `{"name":…}` with what it bears.
    private mutating func addContent(
        _ content: Range<Int>, of bytes: [UInt8], to events: inout TableText
    ) throws {
        guard bytes[content.lowerBound] == UInt8(ascii: "{") else {
            try events.string(bytes, content)
            return events.missing()
        }
        var reader = JSONReader(bytes, in: content)
        try reader.enterObject()
        guard let key = try reader.key() else { throw Unlike("a line of the journal tells nothing") }
        let payload = try reader.value()
        try events.string(bytes, key.lowerBound - 1..<key.upperBound + 1)
        events.json(bytes, payload)
        if reader.matches(key, "play") { try remember(JSON(parsing: bytes, in: payload)) }
    }

    private mutating func remember(_ played: JSON) {
        let stimulus = played["clip"]?["drawn"]?["stimulus"]
        if let name = stimulus?["identifier"]?.text { attributes[name] = stimulus?["attributes"] }
    }
}
