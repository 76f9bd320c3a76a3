import BundleReplay
import Results
import SessionPorts
import Signals
import StudyModel
import StudySession
import StudyTesting
import Testing

/// Several participants in one run: one clock, and a heart and a bundle for each.
@Suite struct GatheringTests {
    let folder = TemporaryFolder()

    private static let study = """
        entrain: 1
        study: {identifier: dyad, title: Dyad}
        sources:
          heartRate: {type: simulated}
        stimuli:
          clips: {catalogue: clips.yaml}
        tasks:
          - identifier: task
            recorders:
              - {type: heartRate, identifier: whole, from: rest, to: listen}
            steps:
              - type: active
                identifier: rest
                duration: 10 s
                recorders: [{type: heartRate, identifier: heartRate, required: true, lateSampleGrace: 1 s}]
              - type: active
                identifier: listen
                duration: 8 s
                stimulus: {from: clips, draw: random, onset: 1 s}
                recorders:
                  - {type: heartRate, identifier: heartRate}
                  - {type: stimulusPosition, identifier: position}
                  - {type: rating, identifier: tension, scale: {from: 0, to: 100, fromLabel: calm, toLabel: tense}, rate: 2 /s}
              - {type: question, identifier: liked, title: Did you like it?, answer: {boolean: {}}}
              - {type: completion, identifier: thanks, title: Thank you}
        """

    private static func others() -> [Sitting.Companion] {
        [
            Sittings.companion("P02", name: "B", heart: ScriptedSource.heart(72)),
            Sittings.companion("P03", name: "C", heart: ScriptedSource.heart(84)),
        ]
    }

    @Test func `each has a bundle that verifies, with the same moments and a heart of their own`()
        async throws
    {
        let sittings = Sittings(Self.study, in: folder)
        let (sealed, first) = try await sittings.run(
            sources: ["heartRate": ScriptedSource.heart(60)], others: Self.others())
        #expect(sealed.reason == .completed && sealed.problem == nil)
        #expect(sealed.companions.map(\.reason) == [.completed, .completed])
        let bundles = [first, try sittings.bundle("B"), try sittings.bundle("C")]
        for (place, bundle) in bundles.enumerated() {
            #expect(try Verification.problems(at: bundle.path) == [])
            let run = bundle.manifest.run
            #expect(run.participant == "P0\(place + 1)")
            #expect(
                run.gathering == Gathering("00000000-0000-8000-8000-00000000000F", place: place + 1, of: 3))
            #expect(run.isCompanion == (place > 0))
            #expect(bundle.visits.map(\.identifier) == first.visits.map(\.identifier))
            #expect(bundle.visits.map(\.start) == first.visits.map(\.start))
            #expect(bundle.visits.map(\.end) == first.visits.map(\.end))
            #expect(bundle.visits[1].clip?.onset == first.visits[1].clip?.onset)
            #expect(bundle.manifest.wallClock == first.manifest.wallClock)
            for step in bundle.visits[0...1] {
                let heart = try #require(step.recordings.first { $0.recorder == "heartRate" })
                let rates = try bundle.heartRates(in: heart).map(\.value)
                #expect(rates == Array(repeating: 60.0 + 12 * Double(place), count: rates.count))
                #expect(rates.count >= 8)
            }
        }
    }

    @Test func `only the first is asked and rates`() async throws {
        let sittings = Sittings(Self.study, in: folder)
        let (_, first) = try await sittings.run(
            sources: ["heartRate": ScriptedSource.heart(60)], others: Self.others())
        let recorders = { (bundle: ResultBundle) in
            Set(bundle.visits.flatMap(\.recordings).map(\.recorder))
        }
        #expect(recorders(first) == ["heartRate", "whole", "position", "tension"])
        #expect(first.visits.flatMap(\.answers).count == 1)
        for name in ["B", "C"] as [Character] {
            let other = try sittings.bundle(name)
            #expect(recorders(other) == ["heartRate", "whole"])
            #expect(other.visits.flatMap(\.answers).isEmpty)
            for file in other.manifest.files where file.path.text.hasSuffix("result.json") {
                let text = String(decoding: try other.contents(of: file.path), as: UTF8.self)
                #expect(!text.contains("booleanAnswer"), "\(file.path)")
            }
        }
    }

    @Test func `all wait for the heart that a recorder requires of each`() async throws {
        let sittings = Sittings(Self.study, in: folder)
        let late = Sittings.companion("P02", name: "B", heart: ScriptedSource.heart(72, from: 30))
        let (sealed, first) = try await sittings.run(
            sources: ["heartRate": ScriptedSource.heart(60)], others: [late])
        #expect(sealed.reason == .completed)
        // Its own heart was there at once, but the step began with that of the other.
        let rest = try #require(first.visits.first)
        #expect(rest.end == 40)
        let (heart, other) = (try #require(rest.recordings.first), try sittings.bundle("B"))
        #expect(heart.start == 30)
        #expect(try Verification.problems(at: other.path) == [])
        #expect(try Verification.problems(at: first.path) == [])
    }

    @Test func `nobody begins without the heart of one, and who it is stands in both bundles`() async throws {
        let sittings = Sittings(Self.study, in: folder)
        let away = ScriptedSource(script: [(at: .seconds(1), report: .lost("the strap is out of reach"))])
        let (sealed, first) = try await sittings.run(
            sources: ["heartRate": ScriptedSource.heart(60)],
            others: [Sittings.companion("P02", name: "B", heart: away)])
        #expect(sealed.reason == .failed && sealed.companions.map(\.reason) == [.failed])
        for bundle in [first, try sittings.bundle("B")] {
            #expect(try Verification.problems(at: bundle.path) == [])
            let journal = String(decoding: try bundle.contents(of: "journal.jsonl"), as: UTF8.self)
            #expect(journal.contains("P02: the strap is out of reach"))
        }
    }

    @Test func `a heart that is lost in mid step is a gap in one bundle only`() async throws {
        let sittings = Sittings(Self.study, in: folder)
        var script = [(at: RunInstant.start, report: SourceReport.live)]
        script += ScriptedSource.steady([72, 72, 72])
        script += [(.seconds(3), .lost("the strap is out of reach"))]
        let (sealed, first) = try await sittings.run(
            sources: ["heartRate": ScriptedSource.heart(60)],
            others: [Sittings.companion("P02", name: "B", heart: ScriptedSource(script: script))])
        #expect(sealed.reason == .completed)
        let other = try sittings.bundle("B")
        let (whole, broken) = (first.visits[0].recordings[0], other.visits[0].recordings[0])
        #expect(whole.gaps.isEmpty && whole.sampleCount == 10)
        #expect(broken.gaps.map(\.reason) == ["lost"] && broken.sampleCount == 3)
        #expect(try Verification.problems(at: other.path) == [])
    }

    @Test func `a bundle of the run is recovered by itself, wherever its journal breaks off`() async throws {
        let sittings = Sittings(Self.study, in: folder)
        _ = try await sittings.run(sources: ["heartRate": ScriptedSource.heart(60)], others: Self.others())
        for name in ["A", "C"] as [Character] {
            let bundle = try sittings.bundle(name)
            let lines = try bundle.contents(of: "journal.jsonl").split(separator: UInt8(ascii: "\n"))
            let folderName = try #require(bundle.path.split(separator: "/").last.map(String.init))
            for count in 1...lines.count {
                let output = TemporaryFolder()
                let kept = lines[..<count].flatMap { $0 + [UInt8(ascii: "\n")] }
                try Sittings.copy(bundle, to: folderName + ".running", in: output.path, journal: kept)
                _ = try Recovery.all(in: output.path)
                let path = "\(output.path)/\(folderName)"
                #expect(try Verification.problems(at: path) == [], "\(name) after \(count) lines")
                #expect(try ResultBundle(at: path).manifest.run.gathering?.size == 3)
            }
        }
    }
}
