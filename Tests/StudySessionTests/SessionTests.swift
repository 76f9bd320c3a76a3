import BundleReplay
import Results
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
        #expect(bundle.steps.map(\.identifier) == ["welcome", "listen", "liked", "thanks"])
        let heart = try #require(bundle.steps[1].files.first { $0.isHeartRate })
        let rates = try bundle.heartRates(in: heart)
        #expect(rates.count == 10)
        #expect(heart.userInfo["coverage"]?.number == 1)
    }

    @Test func `a clip without a device keeps its planned times`() async throws {
        let (_, bundle) = try await Sittings(Self.listening, in: folder).run()
        let step = bundle.steps[1]
        let start = try #require(step.userInfo["startOffset"]?.number)
        let stimulus = try #require(step.stimulus)
        #expect(stimulus["identifier"]?.text == "tune")
        #expect(stimulus["onsetOffset"]?.number == start + 2)
        #expect(stimulus["endOffset"]?.number == start + 6)
        let positions = try #require(step.files.first { $0.identifier == "position" })
        #expect(try bundle.items(in: positions).count == 5)
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
        let second = try #require(bundle.steps.first { $0.identifier == "two" })
        let start = try #require(second.userInfo["startOffset"]?.number)
        let end = try #require(second.userInfo["endOffset"]?.number)
        #expect((start == end) == counts, "from \(start) s to \(end) s")
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
        let file = try #require(bundle.steps[0].files.first)
        #expect(file.userInfo["sampleCount"]?.integer == 3)
        let gap = try #require(file.userInfo["gaps"]?.list?.first)
        #expect(gap["reason"]?.text == "lost")
        #expect(gap["from"]?.number == 2.25 && gap["to"]?.number == 10)
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
    private static func sight(until end: Double, dropped: Int = 0) -> SourceReport {
        let frames = (0..<15).map { index in
            Timed(
                PulseFrame(
                    red: 190, green: 60, blue: 30, filtered: 0.5, beats: index == 0 ? [0.01] : [],
                    quality: 0.9), at: .seconds(end - 1.5 + Double(index) / 30), arrival: .seconds(end))
        }
        return .pulse(
            CameraStatus(
                frames: frames, dropped: dropped, quality: 0.9, isClear: true, instant: .seconds(end)))
    }

    @Test func `a camera's frames, intervals and rates each have their file, complete to the end`()
        async throws
    {
        var script = [(at: RunInstant.start, report: SourceReport.lost("not yet"))]
        script.append((.seconds(1), .live))
        for half in 3...28 {
            let end = Double(half) / 2
            script.append((.seconds(end), Self.sight(until: end, dropped: half == 8 ? 3 : 0)))
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
        let files = bundle.steps[0].files
        #expect(files.map { $0.userInfo["sampleCount"]?.integer } == [8, 20, 300])
        #expect(files.map { $0.userInfo["droppedSamples"]?.integer } == [0, 0, 3])
        #expect(files.allSatisfy { $0.userInfo["coverage"]?.number == 1 })
        #expect(try Verification.problems(at: bundle.path) == [])
    }

    @Test func `a recording that begins while the source is lost says so`() async throws {
        let script = [(at: RunInstant.start, report: SourceReport.lost("no finger"))]
        let (_, bundle) = try await Sittings(Self.watched, in: folder).run(
            sources: ["heartRate": ScriptedSource(script: script)])
        for file in bundle.steps[0].files {
            #expect(file.userInfo["gaps"]?.list?.first?["reason"] == "lost")
            #expect(file.userInfo["reason"] == "the source was lost: no finger")
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
        for step in bundle.steps.prefix(2) {
            let rates = step.files[0]
            #expect(
                rates.userInfo["sourceInformation"] == [
                    "battery": 13, "origin": 7.5, "samplesBeforeRun": 3, "sensorLocation": "chest",
                ])
            let acts = try bundle.items(in: step.files[1])
            #expect(acts.filter { $0["kind"] == "batteryLow" }.count == 1)
        }
        let first = try bundle.items(in: bundle.steps[0].files[0])
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
        let file = try #require(bundle.steps[0].files.first)
        #expect(file.userInfo["sampleCount"]?.integer == 10)
        #expect(file.userInfo["lateSamples"]?.integer == 1)
        #expect(file.userInfo["droppedSamples"]?.integer == 1)
    }

    @Test func `a required source that comes late holds the step back until it is there`() async throws {
        let script =
            [(at: RunInstant.seconds(30), report: SourceReport.live)]
            + ScriptedSource.steady([60, 61], from: 31)
        let (sealed, bundle) = try await Sittings(Self.measured, in: folder).run(
            sources: ["heartRate": ScriptedSource(script: script)])
        #expect(sealed.reason == .completed)
        #expect(bundle.steps[0].userInfo["startOffset"]?.number == 0)
        #expect(bundle.steps[0].userInfo["endOffset"]?.number == 40)
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
    func `a changed file is found`(file: String, old: String, new: String) async throws {
        let bundle = try await Sittings(Self.listening, in: folder).run().bundle
        let text = String(decoding: try bundle.contents(of: file), as: UTF8.self)
        let changed = text.replacing(old, with: new)
        #expect(changed != text)
        #expect(writeFile(Array(changed.utf8), to: bundle.path + "/" + file))
        let problems = try Verification.problems(at: bundle.path)
        #expect(problems.contains("\(file) is not what was sealed"))
        // The sums are not the only observer: replay and redraw tell, too.
        #expect(problems.count > 1)
    }
}
