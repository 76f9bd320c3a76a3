import StudyFile
import StudyModel
import StudyTesting
import Testing

/// What a `#` behind a space takes away from a text.
@Suite struct LostTextTests {
    @Test(arguments: [
        "title: Rest 1️⃣#1", "title: Rest  1️⃣#1 of 2", "text: Ménage à 1️⃣#trois   ", "detail: {en: A 1️⃣#b\n    }",
        "title:\n    en: Tea for 1️⃣#2\n    fr: Thé", "title: 日本 1️⃣#日",
        "title: Rest\n    and more 1️⃣#1",
    ])
    func `warns where the end of a text is taken for a comment`(lines: String) {
        expectDiagnostics(
            study("- type: instruction\n  identifier: a\n  \(lines)"), ["1️⃣": "lost-text"], library: .sample)
    }

    @Test(arguments: [
        "title: Rest # 1", "title: Rest #", "title: Rest ##1", "title: Rest#1", "title: \"Rest\" #1",
        "title: 'Rest #1'", "title: Rest # see #1", "title: Rest #----", "title: |  #1\n    Rest #1",
        "optional: true #yes", "comment: see #12", "# #1\n  title: Rest", "title: Rest\n  #1\n  text: more",
    ])
    func `never takes an ordinary comment for text`(lines: String) {
        expectDiagnostics(
            study("- type: instruction\n  identifier: a\n  \(lines)"), [:], library: .sample)
    }

    @Test func `only texts that people read lose anything`() {
        expectDiagnostics(
            """
            entrain: 1 #the version
            study: #what it is
              identifier: s #short
              title: T
            tasks:
              - identifier: Task #one
                steps:
                  - type: active #timed
                    identifier: rest #first
                    duration: 30 s #half a minute
                  - {type: completion, identifier: end}
            """, [:], library: .sample)
    }

    @Test func `choices and the words of an answer are texts too`() {
        expectDiagnostics(
            study(
                """
                - type: question
                  identifier: q
                  answer:
                    choice:
                      - Song 1️⃣#1
                      - value: b
                        text: Song 2️⃣#2
                - type: question
                  identifier: r
                  answer:
                    scale:
                      from: 1
                      to: 2
                      fromLabel: Hit 3️⃣#1
                """), ["1️⃣": "lost-text", "2️⃣": "lost-text", "3️⃣": "lost-text"], library: .sample)
    }

    @Test func `it is a warning, and the study is the one that YAML reads`() throws {
        let parsed = parse(study("- type: instruction\n  identifier: a\n  title: Rest #1"))
        #expect(parsed.diagnostics.map(\.severity) == [.warning])
        #expect(try #require(parsed.study).tasks[0].steps[0].title == .plain("Rest"))
    }

    @Test func `a text that begins with it is missing, and the help says why`() {
        let found = parse(study("- type: instruction\n  identifier: a\n  title: #1 hit")).diagnostics
        #expect(found.map(\.code) == [.missingValue])
        #expect(found.first?.help == "put quotes around a text that begins with '#'")
    }

    @Test func `a bracket that it leaves open is explained`() {
        let found = parse(study("- {type: instruction, identifier: a, title: Rest #1, text: x}")).diagnostics
        #expect(found.map(\.code) == [.unclosedBracket])
        #expect(found.first?.help?.hasSuffix("put quotes around a text that has it") == true)
    }
}
