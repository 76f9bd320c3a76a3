import Platform
import Results
import StudyEngine
package import StudyModel

/// What happened to an interrupted run.
package enum Recovery: Hashable, Sendable {
    /// It is now a sealed bundle with this status, in the folder with this name.
    case sealed(folder: String, status: FinishReason)
    /// Nothing had been recorded, and its empty folder was removed.
    case neverBegan(folder: String)
    /// It is still going on.
    case inUse(folder: String)

    /// Recovers every interrupted run in an output folder, in order of their names. Programs that do so in the same
    /// folder take turns, so that none takes a run that another one recovers for a run that goes on.
    ///
    /// - Parameter refuse: receives the reason if a run cannot be recovered, whose folder stays as it is. If it
    ///   does not throw, the other runs are recovered.
    package static func all(
        in output: String, refuse: (any Error) throws -> Void = { throw $0 }
    ) throws -> [Recovery] {
        let folder = try Folder(output)
        try folder.waitForLock()
        return try withExtendedLifetime(folder) {
            try InterruptedRun.names(in: output).compactMap { name in
                do {
                    return try one(name, in: output)
                } catch let failure as FileFailure where failure.problem == .neverBegan {
                    return .neverBegan(folder: name)
                } catch let failure as FileFailure where failure.problem == .inUse {
                    return .inUse(folder: name)
                } catch  where !folder.exists(name) {
                    // It went on until now, and has sealed its bundle.
                    return nil
                } catch {
                    try refuse(error)
                    return nil
                }
            }
        }
    }

    /// Continues where the journal ends: recorded samples become files, and delivered results are saved, all at the
    /// last moment that the run knew. It gives the same bytes if it is repeated, even after being killed in
    /// between.
    private static func one(_ name: String, in output: String) throws -> Recovery {
        let interrupted = try InterruptedRun(name, in: output)
        let journal = interrupted.journal
        var replay = try Replay(journal.header, study: interrupted.study)
        for (event, instant) in journal.events { replay.feed(event, at: instant) }
        var bundle = try interrupted.reopen(plan: replay.plan, soundInFile: HeldSound.init(decoding:))
        try bundle.journal(Array(replay.records.dropFirst(journal.records.count)))
        let now = interrupted.lastInstant
        if !replay.run.isEnding {
            try bundle.journal(replay.feed(.failed("the program was killed"), at: now))
        }
        for cue in replay.untoldCues {
            try bundle.journal(replay.feed(.cueGiven(cue, heard: nil), at: now))
        }
        for var clip in replay.sounding {
            clip.end = now
            try bundle.journal(replay.feed(.played(clip), at: now))
        }
        while let recording = InterruptedRun.unfinishedRecordings(in: replay.records).first {
            let visit =
                replay.visit(reporting: recording.key) ?? VisitName(ordinal: recording.key.ordinal, path: [])
            try bundle.openLog(
                recording.key, recording.configuration, from: recording.start,
                source: (recording.configuration.sourceName ?? "entrain").text)
            let files = try bundle.finishLog(
                recording.key, at: recording.end ?? now, due: recording.due, ordinal: visit.ordinal,
                path: visit.path)
            try bundle.journal(
                replay.feed(
                    .recorded(recording.key, files: files, problem: files.lazy.compactMap(\.reason).first),
                    at: now))
        }
        while let result = replay.results.first(where: { !replay.saved.contains($0.ordinal) }) {
            try bundle.sync()
            try bundle.save(result)
            try bundle.journal(replay.feed(.saved(result.ordinal), at: now))
        }
        let ending = replay.ending ?? (.failed, now)
        let folder = try bundle.seal(
            TaskResult(steps: replay.results, end: ending.at, reason: ending.reason, isRecovered: true))
        return .sealed(folder: folder, status: ending.reason)
    }
}
