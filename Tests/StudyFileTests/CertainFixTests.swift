import StudyFile
import StudyTesting
import Testing

/// A fix is there only if the author can have meant nothing else; otherwise the words name what may have been meant.
@Suite struct CertainFixTests {
    private static func study(
        head: String = "", steps: String = "{type: instruction, identifier: read, title: Read}"
    ) -> String {
        """
        entrain: 1
        study: {identifier: s, title: S, seed: 1}
        \(head)
        tasks:
          - identifier: Task
            steps:
              - \(steps)
              - {type: completion, identifier: end, title: End}
        """
    }

    private static func sessions(_ second: String) -> String {
        study(head: "sessions: [{identifier: first}, {identifier: second, \(second)}]")
    }

    private static func asked(_ answer: String) -> String {
        study(steps: "{type: question, identifier: q, title: Q, answer: {\(answer)}}")
    }

    private static func timed(_ keys: String) -> String {
        study(steps: "{type: active, identifier: sit, title: Sit, \(keys)}")
    }

    @Test(arguments: [
        (sessions("between: [\"20:00\", \"16:00\"]"), "if one day is meant"),
        (sessions("after: {session: first, days: [8, 6]}"), "swap the two, or write others"),
        (
            sessions("after: {session: first, days: 3 weeks}"),
            "write 21 if the key counts days and weeks are meant, or 3"
        ),
        (asked("date: {min: 01/02/2010}"), "write \"2010-02-01\" or \"2010-01-02\", whichever is meant"),
        (asked("number: {min: 9, max: 1}"), "swap the two, or write the limit that is meant"),
        (asked("scale: {from: 1, to: 500}"), "write 101 or less"),
        (timed("duration: 30"), "write '30 s' for seconds, or '30 min' for minutes"),
        (timed("duration: 1:30"), "write '90 s' for minutes and seconds, or '90 min'"),
        (timed("duration: \"1,500 ms\""), "if the comma is a decimal point"),
        (timed("duration: 30 h"), "at most 1440 min"),
        (
            timed("duration: 60 s, expected: {band: \"0,05\", rate: 80}"),
            "write '0.05 %' or '0.05 bpm' or '5 %', whichever is meant"
        ),
        (
            timed("duration: 60 s, recorders: [{type: quantity, identifier: gsr, name: skin}]"),
            "add the key with its value, such as"
        ),
        (
            study(steps: "{type: instruction, identifier: read, title: Read, content: Words}"),
            "did you mean 'text'?"
        ),
        (
            study(steps: "{type: instruction, identifier: read, title: Read, randomize_order: true}"),
            "leave it out; the keys here are"
        ),
        (asked("continuous: {from: 0, to: 0,9}"), "write '0.9' with a point if one number is meant"),
        (asked("boolean: {}, boolean: {}"), "keep one of the two"),
        (
            study(
                head: "stimuli: {clips: {catalogue: clips.yaml}}",
                steps:
                    "{type: active, identifier: a, title: A, duration: 9 s, stimulus: {from: clips, draw: withReplacement}}"
            ),
            "did you mean 'withoutReplacement'?"
        ),
        (timed("duration: 30 s, stimulus: {play: chill_1, offset: 1 s}"), "did you mean 'onset' or 'start'?"),
        (
            study(steps: "{type: instruction, identifier: read, text: Please read the detail: it is short}"),
            "put quotes around a text"
        ),
        (
            study(steps: "{type: instruction, identifier: read, text: Now detail: read}"),
            "put quotes around a text"
        ),
        (study(steps: "{type: instruction, identifier: read, title: Part #1, text: Read}"), "#"),
        (
            study(steps: "{type: instruction, identifier: read, title: {label: Read}}"),
            "write the tag of ISO 639-1"
        ),
    ])
    func `where there are two readings, there is no fix`(text: String, words: String) {
        let found = parse(text).diagnostics
        #expect(found.contains { $0.help?.contains(words) == true }, "\(found.rendered(isColoured: false))")
        #expect(found.allSatisfy { $0.fix.isEmpty }, "\(found.map(\.fix))")
    }

    @Test func `what follows from a mistake stands below it, wherever it is`() {
        let found = parse(
            Self.study(
                head: "outcomes: {primary: {measure: heartRate, of: rest}}",
                steps:
                    "{type: active, identifier: rest, title: Rest, duration: 30 s, recorders: [{type: heartRane, identifier: h}]}"
            )
        ).diagnostics
        #expect(found.first?.code == .unknownType, "\(found.rendered(isColoured: false))")
    }

    @Test(arguments: [
        (sessions("between: [\"4:00 PM\", \"20:00\"]"), "\"16:00\""),
        (sessions("between: [\"12:30 am\", \"20:00\"]"), "\"00:30\""),
        (asked("date: {min: 31.12.2010}"), "\"2010-12-31\""),
        (asked("date: {min: 12/31/2010}"), "\"2010-12-31\""),
        (timed("duration: \"1,5 min\""), "1.5 min"), (timed("duration: 1 h 30 min"), "90 min"),
        (study(steps: "{type: instruction, identifer: read, title: Read}"), "identifier"),
        (asked("bolean: {}"), "boolean"),
        (study(steps: "{type: instruction, identifier: read, title: {eng: Read}}"), "en"),
        (timed("duration: 30 s, cues: [{at: start sound: tone}]"), ","),
    ])
    func `where there is one reading, it is the fix`(text: String, meant: String) {
        let found = parse(text).diagnostics
        #expect(
            found.contains { $0.fix.map(\.text) == [meant] },
            "\(found.rendered(isColoured: false)) \(found.map(\.fix))")
    }
}
