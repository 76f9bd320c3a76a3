import StudyTesting
import Testing

@testable import StudyFile

/// What counts as a change of a study, and what does not.
@Suite struct StudyMeaningTests {
    private static let text = """
        entrain: 1
        study: {identifier: rest, title: Rest, seed: 7}
        tasks:
          - identifier: Rest
            steps:
              - type: active
                identifier: sit
                duration: 30 s
              - {type: completion, identifier: end, title: "Thank you"}
        """

    private func meaning(_ text: String, _ files: [String: String] = [:]) -> StudyMeaning {
        StudyMeaning(of: text, files: files)
    }

    @Test func `the lines are as the page says`() {
        let text = """
            # A comment.
            entrain: 1
            study: {identifier: rest, title: "Rest: at 5 s", seed: "7", registration: there}
            empty: []
            a b/c: {on: true, "~": null, x: "two\\nlines"}
            """
        let lines = meaning(
            text,
            ["b.csv": "x\n1\n", "a.yaml": "clips: [a] # no\n"]
        ).lines
        #expect(
            lines == [
                " {4}", "/entrain = 1", "/study {3}", #"/study/identifier = "rest""#,
                #"/study/title = "Rest: at 5 s""#, #"/study/seed = "7""#, "/empty [0]",
                #"/"a b~1c" {3}"#, #"/"a b~1c"/on = true"#, #"/"a b~1c"/~0 = null"#,
                #"/"a b~1c"/x = "two\nlines""#,
                #""a.yaml" {1}"#, #""a.yaml"/clips [1]"#, #""a.yaml"/clips/0 = "a""#,
                #""b.csv" = "x\n1\n""#,
            ])
    }

    @Test(arguments: [
        "# Piloted in May.\n" + text,
        text.replacing("duration: 30 s", with: "'duration':   \"30 s\" # half a minute"),
        text.replacing(
            "{identifier: rest, title: Rest, seed: 7}",
            with: "\n  identifier: rest\n  title: 'Rest'\n\n  seed: 7"),
        text.replacing("identifier: sit", with: "comment: Piloted in May.\n        identifier: sit"),
        text.replacing("seed: 7", with: "seed: 7, registration: elsewhere"),
        text.replacing("title: Rest,", with: "title: &t Rest,"),
        text + "\n\n",
    ])
    func `another way of writing is no change`(other: String) {
        #expect(meaning(other) == meaning(Self.text))
        #expect(meaning(other).differences(from: meaning(Self.text)).isEmpty)
    }

    @Test(arguments: [
        ("30 s", "31 s", "tasks.Rest.steps.sit.duration is 31 s, was 30 s"),
        ("seed: 7", "seed: '7'", "the order of keys or items, at /study/seed = \"7\""),
        ("seed: 7", "revision: 2, seed: 7", "study.revision is new: 2"),
        (", seed: 7", "", "study.seed is gone; it was 7"),
        ("title: Rest, seed: 7", "seed: 7, title: Rest", "the order of keys or items, at /study/seed = 7"),
        ("Thank you", "Thank  you", "tasks.Rest.steps.end.title is Thank  you, was Thank you"),
        ("identifier: Rest", "identifier: Rest \n    comment: [a]", "tasks.Rest.comment.1 is new: a"),
    ])
    func `anything else is a change, and it is told`(old: String, new: String, words: String) {
        let changed = meaning(Self.text.replacing(old, with: new, maxReplacements: 1))
        #expect(changed != meaning(Self.text))
        let told = changed.differences(from: meaning(Self.text)).map(\.description)
        #expect(told.contains(words), "\(told)")
    }

    @Test func `a comment that the study reads as a value is one`() {
        let text = "conditions: {rows: {rows: [{identifier: a, comment: loud}]}}"
        #expect(meaning(text) != meaning(text.replacing("loud", with: "soft")))
    }

    @Test func `other files count: YAML by what it says, all else byte for byte`() {
        let files = ["clips.yaml": "clips: []", "rows.csv": "identifier\na\n"]
        let own = meaning(Self.text, files)
        #expect(own == meaning(Self.text, files.merging(["clips.yaml": "clips: [ ] # none"]) { $1 }))
        for (name, other) in [("clips.yaml", "clips: [a]"), ("rows.csv", "identifier\n\"a\"\n")] {
            let changed = meaning(Self.text, files.merging([name: other]) { $1 })
            #expect(changed != own)
            #expect(changed.differences(from: own).first?.place.hasPrefix(name) == true)
        }
        #expect(meaning(Self.text, ["clips.yaml": "clips: []"]) != own)
    }

    /// Two steps with one name are told by one name: neither hides the other.
    @Test func `values under one name do not hide each other`() {
        let text = "tasks: [{identifier: a, x: 1}, {identifier: a, x: 2}]"
        for (old, new) in [("x: 1", "x: 3"), ("x: 2", "x: 3")] {
            let changed = meaning(text.replacing(old, with: new))
            #expect(!changed.differences(from: meaning(text)).isEmpty)
        }
    }

    /// Whether a line is part of a text after `|` or `>`, where nothing is a comment.
    private static func isInText(_ lines: [String], _ index: Int) -> Bool {
        func indent(_ line: String) -> Int { line.prefix { $0 == " " }.count }
        let above = lines[..<index].last {
            !$0.allSatisfy(\.isWhitespace) && indent($0) < indent(lines[index])
        }
        return above.map { $0.hasSuffix("|") || $0.hasSuffix(">") || $0.hasSuffix("-") } ?? false
    }

    /// Each line of each study that comes with the program, edited as authors edit: a value, a key, a line.
    @Test(arguments: [
        "music-heart-rate", "fitness-check", "music-crossover", "mood-playlist", "expected-workout",
        "microphone",
        "camera-pulse", "protocols/graded-exercise", "protocols/mental-arithmetic",
        "protocols/williams-crossover",
        "protocols/forty-clips", "protocols/felt-tension", "protocols/bilingual-screening",
    ])
    func `every edit of a study is seen, and no comment is`(name: String) throws {
        let root = #filePath.dropLast("Tests/StudyFileTests/StudyMeaningTests.swift".count)
        let text = String(decoding: try #require(readFile("\(root)Studies/\(name).yaml")), as: UTF8.self)
        let own = meaning(text)
        var random = SeededRandom(seed: 20)
        var lines = text.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
        for _ in 0..<60 {
            let index = Int.random(in: 0..<lines.count, using: &random)
            let line = lines[index]
            defer { lines[index] = line }
            let code = line.prefix { $0 != "#" }
            guard let colon = code.firstRange(of: ": "), !Self.isInText(lines, index), !line.contains("|"),
                !line.contains(">"), !line.contains("\""),
                !line.contains("comment")
            else { continue }
            let after = code[colon.upperBound...]
            guard let place = after.firstIndex(where: { $0.isLetter || $0.isNumber }), !after.contains("*"),
                !after.contains("&")
            else { continue }
            lines[index] = String(line[..<place]) + "9" + line[place...]
            let changed = meaning(lines.joined(separator: "\n"))
            #expect(changed != own && !changed.differences(from: own).isEmpty, "\(lines[index])")
            lines[index] = code.contains("'") ? line : line + " # said on Monday"
            #expect(meaning(lines.joined(separator: "\n")) == own, "\(lines[index])")
        }
    }
}
