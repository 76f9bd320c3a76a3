import StudyFile
import StudyTesting
import Testing

/// Parts of texts that participants would read as they are written.
@Suite struct RawTextTests {
    private static func found(_ text: String, _ keys: String = "") -> [Diagnostic] {
        let parsed = parse(study("- {type: instruction, identifier: a, title: \"\(text)\"\(keys)}"))
        return parsed.diagnostics + parsed.hints
    }

    @Test(arguments: [
        ("Hello ${name}!", "${name}"), ("Hello ${e://Field/name}", "${e://Field/name}"),
        ("<b>Welcome</b>", "<b>"), ("one<br/>two", "<br/>"), ("Dear [first_name]", "[first_name]"),
        ("one\\\\ntwo", "\\n"),
    ])
    func `what other programs fill in or lay out is told`(text: String, part: String) {
        let warnings = Self.found(text).filter { $0.code == .foreignMarkup }
        #expect(warnings.map(\.message) == ["participants read '\(part)' as it is written"])
        #expect(warnings.allSatisfy { $0.severity == .warning && $0.help != nil && $0.fix.isEmpty })
    }

    @Test(arguments: [
        "Press [space]", "Press [F] or [J]", "[1] and [2]", "1 < 2 and 3 > 2", "It costs $5 {or less}",
        "x <y",
        "[well, well]", "{answer.a}",
    ])
    func `what people write is left alone`(text: String) {
        #expect(Self.found(text).allSatisfy { $0.code != .foreignMarkup && $0.code != .unknownPlace })
    }

    @Test func `a quote at one end only is told, but for inches`() {
        for (text, count) in [("What is it?\\\"", 1), ("\\\"What is it?\\\"", 0), ("A door of 6\\\"", 0)] {
            #expect(Self.found(text).count { $0.code == .foreignMarkup } == count, "\(text)")
        }
    }

    @Test(arguments: [
        "{type: matrix, identifier: m, answer: {scale: {from: 1, to: 5}}, items: [{identifier: x, title: Calm}, {identifier: y, title: calm}]}",
        "{type: question, identifier: q, title: Q, answer: {boolean: {'yes': Better, 'no': Better}}}",
        "{type: question, identifier: q, title: Q, answer: {scale: {from: 1, to: 5, fromLabel: very, toLabel: very}}}",
        "{type: active, identifier: a, title: A, duration: 9 s, recorders: [{type: rating, identifier: r, scale: {from: 1, to: 5, fromLabel: very, toLabel: very}}]}",
        "{type: active, identifier: a, title: A, duration: 9 s, reaction: {keys: [{key: f, value: l, text: Left}, {key: j, value: r, text: Left}]}}",
    ])
    func `what participants cannot tell apart is told once, and what they can is not`(step: String) {
        let told = { (step: String) in parse(study("- \(step)")).doubts.count { $0.code == .sameText } }
        #expect(told(step) == 1)
        let different = step.replacing("title: calm", with: "title: tense").replacing(
            "'no': Better", with: "'no': Worse"
        )
        .replacing("toLabel: very", with: "toLabel: not").replacing("r, text: Left", with: "r, text: Right")
        #expect(different != step && told(different) == 0)
    }

    @Test(arguments: [
        ("{tepmo}", "did you mean '{tempo}'?"), ("{weather}", "write the name of a value of the round"),
    ])
    func `a name that no row has is told`(place: String, help: String) {
        let parsed = parse(
            study(
                "- {type: block, identifier: b, forEach: t, steps: [{type: instruction, identifier: i, title: \"{tempo} \(place)\"}]}",
                head: "conditions: {t: {rows: [{identifier: x, tempo: 60}, {identifier: y, tempo: 90}]}}\n"))
        #expect(parsed.diagnostics.isEmpty)
        #expect(parsed.hints.map(\.code) == [.unknownPlace])
        #expect(parsed.hints.first?.help?.hasPrefix(help) == true)
    }

    @Test func `a value of rounds in a step outside of them is told`() {
        let parsed = parse(
            study(
                "- {type: block, identifier: b, forEach: t, steps: [{type: instruction, identifier: i, title: \"{tempo}\"}]}\n- {type: instruction, identifier: j, title: \"{tempo}\"}",
                head: "conditions: {t: {rows: [{identifier: x, tempo: 60}, {identifier: y, tempo: 90}]}}\n"))
        #expect(parsed.hints.map { $0.help?.prefix(26) } == ["'tempo' is a value of roun"])
    }

    @Test func `a warning that is expected is answered, in its step alone`() {
        let text = study(
            """
            - {type: instruction, identifier: a, title: "[name]", expect: {foreign-markup: A rebus.}}
            - {type: instruction, identifier: b, title: "[name]"}
            """)
        let parsed = parse(text)
        #expect(parsed.diagnostics.count == 2 && parsed.study != nil)
        #expect(parsed.diagnostics.unanswered(by: parsed.expectations).count == 1)
        #expect(parsed.diagnostics.unmet(parsed.expectations).isEmpty)
        let whole = parse("expect: {foreign-markup: Both are rebuses.}\n" + text)
        #expect(whole.diagnostics.unanswered(by: whole.expectations).isEmpty)
    }

    @Test func `an expectation that nothing meets is told, and so is a code that does not exist`() {
        let parsed = parse("expect: {clip-short: Why not.}\n" + study("- {type: instruction, identifier: a}"))
        #expect(parsed.diagnostics.unmet(parsed.expectations).map(\.code) == [.unmetExpectation])
        let wrong = parse("expect: {clip-shrot: Why not.}\n" + study("- {type: instruction, identifier: a}"))
        #expect(wrong.diagnostics.map(\.help) == ["did you mean 'clip-short'?"])
    }

    @Test func `the same warning is said once, with its count and lines`() {
        let steps = (1...17).map { "- {type: instruction, identifier: a\($0), title: \"[name\($0)]\"}" }
        let said = parse(study(steps.joined(separator: "\n"))).diagnostics.rendered(isColoured: false)
        #expect(said.components(of: "warning[").count == 2)
        #expect(
            said.contains(
                "= more: 16 of the same kind, in lines 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19, …"))
        #expect(said.hasSuffix("17 warnings\n"))
    }
}

extension String {
    fileprivate func components(of separator: String) -> [Substring] {
        split(separator: separator, omittingEmptySubsequences: false)
    }
}
