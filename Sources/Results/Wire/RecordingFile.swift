import Hashing
import StudyModel
import TextFormat

/// A recorder's file as it will lie in the bundle.
struct RecordingFile: Hashable {
    var result: FileResult
    var bytes: [UInt8]

    /// Files end below this size, 10 MiB. A longer recording is split into parts.
    static let largestPart = 10 << 20

    /// The files of a recording: at least one, which is empty if nothing was recorded.
    static func files(
        of recording: Recording, runUUID: String, wallClock: WallClock, largestPart: Int = largestPart
    ) -> [RecordingFile] {
        let items = RecordingItems(recording, wallClock: wallClock)
        var files: [RecordingFile] = []
        var next = 0
        repeat {
            let first = next
            let bytes = items.write(from: &next, upTo: largestPart)
            let isLast = next == recording.kept.count
            let start = first == 0 ? recording.span.lowerBound : recording.kept[first].instant
            let end = isLast ? recording.span.upperBound : recording.kept[next].instant
            let span = start..<end
            let statistics = recording.statistics(of: span)
            let (key, part) = (recording.log.key, files.count + 1)
            var result = FileResult(
                recorder: key.recorder,
                fileName: name(of: recording, part: part, runUUID: runUUID, wallClock: wallClock),
                contentType: "application/json", start: span.lowerBound, end: span.upperBound,
                segment: key.segment, sampleCount: items.count(recording.kept[first..<next]),
                coverage: statistics?.coverage ?? 1)
            result.part = part
            result.gaps = statistics?.gaps ?? []
            result.lateSamples = recording.lateCount(in: recording.kept[first..<next])
            result.droppedSamples = isLast ? recording.dropped : 0
            result.reason = recording.emptyReason
            result.rating = recording.log.configuration.rating.map {
                FileResult.Rating(
                    $0, changes: recording.changeCount(in: recording.kept[first..<next]),
                    lost: isLast ? recording.lostReason : nil)
            }
            result.taps = recording.log.configuration.tapping.map { tapping in
                FileResult.Taps(
                    tapping, onBeats: recording.onBeats(in: recording.kept[first..<next]),
                    held: isLast ? recording.held : 0)
            }
            result.biofeedback = recording.log.configuration.biofeedback
            result.waves = recording.waves(in: span, result.gaps)
            result.sourceInformation = recording.information.isEmpty ? nil : recording.information
            files.append(RecordingFile(result: result, bytes: bytes))
        } while next < recording.kept.count
        return files
    }

    /// ResearchKit's form: the kind, a UUID with `_`, and the local time of the recording's end.
    static func name(of recording: Recording, part: Int, runUUID: String, wallClock: WallClock) -> String {
        let isSound = recording.log.configuration.signal.form == .sound
        let suffix = isSound ? recording.log.configuration.soundFormat.rawValue : "json"
        return stem(of: recording, part: part, runUUID: runUUID)
            + wallClock.stamp(of: recording.span.upperBound) + "." + suffix
    }

    /// The beginning of the name, which does not depend on when the recording ends.
    static func stem(of recording: Recording, part: Int, runUUID: String) -> String {
        let key = recording.log.key
        let origin = "entrain-file/1\n\(runUUID)\n\(key.ordinal)\n\(key.recorder)\n\(key.segment)\n\(part)"
        let uuid = UUIDText.text(of: SHA256.digest(of: Array(origin.utf8)), version: 8, separator: "_")
        return "\(recording.log.configuration.signal.type)_\(uuid)-"
    }
}
