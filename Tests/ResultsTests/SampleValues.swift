import StudyModel
import TextFormat

@testable import Results

/// Random values of everything that the journal keeps, the same for the same seed.
struct SampleValues {
    private var state: UInt64

    init(seed: UInt64) { state = seed &* 0x9E37_79B9_7F4A_7C15 }

    mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var mixed = state
        mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
        mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
        return mixed ^ (mixed >> 31)
    }

    mutating func index(below count: Int) -> Int { Int(next() % UInt64(count)) }
    mutating func boolean() -> Bool { next() % 2 == 0 }
    mutating func integer() -> Int { Int(truncatingIfNeeded: next()) >> index(below: 64) }
    /// What is counted, within the limits of a bundle.
    mutating func count() -> Int { Int(next() >> 25) >> index(below: 40) }
    mutating func real() -> Double {
        let value = Double(bitPattern: next())
        return value.isFinite ? value : 0.5
    }
    mutating func share() -> Double { Double(index(below: 1_001)) / 1_000 }
    mutating func maybe<Value>(_ make: (inout SampleValues) -> Value) -> Value? {
        boolean() ? make(&self) : nil
    }
    mutating func list<Value>(_ make: (inout SampleValues) -> Value) -> [Value] {
        (0..<index(below: 4)).map { _ in make(&self) }
    }
    mutating func dictionary<Value>(_ make: (inout SampleValues) -> Value) -> [String: Value] {
        Dictionary(list { ($0.text(), make(&$0)) }) { first, _ in first }
    }
    mutating func text() -> String {
        let letters = Array("aZ09 .\"\\/\n\t\u{0}\u{1B}é日🎵\u{202E}\u{301}")
        return String((0..<index(below: 12)).map { _ in letters[index(below: letters.count)] })
    }
    mutating func identifier() -> Identifier {
        let letters = Array("abcXYZ019._-")
        let text = String((0...index(below: 12)).map { _ in letters[index(below: letters.count)] })
        return Identifier(text) ?? "x"
    }
    mutating func duration() -> Duration { .nanoseconds(Int64(truncatingIfNeeded: next() >> 14)) }
    mutating func instant() -> RunInstant { RunInstant(offset: duration()) }

    mutating func json(depth: Int) -> JSON {
        switch index(below: depth == 0 ? 5 : 7) {
        case 0: .null
        case 1: .boolean(boolean())
        case 2: .integer(integer())
        case 3: .real(real())
        case 4: .text(text())
        case 5: .list(list { $0.json(depth: depth - 1) })
        default: .object(JSON.Object(dictionary { $0.json(depth: depth - 1) }))
        }
    }

    mutating func event(_ kind: Int) -> Event {
        switch kind {
        case 0: index(below: 2) == 0 ? .begin : .recalled(list { $0.given() })
        case 1: .confirmed
        case 2: .answered(list { $0.given() })
        case 3: .skipped
        case 4: index(below: 2) == 0 ? .wentBack : .wentBackTo(index(below: 50))
        case 5: .paused
        case 6: .resumed
        case 7: [.withdrawn, .putAside, .continued][index(below: 3)]
        case 8: .interrupted
        case 9: .failed(text())
        case 10: .woke(wake())
        case 11: .sourceChanged(identifier(), problem: maybe { SourceProblem($0.text()) })
        case 12: index(below: 2) == 0 ? .played(playback()) : .adjusted(ordinal: count(), change())
        case 13: .recorded(key(), files: list { $0.file() }, problem: maybe { $0.text() })
        case 14: .observed(real())
        case 15: .heard(real())
        case 16: .drafted(drafted())
        case 17: .program(count(), programMessage())
        case 18: .marked(mark())
        case 19: .allocated(identifier(), slot: count())
        case 20: .notAllocated(text())
        case 21: .stoodStill(since: instant())
        case 22: .cueGiven(CueKey(ordinal: count(), cue: count()), heard: maybe { $0.instant() })
        default: .saved(count())
        }
    }
    static let eventKinds = 24

    mutating func mark() -> RunMark {
        let kind = RunMark.Kind.allCases[index(below: 4)]
        let controls = RunMark.Control.allCases
        let control = kind == .control ? controls[index(below: controls.count)] : nil
        let severity = kind == .adverse ? RunMark.Severity.allCases[index(below: 3)] : nil
        let words = text().filter { RunMark.isText(String($0)) || $0 == " " }
        guard
            let mark = RunMark(
                kind, severity, control: control, text: "x" + words, by: maybe { _ in "R. A. Kim" },
                at: instant())
        else {
            preconditionFailure("a mark of \(words.debugDescription)")
        }
        var told = mark
        told.uncertainty = maybe { $0.duration() }
        return told
    }

    mutating func effect(_ kind: Int) -> Effect {
        switch kind {
        case 0: .show(presentation())
        case 1: .wake(wake(), at: instant())
        case 2: .record(key(), configuration(), from: instant())
        case 3: .stopRecording(key(), at: instant(), due: maybe { $0.instant() })
        case 4:
            .play(
                drawn(), settings(),
                ordinal: count(), at: instant(), from: duration())
        case 5: .stopPlaying(ordinal: count(), at: instant())
        case 6: .cue(cue(), CueKey(ordinal: count(), cue: count()))
        case 7: .deliver(step())
        case 8: .allocate(list { $0.text() })
        default: .end((FinishReason.words + [.ended("screenedOut")])[index(below: 6)])
        }
    }
    static let effectKinds = 10

    mutating func record() -> Journal.Record {
        let content: Journal.Content =
            boolean()
            ? .event(event(index(below: Self.eventKinds))) : .effect(effect(index(below: Self.effectKinds)))
        return Journal.Record(content, at: instant())
    }

    mutating func given() -> GivenAnswer {
        var given = GivenAnswer(
            question: identifier(), answer: maybe { $0.answer($0.index(below: 11)) },
            times: maybe { $0.times() })
        given.asking = maybe { $0.asking() }
        return given
    }

    private mutating func asking() -> Asking {
        let ends = Asking.End.allCases
        return Asking(
            number: count(), planned: instant(), shown: maybe { $0.instant() }, ended: instant(),
            endedBy: ends[index(below: ends.count)])
    }

    mutating func drafted() -> DraftedAnswer {
        DraftedAnswer(question: identifier(), text: text(), times: times())
    }

    mutating func times() -> AnswerTimes {
        var times = AnswerTimes(shown: instant())
        times.touched = maybe { $0.instant() }
        times.changed = maybe { $0.instant() }
        times.confirmed = maybe { $0.instant() }
        times.changes = count()
        return times
    }

    mutating func answer(_ kind: Int) -> Answer {
        switch kind {
        case 0: .scale(integer())
        case 1: .continuous(real())
        case 2: .choice(text())
        case 3: .choices(list { $0.text() })
        case 4: .boolean(boolean())
        case 5: .number(real())
        case 6: .text(text())
        case 7: .date(year: 2024, month: 1 + index(below: 12), day: 1 + index(below: 28))
        case 8: .timeOfDay(hour: index(below: 24), minute: index(below: 60))
        case 9: .declined
        default: .consent(signature: maybe { $0.text() })
        }
    }

    mutating func sample() -> RecordedSample {
        switch index(below: 5) {
        case 0: .lost(text(), at: instant())
        case 4: .told(information(), at: instant())
        case 1: .act(kind: text(), detail: text(), at: instant())
        case 2: .position(stimulus: identifier(), position: duration(), at: instant())
        default:
            .heartRate(
                Timed(
                    HeartRateSample(
                        rate: maybe { $0.real() }, rrIntervals: list { $0.boolean() ? .nan : $0.real() },
                        sensorContact: maybe { $0.boolean() }, quality: maybe { $0.real() },
                        lastBeat: maybe { BeatTime(instant: $0.instant(), uncertainty: $0.duration()) },
                        elapsed: maybe { $0.real() }),
                    at: instant(), arrival: instant()))
        }
    }

    mutating func information() -> SourceInformation {
        var information = SourceInformation(
            device: maybe { $0.text() }, identifier: maybe { $0.text() }, host: maybe { $0.text() },
            clock: list {
                SourceInformation.ClockComparison(
                    runOffset: Double($0.index(below: 1000)), offset: -Double($0.index(below: 1000)),
                    doubt: 0.25)
            },
            sensorLocation: maybe { $0.text() }, battery: maybe { $0.index(below: 101) },
            origin: maybe { $0.real() }, samplesBeforeRun: maybe { $0.count() })
        information.manufacturer = maybe { $0.text() }
        information.model = maybe { $0.text() }
        information.firmware = maybe { $0.text() }
        information.nominalRate = maybe { Double($0.index(below: 1000)) }
        return information
    }

    private mutating func wake() -> Wake {
        let moments: [Wake.Moment] = [.end, .cue(count()), .until, .timeLimit, .prompt, .promptLimit]
        let moment = moments[index(below: moments.count)]
        return Wake(ordinal: count(), segment: count(), moment: moment)
    }

    private mutating func key() -> RecorderKey {
        RecorderKey(ordinal: count(), recorder: identifier(), segment: count())
    }

    private mutating func configuration() -> RecorderConfiguration {
        let kinds = Signal.all
        return RecorderConfiguration(
            identifier: identifier(), signal: kinds[index(below: kinds.count)],
            source: maybe { $0.identifier() }, lateSampleGrace: duration(), isRequired: boolean(),
            rating: maybe { $0.rating() })
    }

    private mutating func rating() -> RatingScale {
        let dimensions = (0...index(below: 2)).map { _ in
            RatingScale.Dimension(
                name: identifier(), from: 0, to: 100, fromLabel: .plain(text()), toLabel: .plain(text()),
                start: Double(index(below: 101)), step: 5)
        }
        return RatingScale(dimensions: dimensions, rate: Double(1 + index(below: 100)))
    }

    private mutating func change() -> Playback.Change {
        Playback.Change(
            at: instant(), frame: maybe { Int64($0.count()) }, position: duration(), tempo: share(),
            gain: real())
    }

    private mutating func settings() -> Playback.Settings {
        var settings = Playback.Settings(fade: duration(), gain: real(), loops: boolean())
        settings.gainUnderPrompts = boolean() ? real() : 0
        let pace = Following.Pace(interval: duration(), smoothing: duration())
        let points = [Following.Loudness.Point(rate: real(), gain: real())]
        settings.following = maybe { sample in
            Following(
                tempo: sample.maybe {
                    .init(target: $0.real(), range: -0.2...0.3, beatsPerHeartbeat: [$0.real()], pace: pace)
                }, loudness: sample.maybe { _ in .init(points: points, pace: pace) })
        }
        return settings
    }

    private mutating func playback() -> Playback {
        Playback(
            ordinal: count(), onset: instant(), end: maybe { $0.instant() },
            onsetFrame: maybe { Int64($0.count()) }, sampleRate: maybe { $0.real() },
            underruns: maybe { $0.count() })
    }

    private mutating func presentation() -> Presentation {
        let phase: Presentation.Phase =
            switch index(below: 7) {
            case 0: .waiting
            case 5: .waitingForArm(problem: maybe { $0.text() })
            case 1: .waitingForSource(identifier(), problem: SourceProblem(text()))
            case 2: .running(start: instant(), end: instant())
            case 3: .paused(remaining: duration())
            case 4: .timeUp
            default: .saving
            }
        var presentation = Presentation(
            ordinal: count(), section: count(), pass: count(), entry: count(), phase: phase,
            canSkip: boolean(), canGoBack: boolean())
        presentation.isHeld = boolean()
        presentation.prompt = maybe { .init(place: $0.count(), number: $0.count()) }
        return presentation
    }

    private mutating func cue() -> Cue.Signal {
        switch index(below: 4) {
        case 0: .sound(identifier())
        case 1: .say(.plain(text()))
        case 2: .say(.translated(list { .init(language: Language($0.text()), text: $0.text()) }))
        default: .bell
        }
    }

    private mutating func drawn() -> DrawnStimulus {
        DrawnStimulus(
            stimulus: Stimulus(
                identifier: identifier(), file: text(), path: text(), title: maybe { $0.text() },
                sha256: maybe { $0.text() }, duration: maybe { $0.duration() },
                attributes: dictionary { $0.text() }),
            set: maybe { $0.identifier() }, method: text(), stream: maybe { $0.text() }, index: count())
    }

    private mutating func step() -> StepResult {
        var result = StepResult(
            ordinal: count(), path: list { $0.identifier() }, visit: count(),
            round: maybe { $0.count() }, start: instant(), end: instant(),
            skip: maybe { StepResult.SkipReason.allCases[$0.index(below: 6)] },
            answers: list { $0.given() })
        result.repeats = maybe { $0.count() }
        result.drafts = list { $0.drafted() }
        result.plannedDuration = maybe { $0.duration() }
        result.actualDuration = maybe { $0.duration() }
        result.endedBy = maybe { StepResult.TimedEnd.allCases[$0.index(below: 3)] }
        result.lateness = dictionary { $0.duration() }
        result.pauses = list { $0.span() }
        result.standstills = list { $0.span() }
        result.stimulus = maybe { $0.drawn() }
        if result.stimulus != nil { result.playback = maybe { $0.playback() } }
        result.files = list { $0.file() }
        result.program = maybe { $0.programOutcome() }
        result.outerRounds = list { sample in
            StepResult.OuterRound(
                block: sample.identifier(), round: sample.maybe { $0.count() },
                condition: sample.maybe { $0.drawn().stimulus })
        }
        result.recorderErrors = list { $0.text() }
        return result
    }

    private mutating func span() -> Range<RunInstant> {
        let start = instant()
        return start..<start.advanced(by: duration())
    }

    private mutating func programMessage() -> ProgramMessage {
        switch index(below: 5) {
        case 0: .shows(text())
        case 1: .answers(list { $0.given() })
        case 2: .sample(programSample())
        case 3: .unclear(text())
        default: .ended(problem: maybe { $0.text() })
        }
    }

    private mutating func programSample() -> ProgramSample {
        ProgramSample(name: identifier(), value: real(), at: instant())
    }

    private mutating func programOutcome() -> ProgramOutcome {
        var outcome = ProgramOutcome()
        outcome.samples = list { $0.programSample() }
        (outcome.droppedSamples, outcome.unclearCount) = (count(), count())
        outcome.firstUnclear = maybe { $0.text() }
        outcome.problem = maybe { $0.text() }
        return outcome
    }

    private mutating func file() -> FileResult {
        var file = FileResult(
            recorder: identifier(), fileName: "x\(identifier().text)", contentType: text(), start: instant(),
            end: instant(),
            segment: count(), sampleCount: count(), coverage: share())
        file.part = count()
        file.gaps = list { .init(from: $0.instant(), to: $0.instant(), reason: $0.text()) }
        (file.lateSamples, file.droppedSamples) = (count(), count())
        file.reason = maybe { $0.text() }
        file.sourceInformation = maybe { $0.information() }
        return file
    }
}
