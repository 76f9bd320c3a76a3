import StudyFile
import StudyModel
import StudyTesting
import Testing

/// How a study lists its sessions, and what cannot be held.
@Suite struct SessionDecodingTests {
    private static func text(_ sessions: String, head: String = "", second: Bool = false) -> String {
        let more = """

            - identifier: Other
              steps:
                - {type: completion, identifier: end}
            """
        let tasks = second ? more.split(separator: "\n").map { "\n  \($0)" }.joined() : ""
        return study("", head: "\(head)\nsessions: [\(sessions)]") + tasks
    }

    private func codes(_ text: String) -> [String] { parse(text).diagnostics.map(\.code.rawValue) }

    @Test func `reads days and times in every form`() throws {
        let parsed = parse(
            Self.text(
                """
                {identifier: baseline, title: First, task: Task}, \
                {identifier: week1, after: {session: baseline, days: [6, 8]}, between: ["16:00", "20:05"]}, \
                {identifier: same, after: {session: baseline, days: 0}}, \
                {identifier: later, after: {session: week1}}
                """))
        #expect(parsed.diagnostics.isEmpty, "\(parsed.diagnostics.rendered(isColoured: false))")
        #expect(
            parsed.study?.sessions == [
                .init(identifier: "baseline", title: .plain("First"), task: "Task"),
                .init(
                    identifier: "week1", after: .init(session: "baseline", days: 6...8), between: 960...1205),
                .init(identifier: "same", after: .init(session: "baseline", days: 0...0)),
                .init(identifier: "later", after: .init(session: "week1")),
            ])
        #expect(parse(study("")).study?.sessions == [])
    }

    @Test func `a series stands for many sessions, of which each has its own day`() throws {
        let parsed = parse(
            Self.text(
                """
                {identifier: start}, \
                {identifier: night, title: Night, times: 3, every: 2, after: {session: start, days: [1, 2]}, between: ["21:00", "02:00"]}, \
                {identifier: week, times: 2, every: 7}
                """))
        #expect(parsed.diagnostics.isEmpty, "\(parsed.diagnostics.rendered(isColoured: false))")
        let nights = (0..<3).map { place in
            Study.Session(
                identifier: Identifier("night-\(place + 1)")!, title: .plain("Night \(place + 1)"),
                after: .init(session: "start", days: (1 + 2 * place)...(2 + 2 * place)), between: 1260...1560)
        }
        #expect(
            parsed.study?.sessions == [.init(identifier: "start")] + nights + [
                .init(identifier: "week-1"),
                .init(identifier: "week-2", after: .init(session: "week-1", days: 7...7)),
            ])
    }

    @Test func `a window over midnight is right, and a long one may be a mistake`() {
        let text = { (times: String) in parse(Self.text("{identifier: a, between: [\(times)]}")) }
        #expect(text("\"22:00\", \"02:00\"").diagnostics.isEmpty)
        let long = text("\"20:00\", \"16:00\"")
        #expect(long.study?.sessions.first?.between == 1200...2400)
        #expect(long.diagnostics.map(\.code) == [.sessionWindow])
        #expect(long.diagnostics.first?.help?.contains("[\"16:00\", \"20:00\"]") == true)
    }

    @Test(
        arguments: [
            ("{identifier: a}, {identifier: a}", "duplicate-identifier"),
            ("{identifier: a, task: Tsk}", "unknown-task"),
            ("{identifier: a}, {identifier: b, after: {session: c}}", "unknown-session"),
            ("{identifier: a, after: {session: a}}", "session-order"),
            ("{identifier: a, after: {session: b}}, {identifier: b}", "session-order"),
            ("{identifier: a}, {identifier: b, after: {session: a, days: [8, 6]}}", "session-window"),
            ("{identifier: a}, {identifier: b, after: {session: a, days: [6]}}", "session-window"),
            ("{identifier: a}, {identifier: b, after: {session: a, days: [1, 2, 3]}}", "session-window"),
            ("{identifier: a}, {identifier: b, after: {session: a, days: -1}}", "out-of-range"),
            ("{identifier: a, times: 1}", "out-of-range"),
            ("{identifier: a, every: 7}", "missing-key"),
            ("{identifier: a, times: 3, task: Tsk}", "unknown-task"),
            ("{identifier: a, times: 3}, {identifier: b, after: {session: a}}", "unknown-session"),
            ("{identifier: \(String(repeating: "a", count: 63)), times: 3}", "identifier-format"),
            ("{identifier: a, between: [\"22:00\"]}", "session-window"),
            ("{identifier: a, between: [\"8:00\", \"09:00\"]}", "wrong-type"),
            ("{identifier: a, between: [\"08:00\", \"24:00\"]}", "wrong-type"),
            ("{identifier: a, between: \"08:00\"}", "wrong-type"),
            ("{identifier: 7}", "identifier-format"),
            ("{identifier: a, openFor: 20 min}", "missing-key"),
            ("{identifier: a, between: [\"08:00\", \"09:00\"], openFor: 90 s}", "session-window"),
            ("{identifier: a, between: [\"08:00\", \"09:00\"], openFor: 61 min}", "session-window"),
            (
                "{identifier: a, between: [\"16:00\", \"20:00\"]}, {identifier: b, after: {session: a, days: 0}, between: [\"08:00\", \"10:00\"]}",
                "session-window"
            ),
            ("", "empty-list"),
        ])
    func `refuses what cannot be held`(sessions: String, code: String) {
        let found = parse(Self.text(sessions)).diagnostics
        #expect(found.map(\.code.rawValue) == [code], "\(found.rendered(isColoured: false))")
        #expect(found.first?.help != nil)
    }

    @Test func `each session has one task`() {
        #expect(codes(Self.text("{identifier: a}", second: true)) == ["missing-key"])
        let idle = parse(Self.text("{identifier: a, task: Task}", second: true))
        #expect(idle.diagnostics.isEmpty && idle.hints.map(\.code) == [.unusedName])
        #expect(
            codes(Self.text("{identifier: a, task: Task}, {identifier: b, task: Other}", second: true))
                .isEmpty)
        let ordered = "nextTask: fixed"
        #expect(codes(Self.text("{identifier: a}, {identifier: b}", head: ordered, second: true)).isEmpty)
        #expect(
            codes(Self.text("{identifier: a, task: Task}", head: ordered, second: true)) == [
                "conflicting-keys"
            ])
        #expect(
            codes(Self.text("{identifier: a}, {identifier: b}, {identifier: c}", head: ordered, second: true))
                == ["session-order"])
        #expect(
            codes(
                Self.text(
                    "{identifier: a}, {identifier: b}, {identifier: c}", head: "nextTask: menu", second: true)
            ).isEmpty)
    }

    @Test func `draws may go on from session to session`() throws {
        let play = "- {type: active, identifier: music, duration: 5 s, stimulus: {from: clips, draw: fixed}}"
        func text(_ head: String) -> String {
            study(
                play,
                head: "stimuli: {clips: {catalogue: clips.yaml, pool: [chill_1, dark_1], over: sessions}}\n"
                    + head)
        }
        let parsed = parse(text("sessions: [{identifier: a}, {identifier: b}]"))
        #expect(parsed.diagnostics.isEmpty, "\(parsed.diagnostics.rendered(isColoured: false))")
        #expect(parsed.hints.map(\.code) == [.noSeed])
        let seeded = text("sessions: [{identifier: a}, {identifier: b}]").replacing(
            "title: T}", with: "title: T, seed: 1}")
        #expect(parse(seeded).diagnostics.isEmpty && parse(seeded).hints.isEmpty)
        #expect(parsed.study?.stimulusSets.map(\.isOverSessions) == [true])
        #expect(codes(text("")) == ["misplaced-key"])
        let again = parse(text("sessions: [{identifier: a}, {identifier: b}, {identifier: c}]"))
        #expect(again.hints.map(\.code) == [.noSeed, .repeatedClip])
        #expect(again.hints.last?.message.contains("draw 3 clips from 'clips', which has 2") == true)
    }
}
