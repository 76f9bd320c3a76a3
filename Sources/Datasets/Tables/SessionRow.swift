import Results
import StudyModel
import TextFormat

/// A run: a row of `sessions`.
struct SessionRow {
    var bundle: ResultBundle
    /// When it began, as the table writes it.
    var start: [UInt8]
    var seed: UInt64?
    /// Whether it misses a limit of the study; `nil` if that sets none.
    var isPoor: Bool?
    /// How many rows of the run other tables have.
    var counts: [Table: Int]
    /// Items that no table holds.
    var otherItems: Int

    private var manifest: Manifest { bundle.manifest }

    /// How much of the duration passed until the run was continued, s.
    private var interrupted: Double? {
        manifest.run.continues.map { _ in bundle.interruptions.map(\.length).reduce(0, +) }
    }

    private typealias Column = RowColumn<Self>

    static let columns: [RowColumn<Self>] = RowColumn.list {
        Column.required("task", .text, "the task") { $0.manifest.task.text }
        Column.required("revision", .integer, "the study's revision") { $0.manifest.revision }
        Column.required("study_sha256", .text, "SHA-256 of the study file") { $0.manifest.studySHA256 }
        Column.required("start", .time, "when the run began") { $0.start }
        Column.required("zone", .text, "the zone of the run, as the IANA database names it") {
            $0.manifest.start.zone
        }
        Column.required("utc_offset", .integer, "seconds east of UTC") { $0.manifest.start.utcOffset }
        Column.required("duration_seconds", .real, "how long the run lasted, s") {
            Double($0.manifest.duration.wholeNanoseconds) / 1e9
        }
        Column.required("status", .text, "how it ended") { $0.manifest.status.rawValue }
        Column.optional(
            "poor", .boolean, "whether it misses a limit of the study's 'quality'; empty if that sets none"
        ) { $0.isPoor }
        Column.required("recovered", .boolean, "whether it was recovered after the program was killed") {
            $0.manifest.isRecovered
        }
        Column.required("clock_adjusted", .boolean, "whether the wall clock was changed during the run") {
            $0.manifest.isClockAdjusted
        }
        Column.required(
            "origin", .text,
            "recorded, replayed, simulated, or unknown: whether the data come from a participant"
        ) { $0.manifest.run.origin.rawValue }
        Column.optional(
            "simulated_participant", .boolean, "whether a program answered in the participant's place"
        ) { $0.manifest.provenance?.isParticipantSimulated }
        Column.optional("sources", .json, "the kind of each source that was recorded, as JSON") {
            $0.manifest.provenance?.sourcesJSON
        }
        Column.optional(
            "speed", .real, "seconds of the run per second of real time; empty if it did not wait"
        ) { $0.manifest.speed }
        Column.optional("repeat_reason", .text, "why the session was run again, if it was") {
            $0.manifest.repeatReason
        }
        Column.optional(
            "meaning_sha256", .text, "SHA-256 of what the study says, apart from comments and ways of writing"
        ) { $0.manifest.run.meaningSHA256 }
        Column.optional(
            "registration_sha256", .text, "SHA-256 of the registration that the study names, if it names one"
        ) { $0.manifest.run.registrationSHA256 }
        Column.optional(
            "deviation", .text, "how the run departed from the protocol, as the people who ran it said"
        ) { $0.manifest.run.deviation }
        Column.optional(
            "continues", .text,
            "the run that this one continues; all that was recorded in that one is in this one, too"
        ) { $0.manifest.run.continues }
        Column.optional(
            "interrupted_seconds", .real,
            "how much of the duration passed until the run was continued, s; empty if it was not"
        ) { $0.interrupted }
        Column.optional("gathering", .text, "the UUID of all who took part at once, if several did") {
            $0.manifest.run.gathering?.uuid
        }
        Column.optional(
            "gathering_place", .integer, "which of them this participant was, from 1; only number 1 was asked"
        ) { $0.manifest.run.gathering?.place }
        Column.optional("arm", .text, "the participant's arm, if the study has arms") {
            $0.manifest.run.arm?.text
        }
        Column.optional("session_name", .text, "the session's name, if the study lists its sessions") {
            $0.manifest.run.sessionName?.text
        }
        Column.optional(
            "session_day", .integer,
            "calendar days since the first session that the participant had completed, if the study lists its sessions"
        ) { $0.manifest.run.sessionDay }
        Column.optional("language", .text, "language of the texts") { $0.manifest.language?.tag }
        Column.required("program", .text, "version of the program that ran it") { $0.manifest.program }
        Column.optional("seed", .text, "seed of all draws; empty if codes are replaced") { row in
            row.seed.map { "\($0)" }
        }
        Column.required("manifest_sha256", .text, "SHA-256 of the bundle's manifest") {
            $0.bundle.manifestSHA256
        }
        Table.counted.map { table in
            Column.required(table.rawValue, .integer, "rows of this run in \(table.rawValue)") {
                $0.counts[table] ?? 0
            }
        }
        Column.required(
            "other_items", .integer, "items of recorders that no table holds; they stay in the bundle"
        ) { $0.otherItems }
    }
}
