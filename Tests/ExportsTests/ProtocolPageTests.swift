import BundleReplay
import Glibc
import StudyFile
import StudyModel
import StudyTesting
import Testing

@testable import Exports

@Suite struct ProtocolPageTests {
    private static let studies =
        String(#filePath.dropLast("Tests/ExportsTests/ProtocolPageTests.swift".count)) + "Studies/"

    static let names = [
        "music-heart-rate", "fitness-check", "music-crossover", "mood-playlist", "expected-workout",
        "microphone",
        "camera-pulse", "protocols/bilingual-screening", "protocols/felt-tension", "protocols/forty-clips",
        "protocols/graded-exercise", "protocols/heartbeat-counting", "protocols/mental-arithmetic",
        "protocols/reaction-times",
        "protocols/rest-until-recovered", "protocols/six-minute-walk", "protocols/six-styles",
        "protocols/old-and-new-melodies", "protocols/tapping", "protocols/tempo-staircase",
        "protocols/three-days",
        "protocols/two-back-under-music",
        "protocols/williams-crossover",
    ]

    private static func source(_ text: [UInt8], _ path: String = studies + "x.yaml") throws
        -> ProtocolPage.Source
    {
        let checked = CheckedStudy(text, path: path, library: .beside(study: path))
        return ProtocolPage.Source(
            study: try checked.study(), name: "study.yaml", text: text, files: checked.parsed.files,
            clips: [:],
            program: "0.1.0")
    }

    private static func page(_ text: [UInt8], _ path: String = studies + "x.yaml") throws -> (
        study: Study, page: Page
    ) {
        let source = try source(text, path)
        return (source.study, Page(ProtocolPage(of: source).text))
    }

    /// A page in which texts are found quickly.
    private struct Page {
        let text: String
        init(_ text: String) { self.text = text }

        func contains(_ words: String) -> Bool { unsafe strstr(text, words) != nil }
    }

    private static func page(named name: String) throws -> (study: Study, page: Page) {
        let path = studies + name + ".yaml"
        return try page(try #require(readFile(path)), path)
    }

    /// What a study holds, however deep: the page's own code is not asked.
    private struct Holdings {
        var texts: Set<LocalizedText> = []
        var recorders: Set<RecorderConfiguration> = []
        var constraints: Set<OrderConstraint> = []

        mutating func add(_ value: Any) {
            switch value {
            // What holds none of these, and is large.
            case is String, is Double, is Int, is Duration, is Identifier, is StimulusSet, is Navigation:
                return
            case let text as LocalizedText:
                texts.insert(text)
                return
            case let constraint as OrderConstraint:
                constraints.insert(constraint)
                return
            case let recorder as RecorderConfiguration: recorders.insert(recorder)
            case _: break
            }
            for child in Mirror(reflecting: value).children { add(child.value) }
        }
    }

    @Test(arguments: names)
    func `shows every wording in every language, and names all there is`(name: String) throws {
        let (study, page) = try Self.page(named: name)
        expectSound(page.text)
        var held = Holdings()
        held.add(study)
        #expect(held.texts.count > 3)
        for text in held.texts {
            switch text {
            case .plain(let words):
                #expect(page.contains("<dd lang=\"\" dir=\"auto\">\(HTML.escaped(words))</dd>"), "\(words)")
            case .translated(let translations):
                for one in translations {
                    let (tag, text) = (one.language, HTML.escaped(one.text))
                    let words =
                        "<dd lang=\"\(tag)\" dir=\"auto\"><span class=\"tag\" lang=\"en\" dir=\"ltr\">\(tag)</span> \(text)</dd>"
                    #expect(page.contains(words), "\(one.text)")
                }
            }
        }
        expectNames(of: study, held, on: page)
    }

    /// Every step, recorder, prompt, rule, constraint, clip and condition.
    private func expectNames(of study: Study, _ held: Holdings, on page: Page) {
        for step in study.inEachArm.flatMap(\.tasks).flatMap(\.allSteps) {
            let name = HTML.cell(step.identifier.text)
            #expect(
                [" <code>\(name)</code>", " \(name)"].contains {
                    page.contains("\($0): \(step.facts.name)</h")
                },
                "\(name)")
            for condition in step.navigation.conditions {
                #expect(page.contains(HTML.escaped(condition.words)), "\(condition)")
            }
            if let until = step.active?.until { #expect(page.contains(HTML.escaped(until.condition.words))) }
            for prompt in step.active?.prompts ?? [] {
                #expect(
                    page.contains(
                        "\(prompt.question.identifier) is asked \(prompt.first.words) after the start"))
            }
        }
        for recorder in held.recorders {
            #expect(page.contains("\(recorder.identifier) records \(HTML.escaped(recorder.signal.meaning))"))
        }
        for constraint in held.constraints {
            #expect(page.contains(HTML.escaped(constraint.sentence)), "\(constraint)")
        }
        for clip in Set(study.stimulusSets.flatMap(\.pool) + study.conditions.flatMap(\.pool)) {
            #expect(
                page.contains("<th scope=\"row\">\(HTML.cell(clip.identifier.text))</th>"),
                "\(clip.identifier)")
        }
    }

    /// Sound HTML that needs nothing else.
    private func expectSound(_ page: String) {
        let read = WellFormedPage(page)
        #expect(read.problems == [])
        #expect(read.elements.first?.attributes["lang"] == "en")
        #expect(!read.elements.contains { ["script", "link", "img", "iframe"].contains($0.name) })
        #expect(!read.elements.contains { $0.attributes["src"] != nil })
    }

    @Test(arguments: [
        "<p><div></div></p>", "<b>", "<p>a & b</p>", "<i a=b></i>", "<a href=\"#x\"></a>", "<i></b>", "<i",
    ])
    func `the reader of pages finds what is wrong`(body: String) {
        #expect(!WellFormedPage("<!DOCTYPE html>\n" + body).problems.isEmpty)
    }

    @Test func `texts of a study are shown and never obeyed`() throws {
        let text = """
            entrain: 1
            study: {identifier: hostile, title: "<script>alert(1)</script>"}
            conditions:
              rows:
                rows: [{identifier: a, "on\\"load": "</td><img src=x onerror=alert(1)>"}, {identifier: b, "on\\"load": c}]
            tasks:
              - identifier: t
                steps:
                  - type: block
                    identifier: all
                    forEach: rows
                    steps:
                      - {type: instruction, identifier: read, title: "</style></dd><svg onload=alert(1)>", text: "&lt;b&gt; x"}
                  - {type: question, identifier: say, title: "\\"' onmouseover=alert(1)", answer: {text: {pattern: "<b>&[a-z]"}}}
                  - {type: completion, identifier: done, title: "]]>-->"}
            """
        var source = try Self.source(Array(text.utf8))
        // A study file has none of these; a name of a file may.
        source.name = "a\u{202E}b<c>.yaml"
        source.study.title = .plain("<script>alert(1)</script>\u{202E}evil \u{2067}x\u{7}")
        let page = ProtocolPage(of: source).text
        let read = WellFormedPage(page)
        #expect(read.problems == [])
        #expect(!read.elements.contains { ["script", "img"].contains($0.name) })
        #expect(!read.elements.contains { $0.attributes.keys.contains { $0.hasPrefix("on") } })
        #expect(!page.unicodeScalars.contains { ["\u{202E}", "\u{2067}", "\u{7}"].contains($0) })
        #expect(page.contains("&lt;script&gt;alert(1)&lt;/script&gt;\\u{202e}evil \\u{2067}x\\u{7}"))
        #expect(page.contains("&amp;lt;b&amp;gt; x"))
    }

    @Test func `tells arms, values of rounds and rules apart`() throws {
        let text = """
            entrain: 1
            study: {identifier: arms, title: Arms, seed: 1}
            arms:
              - {identifier: short, values: {length: 1 min}}
              - {identifier: long, values: {length: 3 min}}
            conditions:
              tempi:
                rows: [{identifier: slow, tempo: 60}, {identifier: fast, tempo: 120}]
            tasks:
              - identifier: main
                steps:
                  - {type: active, identifier: rest, title: Rest., duration: $length}
                  - type: block
                    identifier: series
                    forEach: tempi
                    repeat: 2
                    order: {draw: shuffle, noImmediateRepeat: id}
                    steps:
                      - {type: instruction, identifier: tap, title: "Tap {tempo} times."}
                      - {type: question, identifier: hard, title: Hard?, answer: {scale: {from: 1, to: 9}},
                         skipIf: {clip: series, is: eq, value: slow}}
                  - {type: question, identifier: age, title: Age?, answer: {number: {}},
                     goTo: {answer: age, is: lt, value: 18, target: young}}
                  - {type: completion, identifier: thanks, title: Thanks!}
                  - {type: completion, identifier: young, title: Sorry., reason: tooYoung}
            """
        let page = try Self.page(Array(text.utf8)).page
        for words in [
            "Task main, arm short", "Task main, arm long", "The step lasts 1 min.", "The step lasts 3 min.",
            "title (In the round: slow.)", "Tap 60 times.",
            "There are 2 rounds for each of the 2 conditions of tempi.",
            "No two neighbours are alike in their name.",
            "The step is left out if the clip or condition of series is 'slow'.",
            "After the step, if the answer to age is less than 18, the run goes on with step 5 young.",
            "The result calls this end 'tooYoung'.", "Not said in the study.",
            "Every step that is not listed here is that of task main, arm short.",
        ] {
            #expect(page.contains(HTML.escaped(words)), "\(words)")
        }
    }

    /// A study of these steps, whose last is added.
    private static func study(_ steps: String, head: String = "") -> [UInt8] {
        let head = head.isEmpty ? "" : head + "\n"
        let text =
            "entrain: 1\nstudy: {identifier: s, title: S, seed: 1}\n\(head)tasks:\n  - identifier: t\n    steps:\n"
            + steps.split(separator: "\n").map { "      \($0)\n" }.joined()
            + "      - {type: completion, identifier: end, title: End}\n"
        return Array(text.utf8)
    }

    private static let loop = """
        - {type: active, identifier: outer, duration: 1 s, maximumVisits: 8}
        - {type: active, identifier: inner, duration: 2 s, maximumVisits: 12}
        - {type: active, identifier: back, duration: 1 s, goTo: {target: inner}}
        - {type: active, identifier: far, duration: 1 s, goTo: {target: outer}}
        """

    @Test(arguments: [
        // Each as often as it can be visited: 8 and 19 times, 19 and 8 times.
        (study(loop), "1 min 13 s"),
        // Each row with its own length.
        (
            study(
                """
                - type: block
                  identifier: b
                  forEach: rows
                  repeat: 2
                  steps: [{type: active, identifier: a, duration: $time}]
                """,
                head: "conditions: {rows: {rows: [{identifier: x, time: 1 s}, {identifier: y, time: 9 s}]}}"),
            "20 s"
        ),
        // The longest of the arms, whichever rule leaves a step out.
        (
            study(
                """
                - {type: active, identifier: a, duration: 50 min, skipIf: {arm: right}}
                - {type: active, identifier: b, duration: 45 min, skipIf: {not: {arm: right}}}
                """, head: "arms: [left, right]"), "50 min"
        ),
        (
            study(
                """
                - {type: instruction, identifier: i, goTo: {arm: right, target: b}}
                - {type: active, identifier: a, duration: 50 min, goTo: {target: end}}
                - {type: active, identifier: b, duration: 45 min}
                """, head: "arms: [left, right]"), "50 min"
        ),
        // What cannot be known before counts.
        (
            study(
                """
                - {type: question, identifier: q, answer: {boolean: {}}}
                - {type: active, identifier: a, duration: {from: 1 s, to: 3 s}, skipIf: {answer: q, is: eq, value: true}}
                - {type: active, identifier: b, duration: 4 s, reaction: {keys: [space], feedback: {right: Yes!, for: 2 s}}}
                - {type: countdown, identifier: c, duration: 5 s}
                """), "14 s"
        ),
    ])
    func `the time of a run is at most that of its plan`(text: [UInt8], time: String) throws {
        #expect(try Self.page(text).page.contains("<dt>Timed steps of a run</dt><dd>at most \(time)</dd>"))
    }

    /// One drawn clip for each participant, of one session, is compared with the rest only, as 'analyse' does it.
    @Test(arguments: [
        ("", "test of pairs"), (", maximumVisits: 3, goTo: a", "The clips are compared within participants"),
    ])
    func `clips are said to be compared where a participant can hear several`(keys: String, words: String)
        throws
    {
        let page = try Self.page(
            Array(
                """
                entrain: 1
                study: {identifier: s, title: S, seed: 1}
                stimuli: {clips: {catalogue: ../Media/clips.yaml}}
                outcomes: {primary: {measure: heartRate, of: a, relativeTo: r}}
                tasks:
                  - identifier: T
                    steps:
                      - {type: active, identifier: r, title: R, duration: 60 s, recorders: [{type: heartRate, identifier: h}]}
                      - {type: active, identifier: a, title: A, duration: 30 s, stimulus: {from: clips, draw: random}, recorders: [{type: heartRate, identifier: h}]\(keys)}
                      - {type: completion, identifier: end, title: End}
                """.utf8)
        ).page
        #expect(page.contains(words))
        #expect(page.contains("The clips are compared within participants") != keys.isEmpty)
    }

    @Test func `the ratio of arms is said, whoever names them`() throws {
        let page = try Self.page(
            Array(
                """
                entrain: 1
                study: {identifier: s, title: S}
                arms: [{identifier: sing, ratio: 2}, {identifier: hear}]
                tasks: [{identifier: T, steps: [{type: instruction, identifier: i, title: I}, {type: completion, identifier: end, title: End}]}]
                """.utf8)
        ).page
        #expect(page.contains("The ratio of sing and hear is 2:1."))
    }

    @Test func `says how often a step can be visited, rules or not`() throws {
        let page = try Self.page(Self.study(Self.loop)).page
        for words in [
            "The step is visited at most 8 times.", "The step is visited at most 19 times.",
            "Rules lead back to it only while it was visited fewer than 12 times.", "at most 19 visits",
        ] {
            #expect(page.contains(words), "\(words)")
        }
    }

    @Test(arguments: [
        (0.25, "250 ms"), (1.5, "1.5 s"), (30, "30 s"), (90, "1 min 30 s"), (120, "2 min"), (7200, "2 h"),
        (0, "0 s"),
        (3661, "1 h 1 min 1 s"),
    ])
    func `durations read as people write them`(seconds: Double, words: String) {
        #expect(Duration.seconds(seconds).words == words)
    }

    @Test func `lines of the picture fit, and long words are broken`() {
        let lines = FlowDiagram.wrapped("one two three " + String(repeating: "x", count: 60), to: 100)
        #expect(lines.allSatisfy { Drawing.width(of: $0) <= 100 })
        #expect(lines.joined().filter { $0 == "x" }.count == 60)
        #expect(FlowDiagram.wrapped("", to: 100) == [])
    }
}
