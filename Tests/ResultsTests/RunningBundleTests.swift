import Glibc
import Hashing
import Platform
import StudyModel
import StudyTesting
import Testing
import TextFormat

@testable import Results

@Suite struct RunningBundleTests {
    private let place = TemporaryFolder()
    private var output: String { place.path + "/made/results" }

    @Test(arguments: [Durability.synced, .unsynced])
    func `a run leaves a bundle that reads back`(durability: Durability) throws {
        let name = try Runs.whole(in: output, durability)
        #expect(name == Sample.uuid)
        let bundle = try ResultBundle(at: "\(output)/\(name)")
        #expect(try bundle.verifySums().isEmpty)
        #expect(
            bundle.visits.map(\.identifier) == [
                "instruction", "music", "form", "form", "agree", "SummaryStep",
            ])
        let file = try #require(bundle.visits[1].recordings.first)
        let rates = try bundle.heartRates(in: file)
        #expect(rates.count == 30)
        #expect(rates[1].runOffset == 9.5 && rates[1].arrivalOffset == 9.52 && rates[1].value == 76)
        #expect(rates[0].rrIntervals == [0.8125] && rates[0].sensorContact == true && rates[0].quality == nil)
        #expect(try bundle.items(in: file).count == 30)
        #expect(bundle.visits[1].clip?.identifier == "chill_preview_3")
        #expect(
            bundle.manifest.status == .completed
                && bundle.manifest.studySHA256 == SHA256.hexadecimal(of: Sample.study))
        #expect(try bundle.plan() == PlanDocument(Sample.plan))
        #expect(try bundle.journal().header == Sample.header())
        #expect(try bundle.journal().records.count == 4)
        #expect(try bundle.contents(of: "study.yaml") == Sample.study)
        #expect(try Folder("\(output)/\(name)").files().count == bundle.manifest.files.count + 2)
    }

    @Test func `the bundle's files stay as documented`() throws {
        let bundle = try ResultBundle(at: "\(output)/\(Runs.whole(in: output, .unsynced))")
        let names: [BundlePath] = [
            "result.json", "manifest.json", "SHA256SUMS", "steps/02-music/result.json",
        ]
        for name in names {
            let golden = "bundle-" + name.text.split(separator: "/").joined(separator: "-")
            let text = String(decoding: try bundle.contents(of: name), as: UTF8.self)
            #expect(goldenDifference(text, golden) == nil)
        }
    }

    @Test func `the same run gives the same bytes`() throws {
        let first = try Runs.bytes(of: Runs.whole(in: output + "/a", .synced), in: output + "/a")
        #expect(try Runs.bytes(of: Runs.whole(in: output + "/b", .unsynced), in: output + "/b") == first)
    }

    /// In a process of its own, since the umask is the process's.
    @Test(arguments: [0, 0o077, 0o777] as [mode_t])
    func `files belong to their owner alone, whatever the umask`(mask: mode_t) async {
        await #expect(processExitsWith: .success) { [mask = mask as mode_t] in
            let place = TemporaryFolder()
            umask(mask)
            let output = place.path + "/made/results"
            let path = "\(output)/\(try Runs.whole(in: output, .unsynced))"
            var status = stat()
            for file in try Folder(path).files() {
                #expect(unsafe stat("\(path)/\(file)", &status) == 0 && status.st_mode & 0o7777 == 0o600)
            }
            for folder in [path, path + "/steps", path + "/steps/02-music", output, place.path + "/made"] {
                #expect(unsafe stat(folder, &status) == 0 && status.st_mode & 0o7777 == 0o700)
            }
        }
    }

    @Test func `nothing is ever overwritten`() throws {
        let name = try Runs.whole(in: output, .unsynced)
        let before = try Runs.bytes(of: name, in: output)
        #expect(throws: FileFailure("create", Sample.uuid, .exists)) {
            try Runs.whole(in: output, .unsynced)
        }
        #expect(try Runs.bytes(of: name, in: output) == before)
        #expect(try Folder(output).names(in: ".") == [name])
    }

    @Test func `a folder that takes the name in the meantime is not replaced`() throws {
        let bundle = try Runs.begin(in: output, .unsynced)
        try Folder(output).makeFolder(Sample.uuid)
        let end = TaskResult(steps: [], end: .seconds(1), reason: .completed)
        #expect(Runs.failureOfSealing(bundle, end)?.problem == .exists)
        #expect(try Folder(output).names(in: ".") == [Sample.uuid, Sample.uuid + ".running"])
    }

    @Test(arguments: [
        "", "..", "../../x", "fdfcc3ec-01b6-43e7-8200-9b93e2744bb8", "FDFCC3EC-01B6-43E7-8200-9B93E2744BB8/x",
    ])
    func `only a UUID names a bundle`(uuid: String) {
        #expect(throws: FileFailure.self) {
            _ = try RunningBundle.create(
                in: output, header: Sample.header(uuid: uuid), study: [], plan: Sample.plan,
                durability: .unsynced)
        }
    }

    @Test func `an unfinished recording keeps the bundle from being sealed`() throws {
        var bundle = try Runs.begin(in: output, .unsynced)
        try bundle.openLog(Sample.key, Sample.recorder, from: .start, source: "simulated")
        let end = TaskResult(steps: [], end: .seconds(1), reason: .completed)
        #expect(Runs.failureOfSealing(bundle, end) != nil)
        #expect(try InterruptedRun.names(in: output) == [Sample.uuid + ".running"])
    }

    @Test func `a log goes only when the journal that names its files is synced`() throws {
        var bundle = try Runs.begin(in: output, .synced)
        try bundle.openLog(Sample.key, Sample.recorder, from: .start, source: "simulated")
        let log = "recording/02-heartRateConfig-1.jsonl"
        let files = try bundle.finishLog(Sample.key, at: .seconds(3), ordinal: 2, path: ["music"])
        try bundle.sync()
        let running = try Folder("\(output)/\(Sample.uuid).running")
        #expect(running.exists(log))
        try bundle.journal([.init(.event(.recorded(Sample.key, files: files, problem: nil)), at: .seconds(3))]
        )
        #expect(running.exists(log))
        try bundle.sync()
        #expect(!running.exists(log))
    }

    @Test func `sums find what is missing, changed and added`() throws {
        let path = "\(output)/\(try Runs.whole(in: output, .unsynced))"
        let bundle = try ResultBundle(at: path)
        #expect(writeFile(Array("x".utf8), to: path + "/study.yaml"))
        #expect(writeFile([], to: path + "/extra"))
        try Folder.make(path + "/steps/99-more/empty")
        #expect(unsafe unlink(path + "/plan.json") == 0)
        #expect(unsafe unlink(path + "/journal.jsonl") == 0)
        #expect(unsafe symlink("study.yaml", path + "/journal.jsonl") == 0)
        #expect(
            try bundle.verifySums().map(\.description) == [
                "extra was added after the bundle was sealed",
                "journal.jsonl was changed since the bundle was sealed",
                "plan.json is missing", "steps/99-more/empty/ was added after the bundle was sealed",
                "study.yaml was changed since the bundle was sealed",
            ])
    }

    @Test func `a folder never takes the place of anything, be it empty`() throws {
        try Folder.make("\(place.path)/run")
        try Folder.make("\(place.path)/empty")
        #expect(writeFile([], to: "\(place.path)/file"))
        let folder = try Folder(place.path)
        for name in ["empty", "file"] {
            let failure = #expect(throws: FileFailure.self) { try folder.renameFolder("run", toNew: name) }
            #expect(failure?.problem == .exists)
        }
        try folder.renameFolder("run", toNew: "sealed")
        #expect(folder.isFolder("sealed") && !folder.exists("run") && folder.isFolder("empty"))
    }

    @Test func `failures name the file and the reason`() throws {
        let error = #expect(throws: FileFailure.self) { try ResultBundle(at: place.path) }
        #expect(error?.description == "cannot open \(place.path)/manifest.json: No such file or directory")
        #expect(FileFailure("write", "x", .system(code: ENOSPC)).isDiskFull)
        #expect(!FileFailure("write", "x", .system(code: EIO)).isDiskFull)
        #expect(writeFile([], to: place.path + "/file"))
        #expect(throws: FileFailure.self) { _ = try Runs.begin(in: place.path + "/file/x", .unsynced) }
    }

    /// In a process of its own, whose files may not grow beyond ten bytes.
    @Test func `a write cut short is told, and leaves the file as it was`() async {
        await #expect(processExitsWith: .success) {
            let place = TemporaryFolder()
            let folder = try Folder(place.path)
            var file = try AppendedFile(creating: "journal", in: folder)
            try file.append(Array("whole\n".utf8))
            var limit = rlimit()
            signal(SIGXFSZ, SIG_IGN)
            try #require(unsafe getrlimit(__rlimit_resource_t(1), &limit) == 0)
            limit.rlim_cur = 10
            try #require(unsafe setrlimit(__rlimit_resource_t(1), &limit) == 0)
            let error = #expect(throws: FileFailure.self) { try file.append(Array("too much\n".utf8)) }
            #expect(error?.problem == .system(code: EFBIG))
            #expect(try file.read() == Array("whole\n".utf8))
        }
    }
}
