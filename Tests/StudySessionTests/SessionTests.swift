import Results
import StudyModel
import StudySession
import StudyTesting
import Testing

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
        // The sums are not the only witness: replay and redraw tell, too.
        #expect(problems.count > 1)
    }
}
