import Results
import TextFormat

/// One record of the monitor's log. Everything that arrives gets a number, and numbers only increase.
struct Record: Hashable, Sendable {
    /// The number, which cursors and `Last-Event-ID` refer to.
    var number: Int64
    /// The session's identifier; `nil` for a note that belongs to none.
    var session: String?
    var kind: Kind
    /// Seconds since 1970 when it happened.
    var time: Double
    /// Seconds since the session's start.
    var elapsed: Double
    /// Seconds since 1970 when it arrived.
    var received: Double
    /// What a note is about, as JSON; `nil` of a plain note and of everything else.
    var details: String?

    /// The kinds of records.
    enum Kind: Hashable, Sendable {
        /// A heart rate; RR intervals as a JSON list, if sent.
        case heartRate(Double, rr: String?)
        /// A session began; its description as JSON.
        case begun(String)
        case event(String, sequence: Int, content: String)
        case note(String, author: String?)
        /// A note has a new text; `nil` means that it was deleted.
        case noteChanged(Int64, text: String?, author: String?)
        /// Data were deleted; what and why, as JSON, and by whom.
        case deleted(String, author: String?)

        static let deletion = 5

        /// The number of the kind in the store.
        var code: Int {
            switch self {
            case .heartRate: 0
            case .begun: 1
            case .event: 2
            case .note: 3
            case .noteChanged: 4
            case .deleted: Self.deletion
            }
        }
    }
}

extension Record {
    /// The name of the kind in event streams.
    var streamName: String {
        switch kind {
        case .heartRate: "heartRate"
        case .begun: "session"
        case .event: "event"
        case .note: "note"
        case .noteChanged: "noteChanged"
        case .deleted: "deleted"
        }
    }

    /// The record as the API shows it.
    var json: JSON {
        var object = JSON.Object(["t": .real(time), "elapsed": .real(elapsed), "received": .real(received)])
        object["session"] = session.map(JSON.text)
        switch kind {
        case .heartRate(let rate, let rr):
            object["bpm"] = .real(rate)
            object["rr"] = rr.flatMap(JSON.init(stored:))
        case .begun(let description):
            object["description"] = JSON(stored: description)
        case .event(let kind, let sequence, let content):
            object["kind"] = .text(kind)
            object["sequence"] = .integer(sequence)
            for member in JSON(stored: content)?.object?.members ?? [] { object[member.key] = member.value }
        case .note(let text, let author):
            object["text"] = .text(text)
            object["author"] = author.map(JSON.text)
            object["kind"] = "note"
            for member in details.flatMap({ JSON(stored: $0)?.object?.members }) ?? [] {
                object[member.key] = member.value
            }
        case .noteChanged(let note, let text, let author):
            object["note"] = .integer(Int(note))
            object["text"] = text.map(JSON.text)
            object["author"] = author.map(JSON.text)
            object["kind"] = "noteChanged"
            object["isDeleted"] = text == nil ? .boolean(true) : nil
            if var figures = details.flatMap({ JSON(stored: $0)?.object }) {
                figures["kind"] = nil
                object["figures"] = .object(figures)
            }
        case .deleted(let content, let author):
            for member in JSON(stored: content)?.object?.members ?? [] { object[member.key] = member.value }
            object["author"] = author.map(JSON.text)
        }
        return .object(object)
    }

    /// The sample in the form that a `poll` source reads.
    var sample: JSON {
        guard case .heartRate(let rate, let rr) = kind else { return .null }
        return [
            "t": .real(time), "elapsed": .real(elapsed), "bpm": .real(rate),
            "rr": rr.flatMap(JSON.init(stored:)) ?? [],
        ]
    }

    /// The record as a server-sent event: `id`, `event` and one line of `data`.
    var frame: [UInt8] {
        var bytes = Array("id: \(number)\nevent: \(streamName)\ndata: ".utf8)
        bytes += json.encoded()
        bytes += [0x0A, 0x0A]
        return bytes
    }
}

extension JSON {
    /// JSON that the store wrote itself; `nil` if another program has written into the database.
    init?(stored text: String) {
        do { try self.init(parsing: Array(text.utf8)) } catch { return nil }
    }

    /// The value as compact text.
    var string: String { String(decoding: encoded(), as: UTF8.self) }
}
