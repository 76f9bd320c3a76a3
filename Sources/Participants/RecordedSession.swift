package import Datasets
package import Results
package import TextFormat

/// What the tables say about one run, without its measurements.
package struct RecordedSession: Sendable {
    package var run: String
    package var study: String
    package var task: String
    package var participant: String
    package var session: Int
    /// The text of the study in this run.
    package var text: StudyText
    package var origin: RunOrigin
    /// Lower-case hexadecimal SHA-256 of its bundle's manifest.
    package var manifest: String
    /// RFC 3339 in UTC.
    package var start: String
    /// Seconds.
    package var duration: Double
    package var status: String
    package var isRecovered: Bool
    package var isClockAdjusted: Bool
    package var samples: Int
    package var beats: Int
    /// The clips in the order in which they were played.
    package var clips: [String] = []
    /// The participant's arm, if the study has arms.
    package var arm: String?
    /// Whether it misses a quality limit of the study; `nil` if there are no limits.
    package var isPoor: Bool?
    /// What the experimenter noted, by time, with the step on show.
    package var marks: [(step: String, mark: ResultBundle.Mark)] = []
    /// The lowest share of a recording with samples, 0...1.
    package var coverage: Double?
    package var skippedSteps = 0
    /// Lower-case hexadecimal SHA-256 of what the study says, if the run records it.
    package var meaning: String?
    /// The SHA-256 of the registration that the study names, if it names one.
    package var registration: String?
    /// How the run departed from the protocol, in the experimenter's words.
    package var deviation: String?
    /// The run that it continues, if it does.
    package var continues: String?
    /// The UUID of all who took part at once, if several did.
    package var gathering: String?
    /// Whether several took part at once, and another participant was asked.
    package var isCompanion = false
    /// How long nothing went on before it was continued, seconds; `nil` for a run that continues none.
    package var interrupted: Double?
    /// The session's name, where the study lists its sessions.
    package var name: String?
}

extension RecordedSession {
    /// - Parameter row: a row of the table of sessions.
    package init(_ row: JSON) throws {
        run = try row.field("run").asText()
        study = try row.field("study").asText()
        task = try row.field("task").asText()
        participant = try row.field("participant").asText()
        session = try row.field("session").asInteger()
        text = StudyText(
            revision: try row.field("revision").asInteger(), sha256: try row.field("study_sha256").asText())
        manifest = try row.field("manifest_sha256").asText()
        let made = try row.field("origin")
        origin = try made.expect(RunOrigin(rawValue: made.asText()), "how a run was made")
        start = try row.field("start").asText()
        duration = try row.field("duration_seconds").asNumber()
        status = try row.field("status").asText()
        arm = row["arm"]?.text
        isPoor = row["poor"]?.boolean
        meaning = row["meaning_sha256"]?.text
        registration = row["registration_sha256"]?.text
        deviation = row["deviation"]?.text
        continues = row["continues"]?.text
        gathering = row["gathering"]?.text
        isCompanion = row["gathering_place"]?.integer.map { $0 > 1 } == true
        interrupted = try row["interrupted_seconds"].flatMap { $0 == .null ? nil : try $0.asNumber() }
        name = row["session_name"]?.text
        isRecovered = row["recovered"]?.boolean == true
        isClockAdjusted = row["clock_adjusted"]?.boolean == true
        samples = try row.field("samples").asInteger()
        beats = try row.field("beats").asInteger()
    }
}
