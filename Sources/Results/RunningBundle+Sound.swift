package import StudyModel

extension RunningBundle {
    /// Where a microphone's sound is to be written while it is recorded: below the output folder.
    package var soundPath: @Sendable (RecorderKey, RecorderConfiguration.SoundFormat) -> String {
        let folder = header.runUUID + Self.suffix
        return { key, format in folder + "/" + RecorderLog.soundPath(of: key, format) }
    }

    /// Moves a microphone's file into the folder of the visit that reports it.
    mutating func finishSound(_ recording: Recording, in step: String) throws(BundleFailure) -> FileResult {
        let (key, format) = (recording.log.key, recording.log.configuration.soundFormat)
        let name = RecordingFile.name(
            of: recording, part: 1, runUUID: header.runUUID, wallClock: header.wallClock)
        let (source, target) = (RecorderLog.soundPath(of: key, format), "\(step)/\(name)")
        if folder.exists(source) {
            if durability == .synced {
                var file = try AppendedFile(reopening: source, in: folder, isLocked: false)
                try file.sync()
            }
            try folder.rename(source, to: target)
        } else if !folder.exists(target) {
            try write([], to: target)
        }
        written[target] = try folder.digest(of: target)
        try syncStepFolder(step)
        return FileResult(
            recorder: key.recorder, fileName: name, contentType: format.contentType,
            start: recording.span.lowerBound, end: recording.span.upperBound, segment: key.segment, part: 1,
            sampleCount: recording.soundFrames, coverage: recording.soundCoverage, gaps: [], lateSamples: 0,
            droppedSamples: 0, reason: recording.soundProblem)
    }
}

extension RecorderLog {
    static func soundPath(of key: RecorderKey, _ format: RecorderConfiguration.SoundFormat) -> String {
        "\(folder)/\(StepFolder.padded(key.ordinal))-\(key.recorder)-\(key.segment).\(format.rawValue)"
    }
}

extension RecorderConfiguration.SoundFormat {
    /// The media type of such files.
    var contentType: String { "audio/\(rawValue)" }
}

extension Recording {
    /// What the microphone last said of its file.
    private var lastSound: (frames: Int64, rate: Double)? {
        for sample in log.samples.reversed() {
            if case .sound(let frames, let rate, _) = sample { return (frames, rate) }
        }
        return nil
    }

    fileprivate var soundFrames: Int { lastSound.map { Int($0.frames) } ?? 0 }

    /// Share of the recording's time that is in the file, 0...1.
    fileprivate var soundCoverage: Double {
        guard let lastSound else { return 0 }
        let seconds = span.lowerBound.duration(to: span.upperBound).seconds
        return seconds > 0 ? min(1, Double(lastSound.frames) / lastSound.rate / seconds) : 1
    }

    fileprivate var soundProblem: String? { soundFrames == 0 ? emptyReason : lostReason }
}
