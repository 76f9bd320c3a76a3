package import MonitorInterface
import Results
package import TextFormat

/// Something that happened in a run, as the run reports it.
package struct RunEvent: Hashable, Sendable {
    /// The number of the event within the run, from 1. Sending the same number again does no harm.
    package var sequence: Int
    package var kind: RunEventKind
    /// Seconds since the run's start.
    package var elapsed: Double
    /// Further details, depending on the kind.
    package var details: Details

    /// The details that an event may have.
    package struct Details: Hashable, Sendable {
        /// The step's identifier.
        package var step: String?
        /// The number of the visit within the run, from 1.
        package var ordinal: Int?
        /// The clip's identifier.
        package var stimulus: String?
        /// The source's name.
        package var source: String?
        /// `live` or `lost`.
        package var state: String?
        /// The problem, the answer or the reason, in words.
        package var text: String?
        /// What the source is called and its readings are like, by name; texts and numbers alone.
        package var condition: JSON?
        /// How good the run was, by name.
        package var quality: JSON?

        package init() {}
    }

    /// Reads `{"events": […]}`, at most 10,000 of them.
    package static func all(in json: JSON) throws(Refusal) -> [RunEvent] {
        var fields = try Fields(json, "the body")
        let list = try fields.list("events", limit: 10_000)
        try fields.rejectUnknown()
        guard !list.isEmpty else { throw .unprocessable("'events' is missing or empty") }
        var events: [RunEvent] = []
        for json in list { events.append(try RunEvent(json: json)) }
        return events
    }

    init(json: JSON) throws(Refusal) {
        var fields = try Fields(json, "an event")
        sequence = try fields.integer("sequence", in: 1...1_000_000_000)
        let name = try fields.text("kind", limit: 32)
        guard let kind = RunEventKind(rawValue: name) else {
            let names = RunEventKind.allCases.map(\.rawValue).joined(separator: ", ")
            throw .unprocessable("'kind' should be one of \(names)")
        }
        self.kind = kind
        elapsed = try fields.number("elapsed")
        guard MonitorLimits.elapsed.contains(elapsed) else {
            throw .unprocessable("'elapsed' should be seconds since the run's start")
        }
        details = Details()
        details.step = try fields.optionalIdentifier("step")
        details.ordinal = try fields.optionalInteger("ordinal", in: 1...1_000_000)
        details.stimulus = try fields.optionalText("stimulus", limit: 200)
        details.source = try fields.optionalText("source", limit: 200)
        details.state = try fields.optionalText("state", limit: 32)
        details.text = try fields.optionalText("text", limit: MonitorLimits.textBytes)
        details.condition = try Self.figures("condition", in: &fields, texts: Self.names)
        details.quality = try Self.figures("quality", in: &fields)
        try fields.rejectUnknown()
    }

    /// What a source may be called.
    private static let names: Set = ["device", "identifier", "host", "manufacturer", "model", "firmware"]

    /// Numbers, and yes or no, by name.
    ///
    /// - Parameter texts: the names of those that are texts.
    private static func figures(
        _ key: String, in fields: inout Fields, texts: Set<String> = []
    ) throws(Refusal) -> JSON? {
        guard let value = fields.member(key) else { return nil }
        guard let members = value.object?.members, members.count <= 20,
            members.allSatisfy({ member in
                if case .boolean = member.value { return true }
                if let text = member.value.text {
                    return texts.contains(member.key) && text.utf8.count <= MonitorLimits.textBytes
                }
                return member.value.number != nil
            })
        else { throw .unprocessable("'\(key)' should be at most 20 numbers by name") }
        return value
    }

    /// The details alone, in the form that the store keeps.
    var content: JSON {
        var object = JSON.Object([:])
        object["step"] = details.step.map(JSON.text)
        object["ordinal"] = details.ordinal.map(JSON.integer)
        object["stimulus"] = details.stimulus.map(JSON.text)
        object["source"] = details.source.map(JSON.text)
        object["state"] = details.state.map(JSON.text)
        object["text"] = details.text.map(JSON.text)
        object["condition"] = details.condition
        object["quality"] = details.quality
        return .object(object)
    }
}

/// A note that a researcher writes beside the data.
package struct Note: Hashable, Sendable {
    /// The moment that it is about, seconds since 1970.
    package var time: Double
    /// The note, 1...2000 bytes; empty only where its figures say enough.
    package var text: String
    /// Whose data it is about; `nil` if it is not about one participant.
    package var participant: String?
    /// What it is about, with its figures; `nil` of a plain note.
    package var details: NoteDetails?
    /// Who wrote it: the name of the token; `nil` on a machine that needs no token.
    package var author: String?
    /// The key by which a repeated request is known.
    var key: String?

    /// Reads `{"t": …, "text": …, "participant": …}`, and for a note of a kind of its own `kind` with its figures.
    package init(json: JSON) throws(Refusal) {
        var fields = try Fields(json, "a note")
        guard let time = try fields.optionalNumber("t", in: MonitorLimits.times) else {
            throw .unprocessable("a note needs 't', seconds since 1970")
        }
        self.time = time
        let details = try NoteDetails(from: &fields)
        self.details = details
        let text = try fields.optionalText("text", limit: MonitorLimits.textBytes) ?? ""
        self.text = try Self.text(text, beside: details)
        participant = try fields.optionalParticipant("participant")
        try fields.rejectUnknown()
    }

    /// A note's text, which is empty only where its figures say enough.
    fileprivate static func text(_ text: String, beside details: NoteDetails?) throws(Refusal) -> String {
        if text.contains(where: { !$0.isWhitespace }) { return text }
        guard let details, !details.isEmpty, !details.kind.needsText else {
            throw .unprocessable("the note is empty")
        }
        return ""
    }
}

/// What a note says from now on, or its deletion. What it said before stays in the log.
package struct NoteChange: Hashable, Sendable {
    /// The number of the note's record.
    package var note: Int64
    /// The new text, up to 2000 bytes; `nil` if the note is deleted.
    package var text: String?
    /// All figures that it has from now on; `nil` leaves it those that it has.
    package var details: NoteDetails?
    /// Who changed it; see `Note`.
    package var author: String?

    /// Reads `{"text": …}`, a note's kind with its figures and perhaps a text, or `{"deleted": true}`.
    package init(of note: Int64, json: JSON) throws(Refusal) {
        var fields = try Fields(json, "a changed note")
        self.note = note
        let isDeleted = fields.member("deleted")
        let details = try NoteDetails(from: &fields)
        self.details = details
        let said = try fields.optionalText("text", limit: MonitorLimits.textBytes)
        text = try (said ?? details.map { _ in "" })
            .map { (text) throws(Refusal) in try Note.text(text, beside: details) }
        try fields.rejectUnknown()
        guard isDeleted == (text == nil ? .boolean(true) : nil) else {
            throw .unprocessable("a changed note has either what it says now or 'deleted': true")
        }
    }
}
