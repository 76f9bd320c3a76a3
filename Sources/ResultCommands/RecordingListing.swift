import BundleReplay
import Datasets
import Results
import StudyModel
import TextFormat

/// What one recorder recorded in a run, item by item.
struct RecordingListing {
    private let parts: [Part]

    /// A file of the recorder.
    private struct Part {
        var visit: ResultBundle.Visit
        var recording: ResultBundle.Recording
        var items: [JSON]
        /// The content, if it has columns.
        var waves: ResultBundle.Waves?
        /// The intervals between beats that it holds.
        var beats: [BundleHearts.Beats] = []

        /// The beats in its waves.
        var found: WaveBeats? { waves.flatMap { waves in WaveBeats(in: recording) { _ in waves } } }
    }

    /// - Throws: `StudyFailure` that names the existing recorders, or the files of a recorder of sound.
    init(of recorder: String, in bundle: ResultBundle) throws {
        let all = bundle.visits.flatMap { visit in visit.recordings.map { (visit: visit, recording: $0) } }
        let own = all.filter { $0.recording.recorder == recorder }
        guard !own.isEmpty else {
            let names = Set(all.map(\.recording.recorder)).sorted().joined(separator: ", ")
            throw StudyFailure(
                "\(printable(bundle.path)): no recorder is called '\(printable(recorder))'; "
                    + (names.isEmpty ? "nothing was recorded" : "there are: \(names)"), .usage)
        }
        let sounds = own.filter { !$0.recording.holdsItems && !$0.recording.holdsColumns }.compactMap {
            bundle.manifest.file(named: $0.recording.name)?.path.text
        }
        guard sounds.isEmpty else {
            throw StudyFailure(
                "\(printable(bundle.path)): '\(recorder)' recorded sound, which cannot be shown as a table: "
                    + sounds.joined(separator: ", "), .usage)
        }
        parts = try own.map { visit, recording in
            var part = Part(visit: visit, recording: recording, items: [])
            if recording.holdsColumns {
                part.waves = try bundle.waves(in: recording)
            } else {
                part.items = try bundle.items(in: recording)
                if recording.isIntervals {
                    part.beats = try bundle.recordedItems(in: recording).beats
                }
            }
            return part
        }
    }

    /// One object a line: each item as in the bundle, with the step and the visit of its folder.
    var lines: String {
        var bytes: [UInt8] = []
        for part in parts {
            for item in part.waves?.objects ?? part.items {
                var members = item.object ?? JSON.Object([:])
                members["step"] = .text(part.visit.path)
                members["visit"] = .integer(part.visit.visit)
                bytes += JSON.object(members).encoded()
                bytes.append(UInt8(ascii: "\n"))
            }
        }
        return String(decoding: bytes, as: UTF8.self)
    }

    /// The text for people: for each file a line on its content, its gaps, a picture of its values, and a table.
    var text: String { parts.map(Self.text).joined(separator: "\n") }

    private static func text(of part: Part) -> String {
        let recording = part.recording
        var lines = [
            "\(part.visit.path), visit \(part.visit.visit): \(recording.name)",
            "  \(counted(recording.sampleCount, "item")) from \(seconds(recording.start)) to "
                + "\(seconds(recording.end)), \(whole(100 * recording.coverage)) % covered, "
                + "\(recording.lateSamples) late, \(recording.droppedSamples) dropped"
                + (recording.reason.map { ": \(printable($0))" } ?? ""),
        ]
        lines += recording.gaps.map {
            "  gap from \(seconds($0.span.lowerBound)) to \(seconds($0.span.upperBound)): \(printable($0.reason))"
        }
        lines += part.waves?.lines ?? []
        let values = part.items.compactMap { $0["value"]?.number }
        if values.count > 1 { lines.append("  " + sparkline(values, width: 60)) }
        let found = part.found
        let intervals = (found?.beats ?? part.beats).judged
        lines += beats(of: part, intervals, found)
        return (lines + table(of: part, intervals)).joined(separator: "\n") + "\n"
    }

    /// How many intervals are corrected, a picture of them then, what is too poor for beats, and each corrected beat
    /// in its wave.
    private static func beats(
        of part: Part, _ intervals: [JudgedInterval], _ found: WaveBeats?
    ) -> [String] {
        guard !intervals.isEmpty || found != nil else { return [] }
        let corrected = intervals.filter { $0.artefact != nil }
        var lines = [
            "  \(counted(intervals.count, "interval")) between beats, \(corrected.count) corrected, "
                + counted(intervals.count(where: \.isAfterGap), "gap")
        ]
        if !corrected.isEmpty {
            lines.append("  \(sparkline(intervals.flatMap(\.corrected), width: 60)) as corrected")
        }
        lines += (found?.refused ?? []).map {
            "  too poor for beats from \(seconds($0.time)) to \(seconds($0.time + $0.value))"
        }
        guard let waves = part.waves, let channel = part.recording.beatChannel(of: waves.layout) else {
            return lines
        }
        return lines
            + aligned(
                corrected.map { beat in
                    let wave = waves.part(around: beat.end, reach: 2, of: channel).map(\.value)
                    return [seconds(beat.end), beat.remark ?? "", sparkline(wave, width: 60)]
                }
            ).map { "  " + $0 }
    }

    private static func table(of part: Part, _ intervals: [JudgedInterval]) -> [String] {
        var rows = part.items.map { item -> [String: String] in
            let own = (item.object?.members ?? []) + (item["metadata"]?.object?.members ?? [])
            let cells = own.filter { $0.key != "metadata" && !RecordedItem.impliedNames.contains($0.key) }
            return Dictionary(cells.map { ($0.key, cell($0.value)) }) { _, later in later }
        }
        if rows.count == intervals.count {
            for (place, interval) in intervals.enumerated() {
                rows[place]["corrected"] = interval.remark
            }
        }
        let names = Set(rows.flatMap(\.keys))
        let columns =
            RecordedItem.leadingNames.filter(names.contains)
            + names.subtracting(RecordedItem.leadingNames).sorted()
        let items = part.items
        guard !items.isEmpty else { return [] }
        return aligned([columns] + rows.map { row in columns.map { row[$0, default: ""] } }).map { "  " + $0 }
    }

    private static func cell(_ value: JSON) -> String {
        if let text = value.text { return printable(text) }
        if let list = value.list { return list.map(cell).joined(separator: " ") }
        return String(decoding: value.encoded(), as: UTF8.self)
    }
}

extension ResultBundle.Waves {
    /// Each sample with its channels by name.
    fileprivate var objects: [JSON] {
        offsets.indices.map { index in
            var members: [String: JSON] = [WaveColumns.timeColumn: .real(offsets[index])]
            for (channel, numbers) in zip(layout.channels, values) where numbers[index].isFinite {
                members[channel.name] = .real(numbers[index])
            }
            return .members(members)
        }
    }

    /// For each channel its range, its mean and a picture.
    fileprivate var lines: [String] {
        aligned(
            [["channel", "unit", "lowest", "mean", "highest", "missing", ""]]
                + zip(layout.channels, values).map { channel, numbers in
                    let finite = numbers.filter(\.isFinite)
                    let mean = finite.isEmpty ? nil : finite.mean
                    return [printable(channel.name), channel.unit.map { printable($0) } ?? ""]
                        + [finite.min(), mean, finite.max()].map { $0.map(decimals) ?? "" }
                        + [
                            "\(numbers.count - finite.count)",
                            finite.isEmpty ? "" : sparkline(finite, width: 60),
                        ]
                }
        ).map { "  " + $0 }
    }

    private func decimals(_ value: Double) -> String { "\((value * 1000).rounded() / 1000)" }
}
