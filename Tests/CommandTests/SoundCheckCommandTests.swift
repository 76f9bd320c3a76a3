import StudyTesting
import Testing
import TextFormat

/// A person who sets the volume, and a sound that follows.
@Suite struct SoundCheckCommandTests {
    private let program = Program()

    private static let study = """
        entrain: 1
        study: {identifier: loud, title: Loud, seed: 4}
        stimuli: {clips: {catalogue: clips.yaml}}
        tasks:
          - identifier: task
            steps:
              - {type: soundCheck, identifier: level, volume: {from: -40 dB, to: 0 dB, start: -20 dB}}
              - {type: active, identifier: music, duration: 2 s, stimulus: {play: beat, loop: true}}
              - {type: completion, identifier: thanks, title: Thanks}
        """
    private static let catalogue = """
        entrain: 1
        clips: [{identifier: beat, clicks: 20 s, beats: {tempo: 120 bpm}}]
        """

    private func results(of folder: String) throws -> [JSON] {
        let lines = program.lines(of: "cat \(folder)/*/result.json")
        return try #require(try JSON(parsing: Array(lines.joined(separator: "\n").utf8))["results"]?.list)
    }

    @Test(arguments: ["-30\n-8\n\n\n", "-8\n\n\n", "louder\n-8\n\n\n"])
    func `in plain mode each number is heard, and Return alone keeps the last one`(typed: String) throws {
        _ = program.write(Self.study, "study.yaml")
        _ = program.write(Self.catalogue, "clips.yaml")
        _ = program.write(typed, "keys")
        let outcome = program.run(
            "run study.yaml --participant P01 --plain --audio file:out.wav --out out", input: "keys")
        #expect(outcome.code == 0, "\(outcome.output)\(outcome.errors)")
        #expect(outcome.output.contains("Please set the volume") && outcome.output.contains("from the left"))
        #expect(outcome.output.contains("You hear each level that you choose."))
        let steps = try results(of: "out")
        let level = try #require(steps.first?["results"]?.list?.first)
        #expect(level["scaleAnswer"]?.number == -8 && level["userInfo"]?["confirmedOffset"] != nil)
        #expect(steps.first?["userInfo"]?["stimulus"]?["identifier"]?.text == "sides")
        let music = try #require(steps.first { $0["identifier"]?.text == "music" }?["userInfo"]?["stimulus"])
        #expect(music["gain"]?.number == -8)
        #expect(program.run("verify out/*").code == 0)
    }
}
