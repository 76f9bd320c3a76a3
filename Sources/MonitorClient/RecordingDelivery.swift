import Hashing
import MonitorInterface
import Platform
package import Recordings
import Results
import StudyModel
import TextFormat

/// Sends a recording to a monitor, so that its days are on the history page.
///
/// Sending it again, completely or after a failure, duplicates nothing: the series' name is derived from the data,
/// each batch has a key, and a monitor skips readings that an earlier import of the participant already contained.
package struct RecordingDelivery {
    /// Readings in one request; each takes at most 500 bytes.
    private static let batch = 2000

    /// How many readings are sent.
    package private(set) var count = 0
    /// Readings that no monitor stores: outside of 20 to 300 beats per minute, or of the years 2000 to 2100.
    package private(set) var leftOut = 0
    private let recording: RecordingExport
    private let identifier: String
    private let description: JSON

    /// - Parameters:
    ///   - recording: the recording, with times in seconds since 1970.
    ///   - title: its name for people.
    ///   - participant: the participant; `nil` to leave this out.
    /// - Throws: `SourceFailure` if there is nothing to send, or `RecordingExport.Failure`.
    package init(of recording: RecordingExport, title: String, participant: String?) throws {
        var hash = SHA256()
        var start: Double?
        var lines = try recording.lines()
        while let line = lines.next() {
            guard let reading = try Self.reading(of: line) else {
                leftOut += 1
                continue
            }
            start = start ?? reading["t"]?.number
            count += 1
            hash.update(reading.encoded())
        }
        guard let start else {
            throw SourceFailure(
                "none of the readings can be kept: a monitor takes 20 to 300 beats per minute, of the years 2000 to 2100",
                isBadData: true)
        }
        var about = JSON.Object([
            "kind": .text(SeriesKind.imported.rawValue), "startedAt": .real(start),
            "title": .text(title.limited(to: MonitorLimits.titleBytes)),
        ])
        about["participant"] = participant.map(JSON.text)
        hash.update(JSON.object(about).encoded())
        identifier = "import-" + SHA256.hexadecimal(digest: hash.finish()).prefix(32)
        about["id"] = .text(identifier)
        description = .object(about)
        self.recording = recording
    }

    /// Sends everything. When this returns, it is on the monitor's disk.
    ///
    /// - Parameter progress: receives how many readings have arrived.
    /// - Throws: `SourceFailure`, which blames the data if the monitor refuses them; `HTTPFailure` if no server can
    ///   be reached from here; or `RecordingExport.Failure`.
    package func send(to monitor: MonitorAddress, progress: (Int) -> Void) async throws {
        let sender = MonitorSender(monitor, series: identifier, client: try HTTPClient())
        try await tell(MonitorMessage(.series, description), by: sender)
        var lines = try recording.lines()
        var sent = 0
        while sent < count {
            var readings: [JSON] = []
            while readings.count < Self.batch, let line = lines.next() {
                if let reading = try Self.reading(of: line) { readings.append(reading) }
            }
            let end = sent + readings.count
            try await tell(
                MonitorMessage(.heartRate, key: "\(sent)-\(end)", ["samples": .list(readings)]), by: sender)
            sent = end
            progress(sent)
        }
    }

    private func tell(_ message: MonitorMessage, by sender: MonitorSender) async throws {
        switch await sender.send(message) {
        case .kept: return
        case .unwanted(let reason): throw SourceFailure(reason, isBadData: true)
        case .away(let reason):
            throw SourceFailure("not everything was sent: \(reason). Send it again: nothing is stored twice")
        case .unknownSeries:
            throw SourceFailure(
                message.part == .series
                    ? "no monitor is there" : "the monitor has lost the readings: send them again")
        }
    }

    /// A line of the export in the form that a monitor accepts; `nil` if the monitor would not store it.
    private static func reading(of line: [UInt8]) throws(JSON.Malformed) -> JSON? {
        let json = try JSON(parsing: line)
        guard let time = json["t"]?.number, MonitorLimits.times.contains(time) else { return nil }
        let intervals = json["rr"]?.list?.compactMap(\.number) ?? []
        return MonitorMessage.sample(json["bpm"]?.number, rr: intervals, JSON.Object(["t": .real(time)]))
    }
}
