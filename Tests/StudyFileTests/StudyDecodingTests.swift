import StudyFile
import StudyModel
import StudyTesting
import Testing

@Suite struct StudyDecodingTests {
    @Test func `reads everything the format has`() throws {
        let parsed = parse(completeStudy)
        #expect(parsed.diagnostics.allSatisfy { $0.code == .otherReaders })
        let study = try #require(parsed.study)
        #expect(study.identifier == "complete" && study.revision == 3 && study.seed == UInt64.max)
        #expect(study.languages == [Language("en"), Language("fr")])
        #expect(study.title.text(in: Language("fr")) == "Tout")
        #expect(
            study.source("strap")?.configuration
                == .simulated(SimulatedSource(restingRate: 58, dropouts: 0.02)))
        #expect(study.source("old")?.configuration == .replay(path: "../Media/rest.csv"))
        #expect(study.stimulusSet("few")?.pool.map(\.identifier) == ["chill_1", "chill_1", "dark_1"])
        #expect(study.stimulusSet("all")?.pool.count == 6)
        #expect(parsed.files.keys.sorted() == ["clips.yaml", "consent.md"])
        #expect(parsed.orders.map(\.block) == ["rounds"] && parsed.orders.map(\.task) == ["Main"])
        let task = try #require(study.tasks.first)
        #expect(task.display == Study.Display(heartRate: true, countdown: false, progress: true))
        #expect(task.recorders.map(\.from) == ["hello"] && task.recorders.map(\.to) == ["rounds"])
        #expect(
            task.steps.map(\.identifier) == [
                "hello", "agree", "wait", "listen", "mood", "more", "rounds", "done",
            ])
    }

    @Test func `reads a clip with everything known of it`() throws {
        let clip = try #require(parse(completeStudy).study?.stimulusSet("all")?.pool.first)
        let attributes = [
            "identifier": "chill_1", "file": "chill_1.wav", "title": "Lake", "mood": "chill", "tempo": "80",
            "duration": "30 s",
        ]
        #expect(
            clip
                == Stimulus(
                    identifier: "chill_1", file: "chill_1.wav", path: "chill_1.wav", title: "Lake",
                    duration: .seconds(30), attributes: attributes))
    }

    @Test func `reads a timed step`() throws {
        let step = try #require(element("listen"))
        guard case .active(let active) = step.kind else {
            Issue.record("not a timed step: \(step.kind)")
            return
        }
        #expect(active.duration == .milliseconds(90_500))
        #expect(
            active.stimulus
                == Stimulus.Use(
                    choice: .draw(set: "few", method: .weighted([2, 2, 0.5])), onset: .seconds(2),
                    settings: Playback.Settings(fade: .milliseconds(500), gain: -3, loops: true)))
        #expect(
            active.timer
                == ActiveStep.Timer(
                    isShown: false, startsOnConfirm: true, waitsAtFinish: true, isSkippable: true))
        #expect(
            active.cues.prefix(4).map(\.moment) == [
                .start, .halfway, .after(.seconds(10)), .beforeEnd(.seconds(2)),
            ])
        #expect(active.cues.map(\.signal).suffix(2) == [.sound("countdown"), .sound("lastSecond")])
        #expect(active.expected?.band == .relative(0.1))
        #expect(
            active.expected?.curve
                == .points(
                    [.init(time: .zero, rate: 64), .init(time: .seconds(60), rate: 110)], isMonotone: false))
        #expect(
            step.recorders == [
                RecorderConfiguration(
                    identifier: "h", signal: .heartRate, source: "strap", lateSampleGrace: .zero,
                    isRequired: true),
                RecorderConfiguration(identifier: "e", signal: .events),
                RecorderConfiguration(identifier: "i", signal: .heartRate),
            ])
        #expect(step.isOptional)
    }

    @Test func `reads rules`() throws {
        let step = try #require(element("mood"))
        #expect(step.navigation.maximumVisits == 3)
        #expect(
            step.navigation.skipIf == [
                .init(subject: .heartRate(.init(.during("listen"))), comparison: .ge, value: .number(120))
            ])
        #expect(
            step.navigation.goTo == [
                .init(
                    condition: .init(subject: .answer("mood"), comparison: .lt, value: .number(3)),
                    target: .step("mood")),
                .init(
                    condition: .init(subject: .answer("q4"), comparison: .eq, value: .boolean(false)),
                    target: .end),
            ])
    }

    @Test func `reads every answer format`() throws {
        guard case .form(let form) = try #require(element("more")).kind else {
            Issue.record("not a form")
            return
        }
        #expect(
            form.questions.map(\.format) == [
                .continuous(from: 0, to: 100, decimals: 1),
                .choice([.init(value: "no", text: .plain("no")), .init(value: "3", text: .plain("three"))]),
                .choices([.init(value: "a", text: .plain("a"))]),
                .boolean(yes: .yes, no: .no),
                .number(unit: "years", minimum: 18, maximum: nil),
                .text(maximumLength: 6, pattern: "[A-Z]{2}[0-9]{4}"), .date(), .timeOfDay(),
            ])
        #expect(form.questions[0].isOptional && !form.questions[1].isOptional)
    }

    @Test func `reads a block`() throws {
        guard case .block(let block) = try #require(element("rounds")).kind else {
            Issue.record("not a block")
            return
        }
        #expect(block.repetitions == 2 && block.set == "all")
        #expect(
            block.order
                == .shuffle([
                    .noImmediateRepeat(attribute: "mood"), .maximumRun(attribute: "mood", length: 2),
                    .minimumDistance(attribute: "id", steps: 2),
                ]))
        guard case .active(let active) = block.steps[0].kind else {
            Issue.record("not a timed step")
            return
        }
        #expect(active.stimulus?.choice == .roundOf(set: "all"))
        #expect(block.steps[1].navigation.goTo == [.init(condition: nil, target: .step("done"))])
    }

    @Test func `reads a consent document from its file`() throws {
        guard case .consent(let consent) = try #require(element("agree")).kind else {
            Issue.record("not a consent step")
            return
        }
        #expect(consent == Consent(document: .plain("# Consent\n\nI take part.\n"), isSignatureTyped: true))
    }

    private func element(_ identifier: Identifier) -> Step? {
        parse(completeStudy).study?.tasks.first?.steps.first { $0.identifier == identifier }
    }
}

/// A study with every key of the format.
let completeStudy = """
    entrain: 1
    comment: everything
    study: {identifier: complete, revision: 3, title: {en: All, fr: Tout}, seed: 18446744073709551615, comment: c}
    sources:
      strap: {type: simulated, restingRate: 58, dropouts: 0.02, comment: c}
      old: {type: replay, file: ../Media/./x/../rest.csv}
    stimuli:
      few: {catalogue: clips.yaml, pool: [chill_1, chill_1, dark_1], comment: c}
      all: {catalogue: ./clips.yaml}
    tasks:
      - identifier: Main
        comment: c
        display: {heartRate: true, countdown: false}
        recorders:
          - {type: rrIntervals, identifier: rr, from: hello, to: rounds, source: old}
        steps:
          - {type: instruction, identifier: hello, title: {en: Hello, fr: Bonjour}, text: no, detail: 1:30, comment: c}
          - {type: consent, identifier: agree, document: consent.md, signature: typed}
          - {type: countdown, identifier: wait}
          - type: active
            identifier: listen
            optional: true
            duration: 90.5 s
            stimulus: {from: few, draw: weighted, weights: {chill_1: 2, dark_1: 0.5}, onset: 2 s, fade: 500 ms, gain: -3 dB, loop: true}
            timer: {show: false, start: onConfirm, finish: wait, skip: true}
            cues:
              - {at: start, sound: tone}
              - {at: halfway, say: Half way there.}
              - {at: 10 s, bell: true}
              - {countdown: 2}
            expected: {points: [[0 s, 64], [60 s, 110]], interpolation: linear, band: 10 %}
            recorders:
              - {type: heartRate, identifier: h, unit: count/min, source: strap, lateSampleGrace: 0 s, required: true}
              - {type: events, identifier: e}
              - {type: heartRate, identifier: i}
          - type: question
            identifier: mood
            answer: {scale: {from: 1, to: 9, fromLabel: bad, toLabel: good}}
            maximumVisits: 3
            skipIf: {heartRate: listen, is: ge, value: 120}
            goTo:
              - {answer: mood, is: lt, value: 3, target: mood}
              - {answer: q4, is: eq, value: false, target: end}
          - type: form
            identifier: more
            questions:
              - {identifier: q1, optional: true, answer: {continuous: {from: 0, to: 100}}}
              - {identifier: q2, answer: {choice: [no, {value: 3, text: three}]}}
              - {identifier: q3, answer: {choices: [a]}}
              - {identifier: q4, answer: {boolean: {}}}
              - {identifier: q5, answer: {number: {unit: years, min: 18}}}
              - {identifier: q6, answer: {text: {maximumLength: 6, pattern: '[A-Z]{2}[0-9]{4}'}}}
              - {identifier: q7, answer: {date: {}}}
              - {identifier: q8, answer: {timeOfDay: {}}}
          - type: block
            identifier: rounds
            repeat: 2
            forEach: all
            order: {draw: shuffle, noImmediateRepeat: mood, maximumRun: {of: mood, length: 2}, minimumDistance: {of: id, steps: 2}}
            steps:
              - {type: active, identifier: hear, duration: 1 min, stimulus: {from: all}}
              - {type: instruction, identifier: pause, goTo: done}
          - {type: completion, identifier: done}
    """
