import Platform
import StudyModel
import StudyTesting
import Testing

@testable import Results

/// What a microphone wrote is there after a crash, wherever the crash came.
@Suite struct SoundRecoveryTests {
    private let place = TemporaryFolder()
    private var output: String { place.path }
    private let name = Sample.uuid + ".running"
    private let key = RecorderKey(ordinal: 2, recorder: "voice", segment: 1)
    private let recorder = RecorderConfiguration(identifier: "voice", signal: .audio)
    private let sound = Array("fLaC and what was said".utf8)

    /// A run that is killed with sound in its file, before or after that was moved to the step.
    private func interrupt(movedAt end: RunInstant?) throws {
        var bundle = try Runs.begin(in: output, .synced)
        try bundle.journal([
            .init(.event(.begin), at: .start),
            .init(.effect(.record(key, recorder, from: .seconds(8))), at: .start),
        ])
        try bundle.openLog(key, recorder, from: .seconds(8), source: "entrain")
        let path = bundle.soundPath(key, .flac)
        #expect(writeFile(sound, to: "\(output)/\(path)"))
        try bundle.append([.sound(frames: 48_000, rate: 48_000, at: .seconds(9))], to: key)
        try bundle.sync()
        if let end { _ = try bundle.finishLog(key, at: end, ordinal: 2, path: ["music"]) }
    }

    @Test(arguments: [nil, RunInstant.seconds(9), .seconds(12), .seconds(100)])
    func `sound is found wherever the crash left it`(end: RunInstant?) throws {
        try interrupt(movedAt: end)
        let interrupted = try InterruptedRun(name, in: output)
        var bundle = try interrupted.reopen(plan: Sample.plan)
        let open = try #require(
            InterruptedRun.unfinishedRecordings(in: interrupted.journal.records).first)
        try bundle.openLog(open.key, open.configuration, from: open.start, source: "entrain")
        let files = try bundle.finishLog(key, at: interrupted.lastInstant, ordinal: 3, path: ["later"])
        let file = try #require(files.first)
        #expect(files.count == 1 && file.sampleCount == 48_000 && file.reason == nil)
        #expect(readFile("\(output)/\(name)/steps/03-later/\(file.fileName)") == sound)
        let folder = try Folder("\(output)/\(name)")
        #expect(try folder.files().filter { $0.hasSuffix(".flac") }.count == 1)
    }
}
