import StudyTesting
import Testing
import TextFormat

/// Runs whose clips imitate those of another participant.
@Suite struct YokeCommandTests {
    private let program = Program()

    private static let catalogue = """
        entrain: 1
        clips: [{identifier: beat, clicks: 20 s, beats: {tempo: 72 bpm}}]
        """

    private static let study = """
        entrain: 1
        study: {identifier: yoked, title: Yoked, seed: 4}
        sources: {heartRate: {type: simulated, restingRate: 64}}
        stimuli: {clips: {catalogue: clips.yaml}}
        arms: [led, control]
        tasks:
          - identifier: task
            steps:
              - type: active
                identifier: led
                duration: 30 s
                skipIf: {arm: control}
                stimulus: {play: beat, loop: true, follow: {tempo: {of: heartRate}}}
              - type: active
                identifier: same
                duration: 30 s
                skipIf: {arm: led}
                stimulus: {play: beat, loop: true, follow: {yokedTo: led}}
              - {type: completion, identifier: thanks, title: Thanks}
        """

    private func run(_ arm: String, _ more: String) -> Program.Outcome {
        _ = program.write(Self.study, "study.yaml")
        _ = program.write(Self.catalogue, "clips.yaml")
        return program.run(
            "run study.yaml --auto --speed max --participant \(arm) --arm \(arm) --out \(arm) \(more)")
    }

    private func result(_ arm: String) throws -> JSON {
        try JSON(parsing: Array(program.lines(of: "cat \(arm)/*/result.json").joined(separator: "\n").utf8))
    }

    private func changes(_ arm: String) throws -> [(tempo: Double?, position: Double?)] {
        let steps = try #require(try result(arm)["results"]?.list)
        let clips = steps.compactMap { $0["userInfo"]?["stimulus"] }
        let clip = try #require(clips.first)
        return try #require(clip["changes"]?.list).map { ($0["tempo"]?.number, $0["position"]?.number) }
    }

    @Test func `the control hears what the other heard, sound and all, and the bundle names the other run`()
        throws
    {
        let led = run("led", "--yoked-to none --audio file:led.wav")
        #expect(led.code == 0, "\(led.errors)")
        let bundle = try #require(program.lines(of: "ls -d led/*").first)
        let control = run("control", "--yoked-to \(bundle) --audio file:control.wav")
        #expect(control.code == 0, "\(control.errors)")
        let (first, second) = (try changes("led"), try changes("control"))
        #expect(first.count > 3 && first.map(\.tempo) == second.map(\.tempo))
        #expect(first.map(\.position) == second.map(\.position))
        let uuid = String(bundle.dropFirst("led/".count))
        #expect(try result("control")["userInfo"]?["yokedTo"]?.text == uuid)
        #expect(program.run("show control/*").output.contains("clips yoked to the run \(uuid)"))
        #expect(program.run("verify led/* control/*").code == 0)
        #expect(
            program.lines(of: "cmp -i 128 -n 11000000 led.wav control.wav && echo same") == ["same"],
            "the same map gives the same sound, to the bit")
    }

    @Test func `a run that is not told to whom it is yoked does not begin`() throws {
        let silent = run("control", "")
        #expect(silent.code == 64 && silent.errors.contains("--yoked-to"), "\(silent.errors)")
        #expect(run("control", "--yoked-to nowhere").code == 69)
        #expect(run("control", "--yoked-to none").code == 0)
        let bundle = try #require(program.lines(of: "ls -d control/*").first)
        let empty = run("led", "--yoked-to \(bundle)")
        #expect(empty.code == 65 && empty.errors.contains("nothing to imitate"), "\(empty.errors)")
    }

    @Test func `a rehearsed participant imitates the last one before who was led`() throws {
        // Whatever the resting rates of the simulated participants are, their clips can follow.
        let wide = Self.study.replacing("{of: heartRate}", with: "{of: heartRate, between: [-50 %, 50 %]}")
        _ = program.write(wide, "study.yaml")
        _ = program.write(Self.catalogue, "clips.yaml")
        let rehearsed = program.run("rehearse study.yaml --participants 4 --out rehearsed --format json")
        #expect(
            rehearsed.code == 0 && !rehearsed.errors.contains("keep their own tempo"), "\(rehearsed.errors)")
        let results = try program.lines(of: "ls -d rehearsed/*").map { bundle in
            let text = Program.text(of: "\(program.folder.path)/\(bundle)/result.json")
            return (bundle, try JSON(parsing: Array(text.utf8)))
        }
        // P01 and P03 are led, P02 and P04 yoked to the one before.
        for (yoked, led) in [("P02", "P01"), ("P04", "P03")] {
            let of = { (code: String) in results.first { $0.1["userInfo"]?["participant"]?.text == code } }
            let (first, second) = (try #require(of(led)), try #require(of(yoked)))
            #expect(first.1["userInfo"]?["yokedTo"] == nil)
            #expect(second.1["userInfo"]?["yokedTo"]?.text == String(first.0.dropFirst("rehearsed/".count)))
            let tempos = { (result: JSON) in
                (result["results"]?.list ?? []).compactMap { $0["userInfo"]?["stimulus"] }
                    .flatMap { $0["changes"]?.list ?? [] }.compactMap { $0["tempo"]?.number }
            }
            #expect(tempos(first.1).count > 3 && tempos(first.1) == tempos(second.1))
        }
        #expect(program.run("verify rehearsed/*").code == 0)
        let alone = program.run("rehearse study.yaml --arm control --participants 2 --out alone")
        #expect(
            alone.code == 0 && alone.errors.contains("yoked clips keep their own tempo"), "\(alone.errors)")
    }
}
