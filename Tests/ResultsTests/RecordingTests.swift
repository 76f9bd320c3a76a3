import StudyModel
import StudyTesting
import Testing
import TextFormat

@testable import Results

@Suite struct RecordingStatisticsTests {
    private let span = RunInstant.seconds(10)..<RunInstant.seconds(20)

    @Test func `a sample every second leaves no gap`() {
        let statistics = RecordingStatistics(of: span, samples: (10..<20).map { .seconds(Double($0)) })
        #expect(statistics.gaps.isEmpty && statistics.coverage == 1)
    }

    @Test func `more than two and a half seconds is a gap, wherever it lies`() {
        let statistics = RecordingStatistics(
            of: span, samples: [.seconds(12.5), .seconds(15), .seconds(17.501)])
        #expect(statistics.gaps == [.init(from: .seconds(15), to: .seconds(17.501), reason: "silence")])
        let edges = RecordingStatistics(of: span, samples: [.seconds(13), .seconds(15), .seconds(17)])
        #expect(edges.gaps.map(\.from) == [.seconds(10), .seconds(17)])
        #expect(edges.coverage == 0.4)
    }

    @Test func `a gap says why`() {
        let statistics = RecordingStatistics(
            of: span, samples: [.seconds(10), .seconds(14), .seconds(18)], contactLost: [.seconds(11)],
            lost: [.seconds(11.5), .seconds(15)])
        #expect(statistics.gaps.map(\.reason) == ["contact", "lost"])
    }

    @Test func `a flood is a gap, together with what it touches`() {
        let flood = { RunInstant.seconds($0)..<RunInstant.seconds($1) }
        let floods = RecordingStatistics(
            of: .seconds(10)..<RunInstant.seconds(30), samples: (10..<30).map { .seconds(Double($0)) },
            floods: [flood(8, 11), flood(14, 15), flood(15, 16.5)])
        #expect(
            floods.gaps == [
                .init(from: .seconds(10), to: .seconds(11), reason: "flood"),
                .init(from: .seconds(14), to: .seconds(16.5), reason: "flood"),
            ])
        #expect(floods.coverage == 16.5 / 20)
        let silence = RecordingStatistics(
            of: .seconds(10)..<RunInstant.seconds(20), samples: [.seconds(10), .seconds(19)],
            floods: [flood(12, 13)])
        #expect(silence.gaps == [.init(from: .seconds(10), to: .seconds(19), reason: "flood")])
    }

    @Test func `nothing at all is one gap, however short the recording`() {
        let statistics = RecordingStatistics(of: .seconds(1)..<RunInstant.seconds(2), samples: [])
        #expect(statistics.gaps == [.init(from: .seconds(1), to: .seconds(2), reason: "silence")])
        #expect(statistics.coverage == 0)
        #expect(RecordingStatistics(of: .start..<RunInstant.start, samples: []).gaps.isEmpty)
    }
}

@Suite struct RecordingTests {
    private let clock = WallClock(seconds: 1_461_707_345, nanoseconds: 0, utcOffset: -14_400, zone: "")

    private func sample(
        _ rate: Double?, at instant: Double, after delay: Double = 0, rr: [Double] = [], contact: Bool? = nil,
        quality: Double? = nil
    ) -> RecordedSample {
        .heartRate(
            Timed(
                HeartRateSample(rate: rate, rrIntervals: rr, sensorContact: contact, quality: quality),
                at: whole(instant), arrival: whole(instant + delay)))
    }

    private func whole(_ seconds: Double) -> RunInstant {
        .nanoseconds(RunInstant.seconds(seconds).nanoseconds)
    }

    @Test func `a camera's frames are items of one shape, beats as moments of the run`() throws {
        let frame = PulseFrame(
            red: 190.5, green: 60, blue: 30.25, filtered: -0.5, beats: [0.0125], quality: 0.9)
        let file = try #require(
            files(
                .pulseWaveform,
                [
                    .frame(Timed(frame, at: whole(9.9), arrival: whole(11))),
                    .frame(Timed(frame, at: whole(12), arrival: whole(13.5))),
                    .framesDropped(4, at: whole(14)),
                    .frame(Timed(PulseFrame(red: 1, green: 2, blue: 3), at: whole(13), arrival: whole(14))),
                ]
            ).first)
        #expect(file.result.sampleCount == 2 && file.result.droppedSamples == 4)
        #expect(file.result.fileName.hasPrefix("pulseWaveform_"))
        let text = String(decoding: file.bytes, as: UTF8.self)
        #expect(
            text.hasPrefix(
                #"{"items":[{"arrivalOffset":13.5,"beats":[12.0125],"blue":30.25,"filtered":-0.5,"green":60.0,"#
                    + #""quality":0.9,"red":190.5,"runOffset":12.0,"timestampSince1970":"#))
        #expect(text.contains(#""beats":[],"blue":3.0,"filtered":0.0,"green":2.0,"quality":0.0,"red":1.0,"#))
    }

    @Test func `a silence in which the program stood still says so, and what came later is no gap`() throws {
        let standstill = RecordedSample.stoodStill(since: whole(12), at: whole(16))
        let silent = try files(
            .heartRate, [10.5, 12, 16, 18, 19.5].map { sample(72, at: $0) } + [standstill])[0].result
        #expect(silent.gaps == [FileResult.Gap(from: whole(12), to: whole(16), reason: "standstill")])
        let kept = try files(
            .heartRate, [10.5, 12, 14, 16, 18, 19.5].map { sample(72, at: $0) } + [standstill])[0].result
        #expect(kept.gaps.isEmpty && kept.coverage == 1)
    }

    @Test func `a camera's lines read back as they were written`() throws {
        let frame = PulseFrame(red: 1.5, green: 2, blue: 3, filtered: 0.25, beats: [0.01], quality: 0.5)
        for sample: RecordedSample in [
            .frame(Timed(frame, at: whole(1), arrival: whole(2))), .framesDropped(3, at: whole(4)),
            .flooded(5, since: whole(2), at: whole(4)), .stoodStill(since: whole(2), at: whole(4)),
        ] {
            var text = JSONText(reserving: 100)
            sample.write(to: &text)
            #expect(try RecordedSample(wire: JSON(parsing: Array(text.bytes.dropLast()))) == sample)
        }
    }

    private func files(
        _ kind: Signal, _ samples: [RecordedSample], largestPart: Int = 10 << 20
    ) throws -> [RecordingFile] {
        let log = RecorderLog(
            key: Sample.key, configuration: RecorderConfiguration(identifier: "r", signal: kind),
            start: .seconds(10), source: "simulated")
        var text = JSONText()
        for sample in samples { sample.write(to: &text) }
        let read = try #require(RecorderLog(parsing: log.header + text.bytes))
        #expect(read.samples == samples)
        return RecordingFile.files(
            of: Recording(read, end: .seconds(20)), runUUID: Sample.uuid, wallClock: clock,
            largestPart: largestPart)
    }

    @Test func `heart-rate items stay as documented`() throws {
        let files = try files(
            .heartRate,
            [
                sample(72, at: 10, rr: [0.8, 0.85], contact: true, quality: 0.9),
                sample(71.5, at: 11.25, after: 0.125, contact: true, quality: 1),
            ])
        #expect(
            files[0].result.fileName
                == "HKQuantityTypeIdentifierHeartRate_\(uuid(files[0]))-20160426174925.json")
        #expect(goldenDifference(String(decoding: files[0].bytes, as: UTF8.self), "heart-rate.json") == nil)
    }

    @Test func `intervals, acts and positions stay as documented`() throws {
        let intervals = try files(.rrIntervals, [sample(nil, at: 12, rr: [0.75, 0.5]), sample(70, at: 13)])
        let acts = try files(.events, [.act(kind: "key", detail: "a", at: .seconds(12))])
        let positions = try files(
            .stimulusPosition, [.position(stimulus: "c", position: .milliseconds(1500), at: .seconds(12))])
        let text = (intervals + acts + positions).map { String(decoding: $0.bytes, as: UTF8.self) + "\n" }
            .joined()
        #expect(goldenDifference(text, "other-recorders.jsonl") == nil)
        #expect(intervals[0].result.sampleCount == 2)
        #expect(intervals[0].result.fileName.hasPrefix("RRInterval_"))
        #expect(acts[0].result.coverage == 1 && acts[0].result.fileName.hasPrefix("events_"))
        #expect(positions[0].result.fileName.hasPrefix("stimulusPosition_"))
    }

    @Test func `a reconstructed beat stands beside a rate, and gives an interval its moments`() throws {
        let sample = RecordedSample.heartRate(
            Timed(
                HeartRateSample(
                    rate: 72, rrIntervals: [0.75, 0.5],
                    lastBeat: BeatTime(instant: whole(11.5), uncertainty: .milliseconds(20))),
                at: whole(12), arrival: whole(12)))
        let rates = String(decoding: try files(.heartRate, [sample])[0].bytes, as: UTF8.self)
        #expect(
            rates.contains(
                #""arrivalOffset":12.0,"beatOffset":11.5,"beatUncertainty":0.02,"rrIntervals":[0.75,0.5],"runOffset":12.0"#
            ))
        let beats = String(decoding: try files(.rrIntervals, [sample])[0].bytes, as: UTF8.self)
        #expect(beats.contains(#""arrivalOffset":12.0,"beatUncertainty":0.02,"runOffset":11.0"#))
        #expect(beats.contains(#""arrivalOffset":12.0,"beatUncertainty":0.02,"runOffset":11.5"#))
        let mixed = try files(.heartRate, [sample, self.sample(70, at: 13)])
        let told = String(decoding: mixed[0].bytes, as: UTF8.self)
        #expect(told.split(separator: "beatOffset").count == 2, "only in the item that has it")
    }

    @Test func `what only some samples have is in their items`() throws {
        let files = try files(.heartRate, [sample(72, at: 10, contact: true), sample(72, at: 11)])
        let told = String(decoding: files[0].bytes, as: UTF8.self)
        #expect(told.split(separator: "sensorContact").count == 2)
    }

    @Test(arguments: [(3, 1), (3.000_000_001, 0)])
    func `a sample counts that arrives 2 s after the end, and no later one`(delay: Double, count: Int) throws
    {
        let result = try files(.heartRate, [sample(72, at: 19, after: delay)])[0].result
        #expect(result.sampleCount == count && result.droppedSamples == 1 - count)
    }

    @Test(arguments: [(0.099_999_999, 1), (0.1, 2), (-0.099_999_999, 1), (-0.1, 2)])
    func `the same beats are a duplicate within less than 100 ms`(distance: Double, count: Int) throws {
        let samples = [0, distance].map { sample(72, at: 12 + $0, rr: [0.8]) }
        #expect(try files(.heartRate, samples)[0].result.sampleCount == count)
        let others = [0, distance].enumerated().map { sample(72, at: 12 + $1, rr: [0.8 + Double($0) / 1024]) }
        #expect(try files(.heartRate, others)[0].result.sampleCount == 2)
    }

    @Test func `readings without a time that waited for the program are all kept`() throws {
        let result = try files(.heartRate, [70, 71, 72, 72].map { sample($0, at: 12) })[0].result
        #expect(result.sampleCount == 3 && result.droppedSamples == 1)
    }

    @Test(arguments: [(nil, "silence"), (true, "silence"), (false, "contact")] as [(Bool?, String)])
    func `beats without a rate are no rates, and say of the contact only what they say`(
        contact: Bool?, reason: String
    ) throws {
        let rates = (10..<15).map { sample(72, at: Double($0)) }
        let beats = (15..<20).map {
            sample(nil, at: Double($0), rr: [0.8 + Double($0) / 1024], contact: contact)
        }
        let result = try files(.heartRate, rates + beats)[0].result
        #expect(result.sampleCount == 5 && result.gaps.map(\.reason) == [reason])
    }

    @Test func `late, lost, doubled and misplaced samples are counted, and the rest sorted`() throws {
        let result = try files(
            .heartRate,
            [
                sample(70, at: 9.9), sample(71, at: 12, rr: [0.8]), sample(71, at: 12),
                sample(71, at: 12.05, rr: [0.8]),
                sample(70, at: 11), sample(nil, at: 14, contact: false), sample(72, at: 19, after: 1.5),
                sample(72, at: 19.5, after: 3), sample(72, at: 20),
            ])[0].result
        #expect(result.sampleCount == 3)
        #expect(result.droppedSamples == 5)
        #expect(result.lateSamples == 1)
        #expect(result.gaps == [.init(from: .seconds(12), to: .seconds(19), reason: "contact")])
        #expect(result.coverage == 0.3)
        #expect(result.reason == nil)
    }

    @Test(
        arguments: [
            ([], "no sample came"),
            ([.lost("out of reach", at: .seconds(12))], "the source was lost: out of reach"),
        ] as [([RecordedSample], String)])
    func `an empty file says why`(samples: [RecordedSample], reason: String) throws {
        let file = try files(.heartRate, samples)[0]
        #expect(String(decoding: file.bytes, as: UTF8.self) == #"{"items":[]}"#)
        #expect(file.result.reason == reason && file.result.sampleCount == 0 && file.result.coverage == 0)
    }

    @Test func `what is no number is no reading`() throws {
        let written = sample(.nan, at: 11, rr: [.infinity, 0.8], quality: .nan).asWritten
        #expect(written == sample(nil, at: 11, rr: [0.8]))
    }

    @Test(arguments: 0..<200 as Range<UInt64>)
    func `any sample reads back as it was written`(seed: UInt64) throws {
        var random = SampleValues(seed: seed)
        let sample = random.sample().asWritten
        var text = JSONText()
        sample.write(to: &text)
        #expect(try RecordedSample(wire: JSON(parsing: text.bytes)) == sample)
    }

    @Test func `a long recording is cut in parts that hold it all`() throws {
        let samples = (0..<1000).map { sample(72, at: 10 + Double($0) / 100) }
        let parts = try files(.heartRate, samples, largestPart: 20_000)
        #expect(parts.count > 10)
        #expect(parts.allSatisfy { $0.bytes.count <= 20_000 })
        #expect(parts.map(\.result.part) == Array(1...parts.count))
        #expect(parts.map(\.result.sampleCount).reduce(0, +) == 1000)
        #expect(Set(parts.map(\.result.fileName)).count == parts.count)
        #expect(parts.first?.result.start == .seconds(10) && parts.last?.result.end == .seconds(20))
        #expect(zip(parts, parts.dropFirst()).allSatisfy { $0.result.end == $1.result.start })
    }

    @Test func `a log torn at any byte gives the samples that are whole`() throws {
        let log = RecorderLog(
            key: Sample.key, configuration: Sample.recorder, start: .seconds(10), source: "simulated")
        var text = JSONText()
        for sample in Sample.heart(from: 10, count: 3) { sample.write(to: &text) }
        let bytes = log.header + text.bytes
        for length in 0...bytes.count {
            let lines = bytes[..<length].count { $0 == UInt8(ascii: "\n") }
            let read = RecorderLog(parsing: Array(bytes[..<length]))
            #expect(read?.samples.count == (lines == 0 ? nil : lines - 1))
        }
    }

    private func uuid(_ file: RecordingFile) -> String {
        String(file.result.fileName.drop { $0 != "_" }.dropFirst().prefix(36))
    }
}
