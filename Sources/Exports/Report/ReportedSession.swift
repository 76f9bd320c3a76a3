import Datasets
import Results
import StudyModel
import TextFormat

/// What a report on many runs tells of one of them.
struct ReportedSession {
    var run: String
    var study: String
    var participant: String
    var session: Int
    /// RFC 3339 in UTC.
    var start: String
    /// Seconds.
    var duration: Double
    var status: String
    var isRecovered: Bool
    var isClockAdjusted: Bool
    var samples: Int
    var beats: Int
    /// The clips in the order in which they were played.
    var clips: [String] = []
    /// Lowest share of a recording with samples, 0...1.
    var coverage: Double?
    var skippedSteps = 0

    /// Reads sessions out of two tables' NDJSON.
    static func sessions(_ text: (Table) throws -> [UInt8]) throws -> [ReportedSession] {
        var sessions: [ReportedSession] = []
        var places: [String: Int] = [:]
        for line in try text(.sessions).split(separator: UInt8(ascii: "\n")) {
            let session = try ReportedSession(JSON(parsing: Array(line)))
            places[session.run] = sessions.count
            sessions.append(session)
        }
        for line in try text(.steps).split(separator: UInt8(ascii: "\n")) {
            let row = try JSON(parsing: Array(line))
            guard let place = places[try row.wanted("run").wantedText()] else {
                throw MalformedBundle("a step has no run")
            }
            if row["skipped"]?.boolean == true { sessions[place].skippedSteps += 1 }
            if let clip = row["stimulus"]?.text { sessions[place].clips.append(clip) }
            if let coverage = row["coverage"]?.number {
                sessions[place].coverage = min(sessions[place].coverage ?? 1, coverage)
            }
        }
        return sessions
    }

    private init(_ row: JSON) throws {
        guard let session = row["session"]?.integer, let duration = row["duration_seconds"]?.number,
            let samples = row["samples"]?.integer, let beats = row["beats"]?.integer
        else { throw MalformedBundle("a session lacks a column") }
        run = try row.wanted("run").wantedText()
        study = try row.wanted("study").wantedText()
        participant = try row.wanted("participant").wantedText()
        start = try row.wanted("start").wantedText()
        status = try row.wanted("status").wantedText()
        isRecovered = row["recovered"]?.boolean == true
        isClockAdjusted = row["clock_adjusted"]?.boolean == true
        self.session = session
        self.duration = duration
        self.samples = samples
        self.beats = beats
    }

    /// The sessions of datasets, bundles, or folders with bundles; a run that comes twice counts once.
    ///
    /// - Throws: `BundleFailure` if a dataset or a folder cannot be read.
    static func all(in paths: [String]) async throws -> [ReportedSession] {
        var sessions: [String: ReportedSession] = [:]
        for path in paths {
            let index = try DatasetIndex(ofDataset: path)
            for part in index.parts {
                for session in try Self.sessions({ try part.ndjson(of: $0, in: path) }) {
                    sessions[session.run] = session
                }
            }
            guard index.parts.isEmpty else { continue }
            var search = BundleSearch(known: [])
            try search.look(in: path)
            try await BundleRows.read(search.bundles) { _, outcome in
                guard case .success(let rows) = outcome else { return }
                for session in try Self.sessions({ rows.ndjson(of: $0) }) { sessions[session.run] = session }
            }
        }
        return sessions.values.sorted {
            ($0.study, $0.participant, $0.session, $0.start, $0.run)
                < ($1.study, $1.participant, $1.session, $1.start, $1.run)
        }
    }
}

extension DatasetIndex.Part {
    /// A table's rows, compared with the hash that the index has.
    func ndjson(of table: Table, in dataset: String) throws(BundleFailure) -> [UInt8] {
        let bytes = try Folder("\(dataset)/\(table.rawValue)").read("\(stem).ndjson")
        guard SHA256.hexadecimal(of: bytes) == tables[table]?.ndjson.sha256 else {
            throw BundleFailure(
                "read", "\(dataset)/\(table.rawValue)/\(stem).ndjson",
                .malformed("it is not what was collated"))
        }
        return bytes
    }
}
