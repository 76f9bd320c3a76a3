import StudyFile
import StudyModel
import StudyTesting
import Testing

/// Tables of conditions, and their values in the steps of blocks.
@Suite struct ConditionTableTests {
    private static func text(_ table: String, _ steps: String, block: String = "forEach: tempi") -> String {
        """
        entrain: 1
        study: {identifier: s, title: T}
        stimuli: {clips: {catalogue: clips.yaml}}
        conditions:
          tempi: \(table)
        tasks:
          - identifier: Task
            steps:
              - type: block
                identifier: b
                \(block)
                steps:
                  \(steps.split(separator: "\n").joined(separator: "\n          "))
              - {type: completion, identifier: end}
        """
    }

    private static let rows = """

            rows:
              - {identifier: slow, tempo: 60, wait: 10 s, clip: chill_1, level: -3 dB}
              - {identifier: fast, tempo: 120, wait: 20 s, clip: dark_1, level: 0 dB}
        """

    private static func library(_ csv: String) -> Library {
        var library = Library.sample
        let other = library.text
        library.text = { $0 == "tempi.csv" ? .success(Array(csv.utf8)) : other($0) }
        return library
    }

    private func block(_ text: String, library: Library = .sample) throws -> Block {
        let parsed = ParsedStudy(Array(text.utf8), named: "study.yaml", library: library)
        #expect(parsed.diagnostics.isEmpty)
        let step = try #require(parsed.study?.tasks[0].steps[0])
        guard case .block(let block) = step.kind else { throw Fixture.Unreadable(path: text) }
        return block
    }

    @Test func `each round has the values of its condition`() throws {
        let steps = """
                - {type: instruction, identifier: tell, title: "Tap at {tempo} bpm", text: "{other} stays"}
                - type: active
                  identifier: tap
                  duration: $wait
                  stimulus: {play: $clip, gain: $level}
            """
        let block = try block(Self.text(Self.rows, steps))
        #expect(block.filled.map { $0[0].title } == [.plain("Tap at 60 bpm"), .plain("Tap at 120 bpm")])
        #expect(block.filled[1][0].text == .plain("{other} stays") && block.steps == block.filled[0])
        let timed = block.filled.map { steps -> ActiveStep? in
            if case .active(let active) = steps[1].kind { active } else { nil }
        }
        #expect(timed.map { $0?.duration } == [.seconds(10), .seconds(20)])
        #expect(timed.map { $0?.stimulus?.settings.gain } == [-3, 0])
        guard case .play(let clip)? = timed[1]?.stimulus?.choice else {
            throw Fixture.Unreadable(path: "play")
        }
        #expect(clip.identifier == "dark_1")
    }

    @Test func `recorders and the clip of a block have values of the round around them`() throws {
        let steps = """
                - type: active
                  identifier: breathe
                  duration: $wait
                  recorders: [{type: biofeedback, identifier: pacer, show: pacer, rate: $rate}]
                - type: block
                  identifier: trials
                  stimulus: {play: $clip, loop: true}
                  repeat: 2
                  steps: [{type: instruction, identifier: trial, title: Go}]
            """
        let rows = Self.rows.replacing("tempo: 60", with: "rate: 6 /min").replacing(
            "tempo: 120", with: "rate: 12 /min")
        let block = try block(Self.text(rows, steps))
        let inhalations = block.filled.map { steps -> Duration? in
            if case .pacer(let pacer) = steps[0].recorders[0].biofeedback { pacer.inhalation } else { nil }
        }
        #expect(inhalations == [.seconds(4), .seconds(2)])
        let clips = block.filled.map { steps -> Identifier? in
            if case .play(let clip) = steps[1].stimulus?.choice { clip.identifier } else { nil }
        }
        #expect(clips == ["chill_1", "dark_1"])
    }

    @Test func `nothing else is heard in a block with a clip, and its first step is always shown`() {
        let steps = """
                - type: block
                  identifier: trials
                  stimulus: {from: clips, draw: random}
                  repeat: 2
                  steps:
                    - {type: instruction, identifier: 1️⃣first, title: Go, skipIf: {run: round, is: eq, value: 2}}
                    - {type: active, identifier: 2️⃣hear, duration: 5 s, stimulus: {play: $clip}}
            """
        expectDiagnostics(
            Self.text(Self.rows, steps), ["1️⃣": "music-overlap", "2️⃣": "music-overlap"], library: .sample)
    }

    @Test func `a CSV file says the same`() throws {
        let csv = "\u{FEFF}identifier,wait,words\r\nslow,10 s,\"Calm, \"\"slowly\"\"\"\r\nfast,20 s,\r\n"
        let steps = """
                - {type: active, identifier: tap, duration: $wait, title: "{words}!"}
            """
        let block = try block(
            Self.text("{file: tempi.csv, columns: {wait: duration}}", steps), library: Self.library(csv))
        #expect(block.filled[0][0].title == .plain("Calm, \"slowly\"!"))
        #expect(block.filled[1][0].title == .plain("{words}!"))
    }

    @Test func `clips have values, too`() throws {
        let block = try block(
            Self.text(
                Self.rows, "- {type: instruction, identifier: tell, title: \"{title}: {mood} at $5\"}",
                block: "forEach: clips"))
        #expect(block.filled[0][0].title == .plain("Lake: chill at $5") && block.filled.count == 6)
    }

    @Test func `a mistake has the place of the value, in every row`() {
        let rows = """

                    rows:
                      - {identifier: slow, wait: 1️⃣10}
                      - {identifier: fast, wait: 20 s}
                      - {identifier: last, wait: 2️⃣-1 s}
            """
        expectDiagnostics(
            Self.text(rows, "- {type: active, identifier: tap, duration: $wait}"),
            ["1️⃣": "duration-format", "2️⃣": "out-of-range"], library: .sample)
    }

    @Test func `rows with the same value are read alike, and one in quotes is another value`() {
        let rows = """

                    rows:
                      - {identifier: a, low: 1}
                      - {identifier: b, low: 2}
                      - {identifier: c, low: 2}
                      - {identifier: d, low: 1️⃣"2"}
            """
        let step = "- {type: question, identifier: q, answer: {scale: {from: $low, to: 9}}}"
        expectDiagnostics(Self.text(rows, step), ["1️⃣": "wrong-type"], library: .sample)
    }

    @Test func `a mistake in a CSV file is shown there`() throws {
        let text = Self.text("{file: tempi.csv}", "- {type: active, identifier: tap, duration: $wait}")
        let parsed = ParsedStudy(
            Array(text.utf8), named: "study.yaml", library: Self.library("identifier,wait\na,1 s\nb,soon\n"))
        let found = try #require(parsed.diagnostics.first)
        #expect(found.code == .durationFormat && found.file == "tempi.csv" && parsed.diagnostics.count == 1)
        #expect(found.range.start == SourcePlace(line: 3, column: 3))
    }

    @Test(arguments: [
        ("identifier;wait\na;1 s\n", "missing-key"), ("wait\n1 s\n", "missing-key"),
        ("", "empty-file"), ("identifier,wait\na\n", "missing-value"),
        ("identifier,a b\na,1\n", "identifier-format"),
        ("identifier,wait,wait\na,1 s,2 s\n", "duplicate-key"),
        ("identifier,wait\nb,1 s\nb,1 s\n", "duplicate-identifier"),
        ("identifier,wait\n", "empty-list"), ("identifier,wait\na/b,1 s\n", "identifier-format"),
        ("identifier,wait\na,x\n", "duration-format"), ("identifier,wait\na,\nb,1 s\n", "missing-value"),
        ("identifier,tempo\na,1\n", "unknown-attribute"),
    ])
    func `says what is wrong with a CSV file`(csv: String, code: String) {
        let text = Self.text(
            "{file: tempi.csv, columns: {wait: duration}}", "- {type: instruction, identifier: a}")
        let found = ParsedStudy(Array(text.utf8), named: "study.yaml", library: Self.library(csv)).diagnostics
        #expect(found.map(\.code.rawValue) == [code])
        #expect(found.allSatisfy { $0.help?.isEmpty == false })
    }

    @Test func `names that nothing has are found`() {
        expectDiagnostics(
            Self.text(Self.rows, "- {type: active, identifier: tap, duration: 1️⃣$wiat}"),
            ["1️⃣": "unknown-attribute"], library: .sample)
        expectDiagnostics(
            Self.text(
                Self.rows, "- {type: instruction, identifier: a}",
                block: "forEach: tempi\n        order: {draw: shuffle, notFirst: [1️⃣slwo]}"),
            ["1️⃣": "unknown-clip"], library: .sample)
        expectDiagnostics(
            Self.text(Self.rows, "- {type: instruction, identifier: a}", block: "forEach: 1️⃣tempo"),
            ["1️⃣": "unknown-set"], library: .sample)
    }

    @Test func `ten thousand conditions are checked`() throws {
        let csv = "identifier,wait\n" + (0..<10_000).map { "c\($0),\(10 + $0) ms\n" }.joined()
        let block = try block(
            Self.text("{file: tempi.csv}", "- {type: active, identifier: tap, duration: $wait}"),
            library: Self.library(csv))
        #expect(block.filled.count == 10_000)
    }

    @Test func `silence is a clip of a catalogue`() throws {
        var library = Library.sample
        let catalogue = """
            entrain: 1
            clips:
              - {identifier: quiet, silence: 30 s, mood: none}
              - {identifier: song, file: song.wav}
            """
        library.text = { _ in .success(Array(catalogue.utf8)) }
        let parsed = ParsedStudy(
            Array(
                study(
                    "- {type: instruction, identifier: a}", head: "stimuli: {clips: {catalogue: clips.yaml}}"
                ).utf8),
            named: "study.yaml", library: library)
        let pool = try #require(parsed.study?.stimulusSets[0].pool)
        #expect(pool.map(\.isSilent) == [true, false] && pool[0].duration == .seconds(30))
        #expect(pool[0].attributes["mood"] == "none")
    }
}
