import Platform
package import StudyModel

extension RunningBundle {
    /// Where a microphone's sound is written during the recording, below the output folder.
    package var soundPath: @Sendable (RecorderKey, RecorderConfiguration.SoundFormat) -> String {
        let folder = header.runUUID + Self.suffix
        return { key, format in folder + "/" + RecorderLog.soundPath(of: key, format) }
    }

    /// Moves a microphone's file into the folder of the visit that reports it.
    mutating func finishSound(_ recording: Recording, in step: String) throws(FileFailure) -> FileResult {
        let (key, format) = (recording.log.key, recording.log.configuration.soundFormat)
        let name = RecordingFile.name(
            of: recording, part: 1, runUUID: header.runUUID, wallClock: header.wallClock)
        let (source, target) = (RecorderLog.soundPath(of: key, format), "\(step)/\(name)")
        if folder.exists(source) {
            try moveSound(source, to: target)
        } else if !folder.exists(target) {
            // A killed run may already have moved the file, under a name with another time, without recording it in
            // the journal.
            let stem = RecordingFile.stem(of: recording, part: 1, runUUID: header.runUUID)
            let moved = try folder.files().first { $0.split(separator: "/").last?.hasPrefix(stem) == true }
            if let moved { try folder.rename(moved, to: target) } else { try write([], to: target) }
        }
        var sound = recording.lastSound
        if let held = soundInFile?("\(output.name)/\(header.runUUID)\(Self.suffix)/\(target)") {
            sound = HeldSound(frames: held.frames, rate: held.rate, lacking: sound?.lacking ?? 0)
        }
        let digest = try folder.digest(of: target)
        written[target] = digest
        try syncStepFolder(step)
        var file = FileResult(
            recorder: key.recorder, fileName: name, contentType: format.contentType,
            start: recording.span.lowerBound, end: recording.span.upperBound, segment: key.segment,
            sampleCount: Int(sound?.frames ?? 0), coverage: recording.coverage(by: sound))
        file.gaps = recording.gaps(in: sound)
        file.reason = file.sampleCount == 0 ? recording.emptyReason : recording.lostReason
        file.sha256 = digest.sha256
        return file
    }
}

extension RunningBundle {
    /// Puts what the microphones have written so far on disk, so that a power cut costs at most a second.
    mutating func syncSounds() throws(FileFailure) {
        for log in logs.values.map(\.log) where log.configuration.signal.form == .sound {
            let path = RecorderLog.soundPath(of: log.key, log.configuration.soundFormat)
            guard folder.exists(path) else { continue }
            do {
                try folder.syncFile(path)
            } catch {
                forgotten.insert(path)
                throw error
            }
        }
    }

    /// After a failed sync the system forgets what was not written. Then the file is written again, and the failure
    /// is still reported.
    private mutating func moveSound(_ source: String, to target: String) throws(FileFailure) {
        do throws(FileFailure) {
            if durability == .synced, !forgotten.contains(source) { try folder.syncFile(source) }
        } catch {
            forgotten.insert(source)
            throw error
        }
        guard forgotten.contains(source) else { return try folder.rename(source, to: target) }
        try write(folder.read(source), to: target)
        try folder.remove(source)
        forgotten.remove(source)
    }
}

extension RecorderLog {
    static func soundPath(of key: RecorderKey, _ format: RecorderConfiguration.SoundFormat) -> String {
        "\(folder)/\(StepFolder.padded(key.ordinal))-\(key.recorder)-\(key.segment).\(format.rawValue)"
    }
}

/// What a microphone's file holds.
package struct HeldSound: Sendable {
    package var frames: Int64
    /// Frames per second.
    package var rate: Double
    /// How many frames at the beginning are silence in the place of what the microphone did not give.
    package var lacking: Int64

    package init(frames: Int64, rate: Double, lacking: Int64 = 0) {
        (self.frames, self.rate, self.lacking) = (frames, rate, lacking)
    }

    fileprivate var held: Duration { .seconds(Double(frames) / rate) }
    fileprivate var silent: Duration { .seconds(Double(min(lacking, frames)) / rate) }
}

extension Recording {
    /// What the microphone last reported about its file.
    fileprivate var lastSound: HeldSound? {
        for sample in log.samples.reversed() {
            if case .sound(let frames, let rate, let lacking, _) = sample {
                return HeldSound(frames: frames, rate: rate, lacking: lacking)
            }
        }
        return nil
    }

    /// Share of the recording's time of which the file holds the sound, 0...1.
    fileprivate func coverage(by sound: HeldSound?) -> Double {
        guard let sound else { return 0 }
        let whole = span.lowerBound.duration(to: span.upperBound)
        return whole > .zero ? min(1, (sound.held - sound.silent) / whole) : 1
    }

    /// The times of which the file does not hold the sound.
    fileprivate func gaps(in sound: HeldSound?) -> [FileResult.Gap] {
        let (held, silent) = sound.map { ($0.held, $0.silent) } ?? (.zero, .zero)
        let begin = min(span.upperBound, span.lowerBound.advanced(by: silent))
        let end = min(span.upperBound, span.lowerBound.advanced(by: held))
        let missing = [
            FileResult.Gap(from: span.lowerBound, to: begin, reason: "silence"),
            FileResult.Gap(
                from: max(begin, end), to: span.upperBound, reason: lostReason == nil ? "silence" : "lost"),
        ]
        // A microphone's frames do not begin and end with the recording to the frame.
        return missing.filter { $0.from.duration(to: $0.to) > .milliseconds(10) }
    }
}

extension RecorderConfiguration.SoundFormat {
    /// The media type of such files.
    var contentType: String { "audio/\(rawValue)" }
}
