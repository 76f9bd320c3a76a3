import ArgumentParser
import BundleReplay
import Console
import MonitorClient
import Recordings
import Results
import Signals
import Sound
import StudyModel
import TextFormat

package struct Import: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "import",
        abstract: "Reads a heart recording from another program, and says how it was understood.",
        discussion: """
            A FILE is CSV (from Garmin, Polar, Fitbit, Empatica and most others), JSON, FIT, TCX, GPX, EDF, \
            BDF, XDF or BIDS with heart rates or intervals, the beats of a WFDB record, or export.xml of \
            Apple Health. It may have any size, and be compressed with gzip or in a zip archive \
            (export.zip/HR.csv names one file of several); '-' is standard input. -1 and 0 mean no reading. \
            Numbers are refused if nothing says that they are heart rates or intervals: --as says what they \
            are. --out writes the readings in order of time, one JSON object a line: t (seconds, since 1970 \
            if the recording states the day), bpm, and rr (seconds between beats) if known. A run can replay \
            such a file, and any of the formats above: entrain run STUDY --source heartRate=replay:FILE.

            --into sends the readings to a monitor, whose history page then shows their days. Sending them \
            again stores nothing twice. If the monitor needs a token, put it into the environment variable \
            ENTRAIN_MONITOR_TOKEN.
            """)

    @Argument(help: "A recording.", completion: .file())
    var file: String

    @Option(
        name: [.customShort("o"), .customLong("out")], help: "A file to write the readings to.",
        completion: .file())
    var output: String?

    @Option(help: ArgumentHelp("A monitor to send the readings to.", valueName: "url"))
    var into: String?

    @Option(name: .shortAndLong, help: "With --into: the participant's code, such as P01.")
    var participant: String?

    @Option(help: "'text' for people, 'json' for programs.")
    var format = OutputFormat.text

    @OptionGroup var guidance: GuideOptions

    @OptionGroup var tokens: TokenOptions

    func validate() throws {
        if let into { try MonitorOptions.validate(into, as: "--into") }
        if let participant {
            try ParticipantOptions.validate(participant: participant)
            if into == nil { throw ValidationError("--participant belongs to --into") }
        }
    }

    func run() async throws {
        Interruption.ignoreBrokenPipes()
        try await reporting {
            let export =
                try output.map { try RecordingExport(to: $0) } ?? (into == nil ? nil : RecordingExport())
            let digest: RecordingDigest
            do {
                digest = try RecordingDigest(of: file, guidance.guide, into: export)
            } catch {
                export?.abandon()
                throw error
            }
            try export?.finish()
            let report = ImportReport(of: file, digest)
            switch format {
            case .json: Output.say(json: report.json)
            case .text: Output.emit(.lines(report.text))
            }
            for warning in digest.reading.warnings { Output.remark("\(warning)") }
            if let damage = digest.reading.damage { Output.remark("warning: \(printable(file)): \(damage)") }
            if let export, let into { try await send(export, digest, into: into) }
        }
    }

    private func send(_ export: RecordingExport, _ digest: RecordingDigest, into url: String) async throws {
        guard digest.reading.isDated else {
            throw StudyFailure(
                "\(printable(file)) does not state the day, which a monitor needs: nothing was sent",
                .badStudy)
        }
        let token = try tokens.token(in: MonitorOptions.tokenVariable, for: url)
        guard let monitor = MonitorAddress(url, token: token) else { return }
        let name = file == "-" ? "Recording" : String(file.split(separator: "/").last ?? "Recording")
        let delivery = try RecordingDelivery(of: export, title: name, participant: participant)
        try await delivery.send(to: monitor) { Output.progress("Sent \($0) of \(delivery.count) readings") }
        Output.progress(nil)
        let leftOut = delivery.leftOut == 0 ? "" : ", left out \(delivery.leftOut) that it does not keep"
        // Only the monitor knows which of its days that is, because its time zone may differ.
        let moment = Int(exactly: digest.end.rounded(.down)).map(String.init) ?? "today"
        Output.remark(
            "Sent \(delivery.count) readings\(leftOut). The last day: \(monitor.url)/history?date=\(moment)")
    }
}

/// The output of `entrain import` about a recording.
struct ImportReport {
    let file: String
    let digest: RecordingDigest

    init(of file: String, _ digest: RecordingDigest) {
        self.file = file
        self.digest = digest
    }

    var json: JSON {
        var members: [String: JSON] = [
            "file": .text(file), "count": .integer(digest.count), "intervals": .integer(digest.intervalCount),
            "skipped": .integer(digest.skipped), "withoutReading": .integer(digest.withoutReading),
            "reordered": .integer(digest.reordered), "duplicates": .integer(digest.reading.duplicates),
            "seconds": .real(((digest.end - digest.start) * 1e6).rounded() / 1e6),
            "start": moment(digest.start), "end": moment(digest.end),
            "understood": .texts(digest.reading.assumptions),
            "skippedFor": .list(
                digest.reading.skipped.map {
                    ["reason": .text($0.reason), "count": .integer($0.count), "first": .text($0.firstPlace)]
                }),
        ]
        if let mean = digest.mean {
            members["minimum"] = .real(digest.minimum)
            members["maximum"] = .real(digest.maximum)
            members["mean"] = .real(mean)
        }
        members["ecg"] = digest.reading.ecg?.json
        if let damage = digest.reading.damage { members["damage"] = .text(damage) }
        if !digest.reading.doubts.isEmpty { members["doubts"] = .texts(digest.reading.doubts) }
        return .members(members)
    }

    /// A date, or seconds if the recording has no date.
    private func moment(_ seconds: Double) -> JSON {
        digest.reading.isDated ? .text(timestamp(seconds)) : .real((seconds * 1e6).rounded() / 1e6)
    }

    var text: String {
        let span = seconds(digest.end - digest.start)
        var lines = [
            digest.reading.isDated
                ? "\(digest.count) readings over \(span), from \(timestamp(digest.start)) to \(timestamp(digest.end))"
                : "\(digest.count) readings over \(span)"
        ]
        if let mean = digest.mean {
            lines.append(
                "heart rate \(oneDecimal(digest.minimum)) … \(oneDecimal(mean)) … \(oneDecimal(digest.maximum)) "
                    + "per minute (lowest, mean, highest)")
        }
        if digest.intervalCount > 0 { lines.append("\(digest.intervalCount) intervals between beats") }
        lines += digest.reading.changes
        lines.append("understood as " + digest.reading.assumptions.joined(separator: "; "))
        return lines.joined(separator: "\n") + "\n"
    }
}

/// Seconds since 1970 as `2026-01-31T09:30:00Z`, with milliseconds if there are any.
func timestamp(_ seconds: Double) -> String {
    let milliseconds = Int64((seconds * 1000).rounded())
    let whole = milliseconds >= 0 ? milliseconds / 1000 : (milliseconds - 999) / 1000
    let clock = WallClock(seconds: whole, nanoseconds: 0, utcOffset: 0, zone: "UTC")
    let rest = Int(milliseconds - whole * 1000)
    let fraction = rest == 0 ? "" : ".\(digits(rest, 3))"
    return clock.date(of: .start).prefix(19) + fraction + "Z"
}
