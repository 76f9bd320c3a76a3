import Glibc
import StudyModel
import StudyTesting
import Testing
import TextFormat

@testable import Platform
@testable import Results

@Suite struct RecoveryTests {
    private let place = TemporaryFolder()
    private var output: String { place.path }
    private let name = Sample.uuid + ".running"

    /// What a session does for a run that was killed while its second step recorded.
    private func recover(in output: String, until: Stop = .sealed) throws {
        let interrupted = try InterruptedRun(name, in: output)
        let end = interrupted.lastInstant
        var bundle = try interrupted.reopen(plan: Sample.plan)
        try bundle.save(Sample.others[0])
        var files: [FileResult] = []
        if let open = InterruptedRun.unfinishedRecordings(in: interrupted.journal.records).first {
            try bundle.openLog(open.key, open.configuration, from: open.start, source: "simulated")
            files = try bundle.finishLog(open.key, at: end, ordinal: 2, path: ["music"])
            if until == .converted { return }
            try bundle.journal([.init(.event(.recorded(open.key, files: files, problem: nil)), at: end)])
            if until == .journalled { return }
            try bundle.sync()
        }
        for case .event(.recorded(_, let known, _)) in interrupted.journal.records.map(\.content) {
            files = known
        }
        if until == .synced { return }
        try bundle.save(Sample.music(files))
        let isEnded = interrupted.journal.records.contains { $0.content == .effect(.end(.failed)) }
        if !isEnded { try bundle.journal([.init(.effect(.end(.failed)), at: end)]) }
        if until == .saved { return }
        _ = try Runs.seal(
            bundle,
            TaskResult(
                steps: [Sample.others[0], Sample.music(files)], end: end, reason: .failed, isRecovered: true))
    }

    private enum Stop: CaseIterable { case converted, journalled, synced, saved, sealed }

    /// A run that is killed in its second step.
    private func interrupt(in output: String) throws {
        var bundle = try Runs.begin(in: output, .synced)
        try bundle.journal([.init(.event(.begin), at: .start)])
        try bundle.save(Sample.others[0])
        try Runs.record(in: &bundle)
    }

    @Test func `a killed run ends when it last gave a sign of life, whatever step was on show`() throws {
        var bundle = try Runs.begin(in: output, .synced)
        try bundle.journal([.init(.event(.begin), at: .start)])
        for second in 1...14 {
            try bundle.record(signOfLifeAt: .seconds(Double(second)))
            try bundle.sync()
        }
        _ = consume bundle
        #expect(try InterruptedRun(name, in: output).lastInstant == .seconds(14))
        let torn = try Folder("\(output)/\(name)")
        try torn.append(Array("15000".utf8), to: RecorderLog.signsPath)
        #expect(try InterruptedRun(name, in: output).lastInstant == .seconds(14))
        try recover(in: output)
        #expect(try ResultBundle(at: "\(output)/\(Sample.uuid)").manifest.duration == .seconds(14))
    }

    @Test func `a sealed bundle has no signs of life`() throws {
        var bundle = try Runs.begin(in: output, .synced)
        try bundle.journal([.init(.event(.begin), at: .start)])
        for second in 1...3 { try bundle.record(signOfLifeAt: .seconds(Double(second))) }
        try bundle.save(Sample.others[0])
        try Runs.record(in: &bundle)
        let result = try Runs.finish(&bundle)
        let sealed = try ResultBundle(at: "\(output)/\(Runs.seal(bundle, result))")
        #expect(try sealed.verifySums() == [])
        #expect(try Folder(sealed.path).files().allSatisfy { !$0.hasPrefix(RecorderLog.folder) })
    }

    @Test func `a killed run becomes a bundle with every sample`() throws {
        try interrupt(in: output)
        #expect(try InterruptedRun.names(in: output) == [name])
        try recover(in: output)
        let bundle = try ResultBundle(at: "\(output)/\(Sample.uuid)")
        #expect(try bundle.verifySums().isEmpty)
        #expect(bundle.manifest.status == .failed && bundle.manifest.isRecovered)
        #expect(bundle.result["userInfo"]?["finishReason"] == "failed")
        #expect(bundle.result["userInfo"]?["recovered"] == true)
        let rates = try bundle.heartRates(in: try #require(bundle.visits[1].recordings.first))
        #expect(rates.count == 30)
        #expect(rates.last?.arrivalOffset == 37.52)
        let live = try ResultBundle(at: "\(output)/live/\(Runs.whole(in: output + "/live", .synced))")
        #expect(
            try bundle.items(in: bundle.visits[1].recordings[0])
                == live.items(in: live.visits[1].recordings[0]))
        #expect(try InterruptedRun.names(in: output).isEmpty)
    }

    @Test(arguments: Stop.allCases)
    private func `a recovery that is killed is done again with the same bytes`(stop: Stop) throws {
        let whole = output + "/whole"
        try interrupt(in: whole)
        try recover(in: whole)
        let again = output + "/again"
        try interrupt(in: again)
        try recover(in: again, until: stop)
        if stop != .sealed { try recover(in: again) }
        #expect(try Runs.bytes(of: Sample.uuid, in: again) == Runs.bytes(of: Sample.uuid, in: whole))
    }

    @Test func `torn ends and files half done leave no trace`() throws {
        let whole = output + "/whole"
        try interrupt(in: whole)
        try recover(in: whole)
        let torn = output + "/torn"
        try interrupt(in: torn)
        let folder = try Folder("\(torn)/\(name)")
        for path in ["journal.jsonl", "recording/02-heartRateConfig-1.jsonl"] {
            var file = try AppendedFile(reopening: path, in: folder, isLocked: false)
            try file.append(Array(#"{"n":3,"t":8000"#.utf8))
        }
        try folder.makeFolder("steps/03-later")
        for path in [
            "steps/03-later/result.json", "steps/01-instruction/x.json", "result.json.tmp", "SHA256SUMS",
        ] {
            try folder.write([1], to: path, isDurable: false)
        }
        try recover(in: torn)
        #expect(try Runs.bytes(of: Sample.uuid, in: torn) == Runs.bytes(of: Sample.uuid, in: whole))
        #expect(try Folder("\(torn)/\(Sample.uuid)").names(in: "steps") == ["01-instruction", "02-music"])
    }

    @Test func `a sealed bundle whose journal was edited is not made whole by recovering it`() throws {
        try interrupt(in: output)
        try recover(in: output)
        let folder = try Folder(output)
        try folder.renameFolder(Sample.uuid, toNew: name)
        var file = try AppendedFile(reopening: "journal.jsonl", in: folder.folder(name), isLocked: false)
        try file.append(Array("{}\n".utf8))
        let error = #expect(throws: FileFailure.self) { try InterruptedRun(name, in: output) }
        #expect(error?.description.contains("its journal has been changed since") == true)
    }

    @Test func `a run that goes on is left alone`() throws {
        var bundle = try Runs.begin(in: output, .synced)
        let error = #expect(throws: FileFailure.self) { try InterruptedRun(name, in: output) }
        #expect(error?.problem == .inUse)
        try bundle.journal([.init(.event(.begin), at: .start)])
    }

    @Test func `two recoveries do not meet`() throws {
        try interrupt(in: output)
        let first = try InterruptedRun(name, in: output)
        let error = #expect(throws: FileFailure.self) { try InterruptedRun(name, in: output) }
        #expect(error?.problem == .inUse)
        #expect(first.journal.records.count == 2)
    }

    @Test func `a lock ends with its holder, even if a starting program has a copy of it`() throws {
        var folder: Folder? = try Folder(output)
        let copy = OpenFile(dup(try #require(folder).descriptor))
        try folder?.lock()
        #expect(throws: FileFailure.self) { try Folder(output).lock() }
        folder = nil
        try withExtendedLifetime(copy) { try Folder(output).lock() }
    }

    @Test func `a run that never began leaves nothing`() throws {
        try Folder.make("\(output)/\(name)/steps")
        let folder = try Folder("\(output)/\(name)")
        try folder.write(Sample.study, to: "study.yaml", isDurable: false)
        try folder.write([], to: "journal.jsonl.tmp", isDurable: false)
        #expect(throws: FileFailure("recover", name, .neverBegan)) { try InterruptedRun(name, in: output) }
        #expect(try Folder(output).names(in: ".").isEmpty)
    }

    @Test func `a run that is only just being made is left alone`() throws {
        try Folder.make("\(output)/\(name)")
        let file = try AppendedFile(creatingLocked: "journal.jsonl", in: Folder("\(output)/\(name)"))
        let error = #expect(throws: FileFailure.self) { try InterruptedRun(name, in: output) }
        #expect(error?.problem == .inUse)
        try file.publish()
    }

    @Test func `a damaged first line is told, and nothing is touched`() throws {
        try interrupt(in: output)
        let path = "\(output)/\(name)/journal.jsonl"
        #expect(writeFile(Array("x\n".utf8), to: path))
        let error = #expect(throws: FileFailure.self) { try InterruptedRun(name, in: output) }
        #expect(error?.description.contains("line 1") == true)
        #expect(readFile(path) == Array("x\n".utf8))
    }

    @Test func `unfinished recordings know their end where it was planned`() {
        let other = RecorderKey(ordinal: 1, recorder: "all", segment: 1)
        let records: [Journal.Record] = [
            .init(.effect(.record(other, Sample.recorder, from: .start)), at: .start),
            .init(.effect(.record(Sample.key, Sample.recorder, from: .seconds(1))), at: .seconds(1)),
            .init(.effect(.stopRecording(Sample.key, at: .seconds(5))), at: .seconds(4)),
            .init(.event(.recorded(other, files: [], problem: nil)), at: .seconds(4)),
        ]
        #expect(
            InterruptedRun.unfinishedRecordings(in: records) == [
                UnfinishedRecording(
                    key: Sample.key, configuration: Sample.recorder, start: .seconds(1), end: .seconds(5))
            ])
    }
}
