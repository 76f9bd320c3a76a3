import Glibc
public import Platform
public import StudyModel
import TextFormat

/// Every event and effect of a run, in order: the complete record of the run.
public struct Journal: Hashable, Sendable {
    /// What is needed to replay the run.
    public var header: JournalHeader
    /// What happened and what was done about it.
    public var records: [Record]

    /// One line of a journal.
    public struct Record: Hashable, Sendable {
        /// When it happened; for an effect, the instant of its event.
        public var instant: RunInstant
        /// What it was.
        public var content: Content

        /// A record.
        public init(_ content: Content, at instant: RunInstant) {
            self.content = content
            self.instant = instant
        }
    }

    /// What a record says.
    public enum Content: Hashable, Sendable {
        /// Something happened.
        case event(Event)
        /// Something that the run wanted to be done.
        case effect(Effect)
    }

    /// The events with their instants, from which a replay repeats the run.
    public var events: [(event: Event, instant: RunInstant)] {
        records.compactMap { record in
            switch record.content {
            case .event(let event): (event, record.instant)
            case .effect: nil
            }
        }
    }

    /// The instant of the last record; the start if there is none.
    public var lastInstant: RunInstant { records.map(\.instant).max() ?? .start }

    /// Reads a sealed journal.
    ///
    /// - Parameter bytes: the whole of `journal.jsonl`.
    /// - Throws: `FileFailure` that names the first line that is incomplete or malformed.
    public init(parsing bytes: [UInt8]) throws(FileFailure) {
        let prefix = try JournalPrefix(of: bytes)
        if let problem = prefix.problem { throw FileFailure("read", Self.fileName, .malformed(problem)) }
        self = prefix.journal
    }

    init(header: JournalHeader, records: [Record]) {
        self.header = header
        self.records = records
    }

    static let fileName = "journal.jsonl"
}

extension Collection<Journal.Record> {
    /// Every result that was delivered, in visiting order.
    package var results: [StepResult] {
        compactMap { record in
            if case .effect(.deliver(let result)) = record.content { result } else { nil }
        }
        .sorted { $0.ordinal < $1.ordinal }
    }
}

/// A journal up to its last good line, as a killed run leaves it.
package struct JournalPrefix: Hashable, Sendable {
    /// The journal as far as it is good.
    package var journal: Journal
    /// How many bytes are good, from the first.
    package var goodBytes: Int
    /// What is wrong with the rest; `nil` if there is no rest.
    package private(set) var problem: String?
    /// How many lines are good.
    private var goodLines = 1

    /// Reads up to the first line that is torn or malformed.
    ///
    /// - Throws: `FileFailure` if not even the header is good.
    package init(of bytes: [UInt8]) throws(FileFailure) {
        let lines = Lines(of: bytes)
        guard let first = lines.whole.first else {
            throw FileFailure("read", Journal.fileName, .malformed("line 1: there is no header"))
        }
        do {
            journal = Journal(header: try JournalHeader(wire: JSON(parsing: bytes, in: first)), records: [])
        } catch {
            throw FileFailure("read", Journal.fileName, .malformed("line 1: \(error)"))
        }
        goodBytes = first.upperBound + 1
        readOn(lines, in: bytes)
    }

    /// Reads what was appended to the journal since.
    ///
    /// - Parameter bytes: the whole file, as it is now.
    package mutating func readOn(in bytes: [UInt8]) { readOn(Lines(of: bytes), in: bytes) }

    private mutating func readOn(_ lines: Lines, in bytes: [UInt8]) {
        problem = nil
        journal.records.reserveCapacity(lines.whole.count)
        for line in lines.whole.dropFirst(goodLines) {
            do {
                journal.records.append(try Journal.Record(JSON(parsing: bytes, in: line), number: goodLines))
                (goodBytes, goodLines) = (line.upperBound + 1, goodLines + 1)
            } catch {
                problem = "line \(goodLines + 1): \(error)"
                return
            }
        }
        if lines.hasTornEnd { problem = "line \(lines.whole.count + 1): it is torn" }
    }
}

/// The lines of a file that holds one value on each line.
package struct Lines {
    /// The ranges of the lines that end in a line feed, without the line feed.
    package let whole: [Range<Int>]
    /// Whether something comes after the last line feed.
    package let hasTornEnd: Bool

    package init(of bytes: [UInt8]) {
        var whole: [Range<Int>] = []
        var start = 0
        unsafe bytes.withUnsafeBytes { buffer in
            guard let first = buffer.baseAddress else { return }
            while let end = unsafe memchr(first + start, Int32(UInt8(ascii: "\n")), buffer.count - start) {
                let place = unsafe UnsafeRawPointer(end) - first
                whole.append(start..<place)
                start = place + 1
            }
        }
        self.whole = whole
        hasTornEnd = start < bytes.count
    }
}

extension Journal.Record {
    /// Writes the record as a line; `number` counts the records from 1.
    func write(to text: inout JSONText, number: Int) {
        text.beginObject()
        text.key("n")
        text.integer(number)
        text.key("t")
        text.integer(Int(instant.nanoseconds))
        switch content {
        case .event(let event):
            text.key("event")
            text.value(event.wire)
        case .effect(let effect):
            text.key("effect")
            text.value(effect.wire)
        }
        text.endObject()
        text.endLine()
    }

    fileprivate init(_ wire: JSON, number: Int) throws {
        guard try wire.field("n").asInteger() == number else {
            throw WireFailure("record \(number) is missing")
        }
        instant = try wire.field("t").asInstant()
        switch (wire["event"], wire["effect"]) {
        case (let event?, nil): content = .event(try Event(wire: event))
        case (nil, let effect?): content = .effect(try Effect(wire: effect))
        case (nil, nil), (.some, .some): throw wire.wrong("an event or an effect")
        }
    }
}
