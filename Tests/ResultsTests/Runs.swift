import Platform
import StudyModel

@testable import Results

/// Bundles as a session writes them.
enum Runs {
    static func begin(in output: String, _ durability: Durability) throws -> RunningBundle {
        try RunningBundle.create(
            in: output, header: Sample.header(), study: Sample.study, plan: Sample.plan,
            durability: durability)
    }

    /// Begins, records half a minute, saves every step and seals.
    static func whole(in output: String, _ durability: Durability) throws -> String {
        var bundle = try begin(in: output, durability)
        try bundle.journal([.init(.event(.begin), at: .start)])
        try bundle.save(Sample.others[0])
        try record(in: &bundle)
        return try seal(bundle, finish(&bundle))
    }

    /// Half a minute of heart rates.
    static func record(in bundle: inout RunningBundle) throws {
        try bundle.journal([
            .init(.effect(.record(Sample.key, Sample.recorder, from: .seconds(8))), at: .seconds(8))
        ])
        try bundle.openLog(Sample.key, Sample.recorder, from: .seconds(8), source: "simulated")
        for second in 0..<30 {
            try bundle.append(Sample.heart(from: 8.5 + Double(second), count: 1), to: Sample.key)
        }
        try bundle.sync()
    }

    /// All that comes after the recording.
    static func finish(
        _ bundle: inout RunningBundle, end: RunInstant = .seconds(38), isRecovered: Bool = false
    )
        throws -> TaskResult
    {
        let files = try bundle.finishLog(Sample.key, at: end, ordinal: 2, path: ["music"])
        try bundle.journal([.init(.event(.recorded(Sample.key, files: files, problem: nil)), at: end)])
        try bundle.sync()
        return try conclude(&bundle, files: files, end: end, isRecovered: isRecovered)
    }

    static func conclude(
        _ bundle: inout RunningBundle, files: [FileResult], end: RunInstant, isRecovered: Bool
    ) throws -> TaskResult {
        let reason: FinishReason = isRecovered ? .failed : .completed
        try bundle.save(Sample.music(files))
        try bundle.journal([.init(.effect(.end(reason)), at: end)])
        try bundle.sync()
        let steps = (Sample.others + [Sample.music(files)]).sorted { $0.ordinal < $1.ordinal }
        return TaskResult(
            steps: isRecovered ? Array(steps.prefix(2)) : steps, end: isRecovered ? end : .seconds(53),
            reason: reason, isRecovered: isRecovered)
    }

    static func seal(_ bundle: consuming RunningBundle, _ result: TaskResult) throws -> String {
        try bundle.seal(result)
    }

    static func failureOfSealing(_ bundle: consuming RunningBundle, _ result: TaskResult) -> FileFailure? {
        do throws(FileFailure) {
            _ = try bundle.seal(result)
            return nil
        } catch { return error }
    }

    /// Every file of a bundle by path.
    static func bytes(of name: String, in output: String) throws -> [String: [UInt8]] {
        let folder = try Folder("\(output)/\(name)")
        return Dictionary(uniqueKeysWithValues: try folder.files().map { ($0, try folder.read($0)) })
    }
}
