import BundleReplay
import Results
import SessionPorts
import StudyFile
import StudyModel
import StudySession
import StudyTesting
import Testing
import TextFormat

@Suite struct SessionTests {
    let folder = TemporaryFolder()
    let otherFolder = TemporaryFolder()

    static let listening = """
        entrain: 1
        study: {identifier: listening, title: Listening}
        sources:
          heartRate: {type: simulated}
        stimuli:
          clips: {catalogue: clips.yaml}
        tasks:
          - identifier: task
            steps:
              - {type: instruction, identifier: welcome, title: Welcome}
              - type: active
                identifier: listen
                title: Listen
                duration: 10 s
                stimulus: {from: clips, draw: random, onset: 2 s}
                recorders:
                  - {type: heartRate, identifier: heartRate}
                  - {type: stimulusPosition, identifier: position}
                  - {type: events, identifier: acts}
              - {type: question, identifier: liked, title: Did you like it?, answer: {boolean: {}}}
              - {type: completion, identifier: thanks, title: Thank you}
        """

    @Test func `a study runs by itself to a bundle that verifies`() async throws {
        let sittings = Sittings(Self.listening, in: folder)
        let (sealed, bundle) = try await sittings.run()
        #expect(sealed.reason == .completed && sealed.problem == nil)
        #expect(try Verification.problems(at: bundle.path) == [])
        #expect(bundle.visits.map(\.identifier) == ["welcome", "listen", "liked", "thanks"])
        let heart = try #require(bundle.visits[1].recordings.first { $0.isHeartRate })
        let rates = try bundle.heartRates(in: heart)
        #expect(rates.count == 10)
        #expect(heart.coverage == 1)
    }

    @Test func `a clip without a device keeps its planned times`() async throws {
        let (_, bundle) = try await Sittings(Self.listening, in: folder).run()
        let step = bundle.visits[1]
        let start = step.start
        let clip = try #require(step.clip)
        #expect(clip.identifier == "tune")
        #expect(clip.onset == start + 2)
        #expect(clip.end == start + 6)
        let positions = try #require(step.recordings.first { $0.recorder == "position" })
        #expect(try bundle.items(in: positions).count == 5)
    }

    @Test func `a clip can begin in its middle, and the result says where`() async throws {
        let text = Self.listening.replacing("onset: 2 s", with: "onset: 2 s, start: 1500 ms")
        let (_, bundle) = try await Sittings(text, in: folder).run()
        let step = bundle.visits[1]
        let clip = try #require(step.clip)
        #expect(clip.start == 1.5)
        #expect(clip.onset == step.start + 2)
        #expect(clip.end == step.start + 4.5, "it lasts 4 s")
        let positions = try #require(step.recordings.first { $0.recorder == "position" })
        let noted = try bundle.items(in: positions).compactMap { $0["position"]?.number }
        #expect(noted == [1.5, 2.5, 3.5, 4])
        #expect(try Verification.problems(at: bundle.path) == [])
    }

    @Test(arguments: [("3999 ms", 0), ("4 s", 1), ("1 min", 1)])
    func `a start behind the end of a clip is a mistake`(start: String, count: Int) {
        let text = Self.listening.replacing("onset: 2 s", with: "start: \(start)")
        let found = Sittings(text, in: folder).checked.parsed.diagnostics.filter { $0.severity == .error }
        #expect(found.count == count)
        #expect(found.allSatisfy { $0.message == "the clip 'tune' ends before this: it is 4 s long" })
    }

    @Test func `the same inputs give the same bytes`() async throws {
        let (left, right) = (Sittings(Self.listening, in: folder), Sittings(Self.listening, in: otherFolder))
        let one = try await left.run().bundle
        let two = try await right.run().bundle
        for file in one.manifest.files {
            #expect(try one.contents(of: file.path) == two.contents(of: file.path), "\(file.path)")
        }
        #expect(one.manifest.files.map(\.path) == two.manifest.files.map(\.path))
    }

    static let read = """
        entrain: 1
        study: {identifier: read, title: Read}
        tasks:
          - identifier: task
            steps:
              - {type: instruction, identifier: one, title: One}
              - {type: instruction, identifier: two, title: Two}
              - {type: completion, identifier: thanks, title: Thank you}
        """

    @Test(arguments: [(0, true), (-1, false)])
    func `an act counts for the screen that it answers, and for no later one`(_ offset: Int, _ counts: Bool)
        async throws
    {
        let (_, bundle) = try await Sittings(Self.read, in: folder).run(prompter: Eager(offset: offset))
        let second = try #require(bundle.visits.first { $0.identifier == "two" })
        #expect((second.start == second.end) == counts, "from \(second.start) s to \(second.end) s")
    }

    static let measured = """
        entrain: 1
        study: {identifier: measured, title: Measured}
        sources:
          heartRate: {type: simulated}
        tasks:
          - identifier: task
            steps:
              - type: active
                identifier: rest
                duration: 10 s
                recorders: [{type: heartRate, identifier: heartRate, required: true, lateSampleGrace: 1 s}]
              - {type: completion, identifier: thanks, title: Thank you}
        """

    @Test func `a source that is lost in mid step leaves a gap, and the step goes on`() async throws {
        var script = [(at: RunInstant.start, report: SourceReport.live)]
        script += ScriptedSource.steady([60, 61, 62])
        script += [(.seconds(3), .lost("the strap is out of reach"))]
        let (sealed, bundle) = try await Sittings(Self.measured, in: folder).run(
            sources: ["heartRate": ScriptedSource(script: script)])
        #expect(sealed.reason == .completed)
        let file = try #require(bundle.visits[0].recordings.first)
        #expect(file.sampleCount == 3)
        let gap = try #require(file.gaps.first)
        #expect(gap.reason == "lost")
        #expect(gap.span == 2.25..<10)
        #expect(try Verification.problems(at: bundle.path) == [])
    }

    static let watched = """
        entrain: 1
        study: {identifier: watched, title: Watched}
        sources:
          heartRate: {type: simulated}
        tasks:
          - identifier: task
            steps:
              - type: active
                identifier: rest
                duration: 10 s
                recorders:
                  - {type: heartRate, identifier: rate}
                  - {type: rrIntervals, identifier: beats}
                  - {type: pulseWaveform, identifier: wave}
              - {type: completion, identifier: thanks, title: Thank you}
        """

    /// Half a second of a camera's frames that settled a second ago, with a beat in the first of them.
    private static func sight(until end: Double, dropped: Int = 0) -> [SourceReport] {
        let frames = (0..<15).map { index in
            Timed(
                SignalValue.picture(
                    PulseFrame(
                        red: 190, green: 60, blue: 30, filtered: 0.5, beats: index == 0 ? [0.01] : [],
                        quality: 0.9)), at: .seconds(end - 1.5 + Double(index) / 30), arrival: .seconds(end))
        }
        return frames.map(SourceReport.measured)
            + [.quality(SignalQuality(0.9, isClear: true, dropped: dropped, at: .seconds(end)))]
    }

    @Test func `a camera's frames, intervals and rates each have their file, complete to the end`()
        async throws
    {
        var script = [(at: RunInstant.start, report: SourceReport.lost("not yet"))]
        script.append((.seconds(1), .live))
        for half in 3...28 {
            let end = Double(half) / 2
            script += Self.sight(until: end, dropped: half == 8 ? 3 : 0).map { (.seconds(end), $0) }
            let beat = HeartRateSample(rate: nil, rrIntervals: [0.5], sensorContact: true, quality: 0.9)
            let when = RunInstant.seconds(end - 1.49)
            script.append((.seconds(end), .sample(Timed(beat, at: when, arrival: .seconds(end)))))
            guard half.isMultiple(of: 2) else { continue }
            let rate = HeartRateSample(rate: 120, sensorContact: true, quality: 0.9)
            script.append(
                (.seconds(end), .sample(Timed(rate, at: .seconds(end), arrival: .seconds(end)))))
        }
        let (sealed, bundle) = try await Sittings(Self.watched, in: folder).run(
            sources: ["heartRate": ScriptedSource(script: script)])
        #expect(sealed.reason == .completed)
        let files = bundle.visits[0].recordings
        #expect(files.map { $0.sampleCount } == [8, 20, 300])
        #expect(files.map { $0.droppedSamples } == [0, 0, 3])
        #expect(files.allSatisfy { $0.coverage == 1 })
        #expect(try Verification.problems(at: bundle.path) == [])
    }

    @Test func `a recording that begins while the source is lost says so`() async throws {
        let script = [(at: RunInstant.start, report: SourceReport.lost("no finger"))]
        let (_, bundle) = try await Sittings(Self.watched, in: folder).run(
            sources: ["heartRate": ScriptedSource(script: script)])
        for file in bundle.visits[0].recordings {
            #expect(file.gaps.first?.reason == "lost")
            #expect(file.reason == "the source was lost: no finger")
        }
    }

    static let told = """
        entrain: 1
        study: {identifier: told, title: Told}
        sources:
          heartRate: {type: simulated}
        tasks:
          - identifier: task
            steps:
              - type: active
                identifier: first
                duration: 5 s
                recorders: [{type: heartRate, identifier: rate}, {type: events, identifier: acts}]
              - type: active
                identifier: second
                duration: 5 s
                recorders: [{type: heartRate, identifier: rate}, {type: events, identifier: acts}]
              - {type: completion, identifier: thanks, title: Thank you}
        """

    @Test
    func `what a source tells of itself stands with each of its recordings, a low battery among the events`()
        async throws
    {
        var script = [(at: RunInstant.start, report: SourceReport.live)]
        script.append(
            (.seconds(0.1), .told(SourceInformation(sensorLocation: "chest", battery: 40, origin: 7.5))))
        for second in 0..<9 {
            let instant = RunInstant.seconds(0.5 + Double(second))
            let sample = HeartRateSample(rate: 60, elapsed: 100 + Double(second))
            script.append((instant, .sample(Timed(sample, at: instant, arrival: instant))))
        }
        script.insert((.seconds(3), .told(SourceInformation(battery: 14, samplesBeforeRun: 3))), at: 5)
        script.insert((.seconds(3.2), .told(SourceInformation(battery: 13))), at: 6)
        let (_, bundle) = try await Sittings(Self.told, in: folder).run(
            sources: ["heartRate": ScriptedSource(script: script)])
        for step in bundle.visits.prefix(2) {
            let rates = step.recordings[0]
            #expect(
                rates.source
                    == SourceInformation(
                        sensorLocation: "chest", battery: 13, origin: 7.5, samplesBeforeRun: 3))
            let acts = try bundle.items(in: step.recordings[1])
            #expect(acts.filter { $0["kind"] == "batteryLow" }.count == 1)
        }
        let first = try bundle.items(in: bundle.visits[0].recordings[0])
        #expect(first.map { $0["metadata"]?["elapsed"]?.number } == [100, 101, 102, 103, 104])
        #expect(try Verification.problems(at: bundle.path) == [])
    }

    @Test func `late samples and duplicates are counted`() async throws {
        let late = Timed(HeartRateSample(rate: 70), at: .seconds(9.5), arrival: .seconds(10.5))
        var script = [(at: RunInstant.start, report: SourceReport.live)]
        script += ScriptedSource.steady([60, 61, 62, 63, 64, 65, 66, 67, 68])
        script.append((.seconds(8.3), ScriptedSource.steady([68], from: 8.25)[0].report))
        script.append((.seconds(10.5), .sample(late)))
        let (_, bundle) = try await Sittings(Self.measured, in: folder).run(
            sources: ["heartRate": ScriptedSource(script: script)])
        let file = try #require(bundle.visits[0].recordings.first)
        #expect(file.sampleCount == 10)
        #expect(file.lateSamples == 1)
        #expect(file.droppedSamples == 1)
    }

    @Test func `a required source that comes late holds the step back until it is there`() async throws {
        let script =
            [(at: RunInstant.seconds(30), report: SourceReport.live)]
            + ScriptedSource.steady([60, 61], from: 31)
        let (sealed, bundle) = try await Sittings(Self.measured, in: folder).run(
            sources: ["heartRate": ScriptedSource(script: script)])
        #expect(sealed.reason == .completed)
        #expect(bundle.visits[0].start == 0)
        #expect(bundle.visits[0].end == 40)
    }

    @Test func `a required source that never comes ends a run that nobody watches`() async throws {
        let (sealed, bundle) = try await Sittings(Self.measured, in: folder).run(sources: [:])
        #expect(sealed.reason == .failed)
        #expect(bundle.manifest.status == .failed)
        #expect(try Verification.problems(at: bundle.path) == [])
    }

    @Test func `an interruption seals what there is`() async throws {
        let (stream, sink) = AsyncStream.makeStream(of: Void.self)
        sink.yield()
        let (sealed, bundle) = try await Sittings(Self.listening, in: folder).run(interruptions: stream)
        #expect(sealed.reason == .earlyTermination)
        #expect(bundle.manifest.status == .earlyTermination)
        #expect(try Verification.problems(at: bundle.path) == [])
    }

    @Test(
        arguments: [
            ("steps/02-listen/result.json", "\"tune\"", "\"tone\""), ("plan.json", "\"random\"", "\"fixed\""),
            ("journal.jsonl", "\"confirmed\"", "\"skipped\""), ("study.yaml", "10 s", "11 s"),
        ])
    func `a changed file is found`(file: BundlePath, old: String, new: String) async throws {
        let bundle = try await Sittings(Self.listening, in: folder).run().bundle
        let text = String(decoding: try bundle.contents(of: file), as: UTF8.self)
        let changed = text.replacing(old, with: new)
        #expect(changed != text)
        #expect(writeFile(Array(changed.utf8), to: bundle.path + "/" + file.text))
        let problems = try Verification.problems(at: bundle.path)
        #expect(problems.contains("\(file) was changed since the bundle was sealed"))
        // The sums are not the only observer: replay and redraw tell, too.
        #expect(problems.count > 1)
    }
}
