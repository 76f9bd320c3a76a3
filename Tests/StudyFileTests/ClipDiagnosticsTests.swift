import StudyFile
import StudyTesting
import Testing

/// What the sound of clips tells about a study.
@Suite struct ClipDiagnosticsTests {
    static let found: Set<DiagnosticCode> = [.clipLoudness, .clipShort, .clipDistorted, .clipChanged]

    /// The sample's clips: the dark ones are louder.
    private static func figures(_ sum: String = "") -> [String: ClipFigures] {
        let names = ["chill_1", "chill_2", "dark_1", "dark_2", "happy_1", "light_1"]
        return Dictionary(
            uniqueKeysWithValues: names.map { name in
                (
                    name + ".wav",
                    ClipFigures(
                        length: .seconds(30), loudness: name.hasPrefix("dark") ? -15 : -18, peak: -3,
                        sha256: sum)
                )
            })
    }

    @Test(arguments: found.filter { $0.markedExample != nil })
    func `an example is found at its mark by its sound alone`(code: DiagnosticCode) throws {
        let marked = MarkedText(try #require(code.markedExample))
        let parsed = parse(marked.text)
        #expect(parsed.study != nil && parsed.diagnostics.isEmpty)
        let heard = parsed.clipUses.diagnostics(Self.figures())
        #expect(heard.map(\.code) == [code])
        #expect(heard.map(\.range.start) == [marked.places["1️⃣"]])
        #expect(heard.allSatisfy { $0.severity == .warning && $0.help != nil })
    }

    @Test(arguments: found)
    func `a remedy sounds right`(code: DiagnosticCode) {
        #expect(parse(code.remedy).clipUses.diagnostics(Self.figures()).isEmpty)
    }

    private static func catalogue(_ sum: String) -> ParsedCatalogue {
        let text = """
            entrain: 1
            clips:
              - {identifier: lake, file: lake.wav, sha256: \(sum)}
            """
        return ParsedCatalogue(Array(text.utf8), named: "clips.yaml", library: .sample)
    }

    @Test func `another file than the catalogue's is told where the sum stands`() {
        let (right, wrong) = (String(repeating: "a", count: 64), String(repeating: "b", count: 64))
        let figures = ClipFigures(length: .seconds(30), loudness: -18, peak: -3, sha256: right)
        #expect(Self.catalogue(right).uses.diagnostics(["lake.wav": figures]).isEmpty)
        let found = Self.catalogue(wrong).uses.diagnostics(["lake.wav": figures])
        #expect(found.map(\.code) == [.clipChanged])
        #expect(found.first?.range.start == SourcePlace(line: 3, column: 48))
    }

    @Test(arguments: [(-18.0, -17.01, 0), (-18, -16.9, 1), (-18, nil, 0)] as [(Double, Double?, Int)])
    func `clips may differ by one unit`(first: Double, second: Double?, count: Int) {
        let pool = "{catalogue: clips.yaml, pool: [chill_1, chill_2]}"
        let parsed = parse(
            study(
                "- {type: active, identifier: a, duration: 30 s, stimulus: {from: clips, draw: random}}",
                head: "stimuli: {clips: \(pool)}\n"))
        var figures = Self.figures()
        figures["chill_1.wav"]?.loudness = first
        figures["chill_2.wav"]?.loudness = second
        #expect(parsed.clipUses.diagnostics(figures).count == count)
    }

    @Test func `a step that brings clips to one loudness is told what they cannot reach`() {
        let text = study(
            "- {type: active, identifier: a, duration: 30 s, stimulus: {from: clips, draw: random, loudness: -14 LUFS}}",
            head: "stimuli: {clips: {catalogue: clips.yaml, pool: [chill_1, chill_2]}}\n")
        var figures = Self.figures()
        figures["chill_1.wav"]?.loudness = -20
        figures["chill_1.wav"]?.peak = -7.5
        figures["chill_2.wav"]?.loudness = -26
        figures["chill_2.wav"]?.peak = -10
        let found = parse(text).clipUses.diagnostics(figures)
        #expect(found.map(\.code) == [.clipLoudness])
        #expect(
            found.first?.message
                == "'chill_2' stays 3.0 dB softer than this: louder, its peaks would be clipped")
        #expect(found.first?.help == "write a loudness of at most -17.1 LUFS, which every clip reaches")
        #expect(
            parse(text.replacing("-14 LUFS", with: "-17.1 LUFS")).clipUses.diagnostics(figures).isEmpty)
    }

    @Test func `peaks above full scale are told at the file`() {
        var figures = ClipFigures(length: .seconds(1), loudness: -9, peak: 0.4, sha256: "")
        let sum = String(repeating: "a", count: 64)
        figures.sha256 = sum
        let found = Self.catalogue(sum).uses.diagnostics(["lake.wav": figures])
        #expect(found.map(\.code) == [.clipDistorted])
        #expect(found.first?.help == "lower its level by 1.4 dB")
    }

    private static let trial = study(
        "- {type: active, identifier: a, duration: 6 s, stimulus: {from: clips, draw: random}}",
        head: "stimuli: {clips: {catalogue: clips.yaml, pool: [chill_1, chill_2]}}\n")

    @Test(
        arguments: [
            ([0.1, 0.2], nil), ([2.9, 6], nil), ([3, 6], "'chill_1' lasts 3.0 s, and it plays for 6.0 s"),
            ([0.1, 5.9], "'chill_2' lasts 5.9 s, and it plays for 6.0 s"),
        ] as [([Double], String?)])
    func `a tone in a long trial is no clip that ends too early`(lengths: [Double], message: String?) {
        var figures = Self.figures()
        for (place, length) in lengths.enumerated() {
            figures["chill_\(place + 1).wav"]?.length = .milliseconds(Int(length * 1000))
            figures["chill_\(place + 1).wav"]?.sha256 = "\(place)"
        }
        let found = parse(Self.trial).clipUses.diagnostics(figures).filter { $0.code == .clipShort }
        #expect(found.map(\.message) == [message].compactMap(\.self))
    }

    @Test func `music that ends long before its step is told`() {
        let text = Self.trial.replacing("6 s", with: "600 s")
        let found = parse(text).clipUses.diagnostics(Self.figures())
        #expect(found.map(\.code) == [.clipShort])
    }

    @Test func `one sound under two names, and a file without sound, are told`() {
        var figures = Self.figures()
        for name in ["chill_1.wav", "chill_2.wav"] { figures[name]?.sha256 = "a" }
        figures["chill_1.wav"]?.peak = -200
        let found = parse(Self.trial).clipUses.diagnostics(figures)
        #expect(found.map(\.code) == [.clipSilent, .clipTwice])
        #expect(found.last?.message == "'chill_2' has the same sound as 'chill_1'")
        #expect(found.first?.help?.contains("'silence: 30.0 s'") == true)
    }

    @Test func `silence before the music, a dead channel and a whisper that is raised are told`() {
        let text = Self.trial.replacing("draw: random", with: "draw: random, loudness: -23 LUFS")
        var figures = Self.figures()
        for (place, name) in ["chill_1.wav", "chill_2.wav"].enumerated() {
            figures[name]?.sha256 = "\(place)"
        }
        #expect(parse(text).clipUses.diagnostics(figures).isEmpty)
        figures["chill_1.wav"]?.leadIn = .seconds(6)
        figures["chill_2.wav"]?.hasDeadChannel = true
        figures["chill_2.wav"]?.loudness = -63
        figures["chill_2.wav"]?.peak = -45
        let found = parse(text).clipUses.diagnostics(figures)
        #expect(
            found.map(\.message) == [
                "'chill_1' begins with 6.0 s of digital silence",
                "'chill_2' has one channel without any sound",
                "'chill_2' is raised by 40.0 dB, and so is the noise of its recording",
            ])
    }

    @Test func `two clips of one file, and beats that contradict tempo or length, are told in the catalogue`()
    {
        let text = """
            entrain: 1
            clips:
              - {identifier: a, file: lake.wav, tempo: 60, beats: {tempo: 100 bpm}}
              - {identifier: b, file: ./lake.wav, duration: 8 s, beats: [1, 9]}
              - {identifier: c, file: pond.wav, tempo: 60, beats: {tempo: 120 bpm}}
            """
        let found = ParsedCatalogue(Array(text.utf8), named: "clips.yaml", library: .sample).diagnostics
        #expect(
            found.map(\.message) == [
                "the beats of 'a' have a tempo of 100, not 60",
                "the last beat is at 9 s, after the clip's end at 8 s", "'b' has the same file as 'a'",
            ])
    }
}
