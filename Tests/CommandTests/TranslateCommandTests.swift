import StudyTesting
import Testing

/// A study goes to an Italian translator and comes back.
@Suite struct TranslateCommandTests {
    let program = Program()

    private static let study = """
        entrain: 1
        # A pilot.
        study: {identifier: calm, title: Calm, seed: 1}
        tasks:
          - identifier: day
            steps:
              - {type: question, identifier: age, title: "How old are you?", answer: {number: {}}}
              - {type: instruction, identifier: told, title: "You are {answer.age}."}   # said again
              - {type: completion, identifier: done, title: Thank you}
        """

    private static let italian = [
        "How old are you?": "Quanti anni hai?", "You are {answer.age}.": "Hai {answer.age} anni.",
        "Thank you": "Grazie", "Calm": "Calma",
    ]

    /// Extracts the study, and fills the file as a translator does.
    private func translated(_ words: [String: String] = italian, _ change: (String) -> String = { $0 }) {
        _ = program.write(Self.study, "study.yaml")
        let extracted = program.run("translate extract study.yaml --language it --from en --out empty.po")
        #expect(extracted.code == 0, "\(extracted.errors)")
        var text = Program.text(of: program.folder.path + "/empty.po")
        for (english, own) in words {
            text = text.replacing(
                "msgid \"\(english)\"\nmsgstr \"\"", with: "msgid \"\(english)\"\nmsgstr \"\(own)\"")
        }
        _ = program.write(change(text), "it.po")
    }

    private func merge(_ options: String = "") -> Program.Outcome {
        program.run("translate merge study.yaml it.po --out new.yaml \(options)")
    }

    @Test func `participants read the translation`() {
        translated()
        let merged = merge()
        #expect(merged.code == 0, "\(merged.errors)")
        #expect(merged.output == "new.yaml: 4 texts in it\n")
        #expect(program.run("check new.yaml").output == "new.yaml: nothing wrong (1 task, 3 steps)\n")
        let text = Program.text(of: program.folder.path + "/new.yaml")
        #expect(
            text.contains("# A pilot.") && text.contains(#"title: {en: "Calm", it: "Calma"}"#)
                || text.contains(#"title: {en: Calm, it: "Calma"}"#))
        #expect(text.contains("# said again"))
        let rehearsed = program.run("rehearse new.yaml --participant P01 --language it")
        #expect(rehearsed.output.contains("Quanti anni hai?") && rehearsed.output.contains("Grazie"))
        let run = program.run("run new.yaml --participant P01 --auto --speed max --language it --out results")
        #expect(run.code == 0, "\(run.errors)")
        #expect(program.run("verify results/*/").code == 0)
    }

    private static let hasGettext = Program().run("--version", of: "msgfmt").code == 0

    @Test(.enabled(if: hasGettext, "GNU gettext is not on this machine"))
    func `gettext accepts the file`() {
        translated()
        let checked = program.run("--check -o /dev/null it.po", of: "msgfmt")
        #expect(checked.code == 0 && checked.errors.isEmpty, "\(checked.errors)")
    }

    @Test func `a text for trying layouts is shown, replayed and verified`() {
        _ = program.write(Self.study, "study.yaml")
        let rehearsed = program.run("rehearse study.yaml --participant P01 --language qps-ploc")
        #expect(rehearsed.code == 0 && rehearsed.output.contains("[Ţĥ"), "\(rehearsed.output)")
        let run = program.run(
            "run study.yaml --participant P01 --auto --speed max --language qps-ploc --out results")
        #expect(run.code == 0, "\(run.errors)")
        let verified = program.run("verify results/*/")
        #expect(verified.code == 0, "\(verified.output)\(verified.errors)")
    }

    @Test func `an incomplete file is refused, unless it is said to be`() {
        translated(["Thank you": "Grazie"])
        let refused = merge()
        #expect(refused.code == 65)
        #expect(
            refused.errors.contains(
                "3 texts would have no translation: study.title, tasks.day.steps.age.title, tasks.day.steps.told.title"
            ))
        #expect(program.lines(of: "ls new.yaml 2>&1 | grep -c 'No such'") == ["1"])
        #expect(merge("--partial").code == 0)
        #expect(program.run("check new.yaml").code == 0)
    }

    @Test(arguments: [
        (
            "Hai {answer.age}", "Hai",
            "the translation lacks {answer.age} ('You are {answer.age}.' at tasks.day.steps.told.title)"
        ),
        (
            "Hai {answer.age}", "Hai {answer.age} {answer.sex}",
            "the translation has {answer.sex}, which the text has not"
        ),
        ("Grazie\"", "Grazie", "the closing quote is missing in this line"),
        ("charset=UTF-8", "charset=UTF-16", "charset=utf-16: save the file as UTF-8"),
        ("Language: it\\n", "Language: Italian\\n", "the header names no language"),
        ("Language: it\\n", "Language: en\\n", "the language is that of the study"),
    ])
    func `what cannot be used is refused, and nothing is written`(old: String, new: String, words: String) {
        translated { $0.replacing(old, with: new) }
        let refused = merge()
        #expect(refused.code == 65 && refused.errors.contains(words), "\(refused.errors)")
        #expect(refused.errors.contains("it.po"))
        #expect(program.lines(of: "ls new.yaml 2>&1 | grep -c 'No such'") == ["1"])
    }

    @Test func `what changed since is marked, and not taken`() {
        translated()
        _ = program.write(Self.study.replacing("Thank you", with: "Thank you!"), "study.yaml")
        let old = merge("--partial")
        #expect(
            old.code == 0
                && old.errors.contains(
                    "the text has changed since: 'Thank you' at tasks.day.steps.done.title")
        )
        let again = program.run("translate extract study.yaml --language it --update it.po --out later.po")
        #expect(again.output == "later.po: 4 texts, 3 translated, 1 to look at again, 0 obsolete\n")
        let text = Program.text(of: program.folder.path + "/later.po")
        #expect(
            text.contains(
                "#, fuzzy\n#| msgid \"Thank you\"\nmsgctxt \"tasks.day.steps.done.title\"\nmsgid \"Thank you!\""
            ))
        let merged = program.run("translate merge study.yaml later.po --out newer.yaml --partial")
        #expect(merged.errors.contains("marked as fuzzy, not taken: 'Thank you!'"))
    }

    @Test(arguments: [
        ("extract study.yaml --language it --out a.po", 64),
        ("extract study.yaml --language Italian --from en --out a.po", 64),
        ("extract study.yaml --language en --from en --out a.po", 64),
        ("extract study.yaml --language qps-ploc --from en --out a.po", 64),
        ("extract absent.yaml --language it --from en --out a.po", 69),
        ("extract study.yaml --language it --from en --update absent.po --out a.po", 69),
        ("extract study.yaml --language it --from en --out study.yaml", 74),
        ("merge study.yaml absent.po --out new.yaml", 69), ("merge study.yaml study.yaml --out new.yaml", 65),
        ("merge study.yaml study.yaml --out study.yaml", 74),
        ("extract broken.yaml --language it --from en --out a.po", 65),
    ])
    func `wrong use is refused`(arguments: String, code: Int32) {
        _ = program.write(Self.study, "study.yaml")
        _ = program.write("entrain: 1\n", "broken.yaml")
        let outcome = program.run("translate \(arguments)")
        #expect(outcome.code == code, "\(outcome.output)\(outcome.errors)")
        #expect(!outcome.errors.isEmpty)
    }
}
