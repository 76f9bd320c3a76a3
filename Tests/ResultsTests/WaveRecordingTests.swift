import Platform
import StudyModel
import StudyTesting
import Testing
import TextFormat

@testable import Results

/// Waveforms from the log to the bundle.
@Suite struct WaveRecordingTests {
    private let place = TemporaryFolder()
    private var output: String { place.path }
    private let key = RecorderKey(ordinal: 2, recorder: "ecg", segment: 1)
    private let recorder = RecorderConfiguration(identifier: "ecg", signal: .ecg)

    /// Samples at a rate from a moment on, counted from a number on.
    private func block(
        from start: Double, count: Int, rate: Double, channels: [String] = ["ecg"], number: Int = 0,
        late: Duration = .milliseconds(100)
    ) -> RecordedSample {
        let layout = WaveLayout(channels.map { WaveLayout.Channel($0, unit: "uV") }, rate: rate)
        let instants = (0..<count).map { RunInstant.seconds(start + Double($0) / rate) }
        let values = (0..<count).flatMap { index in
            channels.indices.map { Double(number + index) + Double($0) / 10 }
        }
        let last = instants.last ?? .start
        return .sample(
            Timed(
                .wave(WaveBlock(.ecg, layout, at: instants, values)), at: instants.first ?? .start,
                arrival: last.advanced(by: late)))
    }

    private func record(
        _ samples: [RecordedSample], _ configuration: RecorderConfiguration? = nil,
        until end: RunInstant = .seconds(10), _ durability: Durability = .synced
    ) throws -> (files: [FileResult], folder: Folder) {
        var bundle = try Runs.begin(in: output, durability)
        try bundle.openLog(key, configuration ?? recorder, from: .seconds(8), source: "lab")
        for sample in samples { try bundle.append([sample], to: key) }
        try bundle.sync()
        let files = try bundle.finishLog(key, at: end, ordinal: 2, path: ["music"])
        return (files, try Folder("\(output)/\(Sample.uuid).running"))
    }

    private func text(_ file: FileResult, _ folder: Folder) throws -> [Substring] {
        let bytes = try Inflation.unpacked(folder.read("steps/02-music/\(file.fileName)"))
        return String(decoding: bytes, as: UTF8.self).split(separator: "\n")
    }

    @Test(arguments: [Durability.synced, .unsynced])
    func `fast samples become columns, those within the recording, each once`(durability: Durability) throws {
        let (files, folder) = try record(
            [
                block(from: 7.9, count: 50, rate: 250), block(from: 8.1, count: 475, rate: 250, number: 50),
                block(from: 10, count: 50, rate: 250, number: 525),
            ], nil, until: .seconds(10), durability)
        let file = try #require(files.first)
        #expect(files.count == 1 && file.fileName.hasPrefix("ecg_") && file.fileName.hasSuffix(".csv.gz"))
        #expect(file.contentType == "application/gzip" && file.sampleCount == 500 && file.coverage == 1)
        #expect(file.gaps == [] && file.droppedSamples == 0)
        #expect(file.waves?.layout.channels == [.init("ecg", unit: "uV")])
        #expect(file.waves?.layout.rate == 250)
        #expect(file.waves?.rate.map { abs($0 - 250) < 1e-3 } == true)
        let lines = try text(file, folder)
        #expect(lines[0] == "runOffset,ecg" && lines[1] == "8.000000,25.0" && lines[500] == "9.996000,524.0")
        #expect(lines.count == 501)
        #expect(try folder.digest(of: "steps/02-music/\(file.fileName)").sha256 == file.sha256)
    }

    @Test func `slow samples become items with their channel and its own unit`() throws {
        let (files, folder) = try record([block(from: 8, count: 4, rate: 4, channels: ["a", "b"])])
        let file = try #require(files.first)
        #expect(file.fileName.hasSuffix(".json") && file.sampleCount == 8 && file.waves?.rate == 4)
        let json = try JSON(parsing: folder.read("steps/02-music/\(file.fileName)"))
        let items = try json.field("items").asList { $0 }
        #expect(items.map { $0["channel"]?.text } == ["a", "b", "a", "b", "a", "b", "a", "b"])
        #expect(items.map { $0["value"]?.number } == [0, 0.1, 1, 1.1, 2, 2.1, 3, 3.1])
        #expect(items.allSatisfy { $0["unit"]?.text == "uV" && $0["type"]?.text == "ecg" })
    }

    @Test func `gaps are told from the last sample to the next, and other channels begin another file`()
        throws
    {
        let (files, _) = try record([
            block(from: 8, count: 65, rate: 130),
            .lost("the link was lost", at: .seconds(8.6)),
            block(from: 9, count: 65, rate: 130, number: 65),
            block(from: 9.5, count: 65, rate: 130, channels: ["ecg", "marker"]),
        ])
        #expect(files.map(\.sampleCount) == [130, 65] && files.map(\.part) == [1, 2])
        #expect(files[0].end == files[1].start)
        let gap = try #require(files[0].gaps.first)
        #expect(files[0].gaps.count == 1 && gap.reason == "lost" && gap.to == .seconds(9))
        #expect(gap.from.duration(to: .seconds(8 + 64.0 / 130)) < .microseconds(2))
        #expect(files[1].waves?.layout.channels.map(\.name) == ["ecg", "marker"])
    }

    @Test func `what comes after the recording is late, and what comes after the grace is left out`() throws {
        let (files, _) = try record([
            block(from: 8, count: 234, rate: 130), block(from: 9.8, count: 13, rate: 130, late: .seconds(1)),
            block(from: 9.9, count: 13, rate: 130, late: .seconds(5)),
        ])
        #expect(files.map(\.sampleCount) == [247] && files[0].droppedSamples == 13)
        #expect(files[0].lateSamples == 13)
    }

    @Test func `a recording without a sample is an empty file that says why`() throws {
        let (files, _) = try record([.lost("looking for a stream", at: .seconds(8))])
        #expect(files.map(\.sampleCount) == [0] && files[0].waves == nil)
        #expect(files[0].reason == "the source was lost: looking for a stream")
    }

    @Test func `a killed run gives the samples up to the torn line, again and again the same`() throws {
        do {
            var bundle = try Runs.begin(in: output, .synced)
            try bundle.journal([
                .init(.event(.begin), at: .start),
                .init(.effect(.record(key, recorder, from: .seconds(8))), at: .start),
            ])
            try bundle.openLog(key, recorder, from: .seconds(8), source: "lab")
            try bundle.append([block(from: 8, count: 130, rate: 130)], to: key)
            try bundle.append([block(from: 9, count: 130, rate: 130, number: 130)], to: key)
            try bundle.sync()
        }
        let name = Sample.uuid + ".running"
        let log = "\(output)/\(name)/\(RecorderLog.path(of: key))"
        let bytes = try #require(readFile(log))
        #expect(writeFile(bytes + Array(#"{"a":10100000000,"channels":[{"name":"ecg"}],"ra"#.utf8), to: log))
        var earlier: [UInt8]?
        for _ in 1...2 {
            let interrupted = try InterruptedRun(name, in: output)
            #expect(interrupted.lastInstant > .seconds(10) && interrupted.lastInstant < .seconds(10.2))
            var bundle = try interrupted.reopen(plan: Sample.plan)
            let open = try #require(
                InterruptedRun.unfinishedRecordings(in: interrupted.journal.records).first)
            try bundle.openLog(open.key, open.configuration, from: open.start, source: "lab")
            let files = try bundle.finishLog(key, at: interrupted.lastInstant, ordinal: 2, path: ["music"])
            #expect(files.map(\.sampleCount) == [260])
            let written = readFile("\(output)/\(name)/steps/02-music/\(files[0].fileName)")
            #expect(earlier == nil || earlier == written)
            earlier = written
        }
    }

    @Test func `names of channels are told apart, and spoken by all readers`() {
        let layout = WaveLayout([.init(""), .init("x"), .init("x"), .init("runOffset"), .init("a,b")])
        #expect(layout.channels.map(\.name) == ["channel 1", "x", "x 2", "runOffset", "a,b"])
        #expect(
            String(decoding: WaveColumns.header(of: layout), as: UTF8.self)
                == "runOffset,channel 1,x,x 2,runOffset 2,\"a,b\"\n")
    }

    @Test func `a missing number is an empty cell, and no item`() throws {
        let layout = WaveLayout([.init("ecg"), .init("other")], rate: 100)
        let instants = [RunInstant.seconds(8), .seconds(8.01)]
        let sample = RecordedSample.sample(
            Timed(
                .wave(WaveBlock(.ecg, layout, at: instants, [1, .nan, .infinity, 4])), at: instants[0],
                arrival: .seconds(8.1)))
        let (files, folder) = try record([sample])
        #expect(try text(files[0], folder) == ["runOffset,ecg,other", "8.000000,1.0,", "8.010000,,4.0"])
    }
}
