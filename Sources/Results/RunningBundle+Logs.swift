package import Platform
package import StudyModel
import TextFormat

extension RunningBundle {
    /// Begins the log of a recording, or continues one that an interrupted run left.
    ///
    /// - Parameters:
    ///   - start: when the recording began.
    ///   - source: where the samples come from, as every item's `source` will say.
    package mutating func openLog(
        _ key: RecorderKey, _ configuration: RecorderConfiguration, from start: RunInstant, source: String
    ) throws(FileFailure) {
        let path = RecorderLog.path(of: key)
        var log = RecorderLog(key: key, configuration: configuration, start: start, source: source)
        var file: AppendedFile?
        if isRecovering && folder.exists(path) {
            log = RecorderLog(parsing: try folder.read(path)) ?? log
        } else if durability == .synced || configuration.signal.waveForm != nil {
            file = try AppendedFile(creating: path, in: folder)
            try file?.append(log.header)
            if durability == .synced { try folder.sync(RecorderLog.folder) }
        }
        logs[key] = OpenLog(file: file, log: log)
    }

    /// Appends samples to an open log with a single write. They are on disk after the next `sync`.
    package mutating func append(_ samples: [RecordedSample], to key: RecorderKey) throws(FileFailure) {
        precondition(logs[key] != nil, "no log of \(key) is open")
        let samples = samples.map(\.asWritten)
        logs[key]?.log.samples += samples.filter { $0.block == nil }
        guard logs[key]?.file != nil else { return }
        isQuiet = false
        var text = JSONText(reserving: samples.count * 128)
        for sample in samples { sample.write(to: &text) }
        logs[key]?.unwritten += text.bytes
        try logs[key]?.write()
    }

    /// Records that the run still goes on; on disk after the next `sync`. A killed run counts as ended at the
    /// last moment that is known, also within a long step.
    package mutating func record(signOfLifeAt now: RunInstant) throws(FileFailure) {
        defer { isQuiet = true }
        guard isQuiet, durability == .synced else { return }
        if signs == nil { signs = try AppendedFile(creating: RecorderLog.signsPath, in: folder) }
        try signs?.append(Array("\(now.nanoseconds)\n".utf8))
    }

    /// Turns a log into files in the folder of the visit that reports them.
    ///
    /// The log itself stays until the `recorded` event that names the files is journalled and synced. With the same
    /// log and the same end, it always writes the same bytes.
    ///
    /// - Parameters:
    ///   - end: when the recording ended.
    ///   - due: when it was to end, if its step ended before its time.
    ///   - ordinal: the visit that reports the files.
    ///   - path: that visit's step.
    /// - Returns: the files, at least one.
    package mutating func finishLog(
        _ key: RecorderKey, at end: RunInstant, due: RunInstant? = nil, ordinal: Int, path: [Identifier]
    ) throws(FileFailure) -> [FileResult] {
        guard let log = logs[key]?.log else { preconditionFailure("no log of \(key) is open") }
        let step = try makeStepFolder(ordinal: ordinal, path: path)
        var files = try finish(log, at: end, in: step)
        if let due, let last = files.indices.last { files[last].lack(until: due) }
        return files
    }

    private mutating func finish(
        _ log: RecorderLog, at end: RunInstant, in step: String
    ) throws(FileFailure) -> [FileResult] {
        if log.configuration.signal.form == .sound {
            return [try finishSound(Recording(log, end: end), in: step)]
        }
        if log.configuration.signal.waveForm != nil {
            try logs[log.key]?.write()
            return try finishWaves(log, at: end, in: step)
        }
        return try write(
            RecordingFile.files(
                of: Recording(log, end: end), runUUID: header.runUUID, wallClock: header.wallClock),
            in: step)
    }

    /// Writes files of items into a step's folder.
    mutating func write(
        _ files: [RecordingFile], in step: String
    ) throws(FileFailure) -> [FileResult] {
        var results: [FileResult] = []
        for file in files {
            var result = file.result
            result.sha256 = try write(file.bytes, to: "\(step)/\(result.fileName)").sha256
            results.append(result)
        }
        try syncStepFolder(step)
        return results
    }
}

extension FileResult {
    /// The step ended before its time: what was planned after the recording's end is missing.
    fileprivate mutating func lack(until due: RunInstant) {
        guard due > end else { return }
        coverage *= start.duration(to: end) / start.duration(to: due)
        gaps.append(Gap(from: end, to: due, reason: Gap.ended))
    }
}

extension FileResult.Gap {
    /// The reason of a gap after the recording's end, where the step ended before its time.
    package static let ended = "ended"
}
