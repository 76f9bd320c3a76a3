import Results
import StudyModel
import TextFormat

/// Turns every line of a journal into a row, and remembers what it says about played clips and about recorders.
struct JournalRows {
    /// Clip → attributes of its catalogue entry.
    private(set) var attributes: [String: JSON] = [:]
    /// Recorder → the source that it listens to.
    private(set) var sources: [String: String] = [:]

    /// Whether another participant was asked, whose answers are in no row of this one.
    let hidesAnswers: Bool

    init(hidingAnswers: Bool) { hidesAnswers = hidingAnswers }

    mutating func add(_ journal: [UInt8], to events: inout TableText) throws {
        let lines = Lines(of: journal)
        guard !lines.whole.isEmpty else { throw WireFailure("the journal is empty") }
        guard !lines.hasTornEnd else { throw WireFailure("the journal's last line is torn") }
        for line in lines.whole.dropFirst() {
            var reader = JSONReader(journal, in: line)
            try add(&reader, to: &events)
        }
    }

    /// The content of a line: `"name"`, or `{"name":…}` with its payload.
    private struct Content {
        /// The characters of the name with their quotes.
        var name: Range<Int>
        var payload: Range<Int>?
    }

    private mutating func add(_ reader: inout JSONReader, to events: inout TableText) throws {
        var number = 0..<0
        var instant = 0..<0
        var kind: StaticString = "event"
        var content: Content?
        try reader.enterObject()
        while let key = try reader.key() {
            if reader.matches(key, "n") {
                number = try reader.value()
            } else if reader.matches(key, "t") {
                instant = try reader.value()
            } else if reader.matches(key, "event") {
                content = try Self.content(&reader)
            } else if reader.matches(key, "effect") {
                kind = "effect"
                content = try Self.content(&reader)
            } else {
                try reader.value()
            }
        }
        guard let line = Int(reader.text(number)), let nanoseconds = Int(reader.text(instant)), let content,
            !reader.hasMore
        else { throw WireFailure("a line of the journal has no time") }
        events.beginRow()
        events.integer(line)
        events.seconds(nanoseconds: nanoseconds)
        events.word(kind)
        try events.string(reader.bytes, content.name)
        let name = content.name.lowerBound + 1..<content.name.upperBound - 1
        let isHidden = hidesAnswers && Self.answering.contains { reader.matches(name, $0) }
        if let payload = content.payload, !isHidden {
            events.json(reader.bytes, payload)
            if reader.matches(name, "play") {
                try rememberClip(JSON(parsing: reader.bytes, in: payload))
            } else if reader.matches(name, "record") {
                try rememberRecorder(JSON(parsing: reader.bytes, in: payload))
            }
        } else {
            events.missing()
        }
        events.endRow()
    }

    /// The lines that hold answers, or texts of the participant.
    private static let answering: [StaticString] = ["answered", "deliver", "drafted", "program", "recalled"]

    private static func content(_ reader: inout JSONReader) throws -> Content {
        guard reader.isAtObject else {
            let name = try reader.value()
            guard reader.bytes[name.lowerBound] == UInt8(ascii: "\"") else {
                throw WireFailure("a line of the journal says nothing")
            }
            return Content(name: name)
        }
        try reader.enterObject()
        guard let key = try reader.key() else { throw WireFailure("a line of the journal says nothing") }
        let payload = try reader.value()
        guard try reader.key() == nil else { throw WireFailure("a line of the journal says two things") }
        return Content(name: key.lowerBound - 1..<key.upperBound + 1, payload: payload)
    }

    private mutating func rememberRecorder(_ begun: JSON) {
        let recorder = begun["configuration"]
        guard let name = recorder?["identifier"]?.text, let kind = recorder?["kind"]?.text else { return }
        sources[name] = recorder?["source"]?.text ?? Signal(named: kind)?.usualSource?.text
    }

    private mutating func rememberClip(_ played: JSON) {
        let stimulus = played["clip"]?["drawn"]?["stimulus"]
        if let name = stimulus?["identifier"]?.text { attributes[name] = stimulus?["attributes"] }
    }
}
