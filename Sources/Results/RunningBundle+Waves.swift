import Platform
import StudyModel
import TextFormat

extension RunningBundle {
    /// Turns the log of a waveform into files: items if the samples are slow, otherwise columns, a file for each group
    /// of channels.
    ///
    /// The log is read twice, piece by piece, so that its length needs no memory. Being killed costs at most the block
    /// that was being written.
    mutating func finishWaves(
        _ log: RecorderLog, at end: RunInstant, in step: String
    ) throws(FileFailure) -> [FileResult] {
        let path = RecorderLog.path(of: log.key)
        var recording = Recording(log, end: end)
        var survey = WaveSurvey(of: recording)
        try folder.readWaves(path) { block in survey.add(block) }
        guard survey.groups.contains(where: \.needsColumns) else {
            var kept = log
            try folder.readWaves(path) { block in
                for index in block.instants.indices where survey.isKept(index, of: block) {
                    kept.samples.append(.sample(block.value(index)))
                }
            }
            recording = Recording(kept, end: end)
            recording.drop(survey.dropped)
            return try write(
                RecordingFile.files(of: recording, runUUID: header.runUUID, wallClock: header.wallClock),
                in: step)
        }
        recording.drop(survey.dropped)
        var results: [FileResult] = []
        for group in survey.groups.indices {
            var result = RecordingFile.columns(
                group, of: survey, recording, runUUID: header.runUUID, wallClock: header.wallClock)
            let target = "\(step)/\(result.fileName)"
            try writeColumns(group, of: survey, from: path, to: target)
            let digest = try folder.digest(of: target)
            written[target] = digest
            result.sha256 = digest.sha256
            results.append(result)
        }
        try syncStepFolder(step)
        return results
    }

    /// Writes a file under a temporary name, which it loses when it is complete.
    private func writeColumns(
        _ group: Int, of survey: WaveSurvey, from path: String, to target: String
    ) throws(FileFailure) {
        let temporary = target + Folder.temporarySuffix
        if folder.exists(temporary) { try folder.remove(temporary) }
        var file = try AppendedFile(creating: temporary, in: folder)
        let deflation = try Deflation(level: Self.columnLevel)
        var text = WaveColumns.header(of: survey.groups[group].layout)
        var (current, place) = (-1, survey.groups[group].layout)
        try folder.readWaves(path) { (block) throws(FileFailure) in
            for index in block.instants.indices where survey.isKept(index, of: block) {
                if current < 0 || block.layout != place { (current, place) = (current + 1, block.layout) }
                if current == group { block.write(index, to: &text) }
            }
            guard text.count > 1 << 18 else { return }
            try file.append(deflation.pack(text))
            text.removeAll(keepingCapacity: true)
        }
        try file.append(deflation.pack(text) + deflation.finish())
        if durability == .synced { try file.sync() }
        try folder.rename(temporary, to: target)
    }

    /// How hard columns are packed: an hour of twelve channels takes a few seconds.
    private static var columnLevel: Int { 4 }
}

extension RecordingFile {
    /// The result of a file with columns.
    static func columns(
        _ index: Int, of survey: WaveSurvey, _ recording: Recording, runUUID: String, wallClock: WallClock
    ) -> FileResult {
        let (group, span, key) = (survey.groups[index], survey.span(of: index), recording.log.key)
        let isLast = index == survey.groups.count - 1
        let statistics = RecordingStatistics(
            of: span, silences: group.silences(in: span), hasSamples: true,
            contactLost: recording.contactLost, lost: recording.lost,
            standstills: recording.standstills, floods: recording.floods)
        let stem = stem(of: recording, part: index + 1, runUUID: runUUID)
        var result = FileResult(
            recorder: key.recorder,
            fileName: stem + wallClock.stamp(of: recording.span.upperBound) + "." + WaveColumns.suffix,
            contentType: WaveColumns.contentType, start: span.lowerBound, end: span.upperBound,
            segment: key.segment, sampleCount: group.count, coverage: statistics.coverage)
        result.part = index + 1
        result.gaps = statistics.gaps
        result.lateSamples = group.late
        result.droppedSamples = isLast ? recording.dropped : 0
        result.waves = FileResult.Waves(
            group.layout, rate: group.rate, quantity: recording.log.configuration.signal.quantityName,
            givesBeats: recording.log.configuration.givesBeats)
        result.sourceInformation = recording.information.isEmpty ? nil : recording.information
        return result
    }
}
