import StudyModel
import TextFormat

extension Event: Wired {
    /// What happens to a run.
    static let form: WireForm<Event> = .cases("an event") {
        WireCase("recalled", .list(), Event.recalled) {
            if case .recalled(let answers) = $0 { answers } else { nil }
        }
        WireCase("begin", .begin)
        WireCase("confirmed", .confirmed)
        WireCase("drafted", DraftedAnswer.form, Event.drafted) {
            if case .drafted(let draft) = $0 { draft } else { nil }
        }
        WireCase("answered", .list(), Event.answered) {
            if case .answered(let answers) = $0 { answers } else { nil }
        }
        WireCase("skipped", .skipped)
        WireCase("wentBack", .wentBack)
        WireCase("wentBackTo", .count, Event.wentBackTo) {
            if case .wentBackTo(let ordinal) = $0 { ordinal } else { nil }
        }
        WireCase("paused", .paused)
        WireCase("resumed", .resumed)
        WireCase("withdrawn", .withdrawn)
        WireCase("putAside", .putAside)
        WireCase("continued", .continued)
        WireCase("interrupted", .interrupted)
        WireCase("failed", .replaced, Event.failed) {
            if case .failed(let reason) = $0 { reason } else { nil }
        }
        WireCase("woke", Wake.form, Event.woke) { if case .woke(let wake) = $0 { wake } else { nil } }
        WireCase(
            "sourceChanged",
            .record(
                { ($0, $1) }, WireField("source", \.0, .identifier),
                WireField(optional: "problem", \.1, .problem)),
            { .sourceChanged($0.0, problem: $0.1) }
        ) { if case .sourceChanged(let source, let problem) = $0 { (source, problem) } else { nil } }
        WireCase("played", Playback.form, Event.played) {
            if case .played(let report) = $0 { report } else { nil }
        }
        WireCase(
            "adjusted",
            .record({ ($0, $1) }, WireField("ordinal", \.0, .count), WireField("change", \.1)),
            { .adjusted(ordinal: $0.0, $0.1) }
        ) { if case .adjusted(let ordinal, let change) = $0 { (ordinal, change) } else { nil } }
        WireCase(
            "cueGiven",
            .record({ ($0, $1) }, WireField("cue", \.0), WireField(optional: "heard", \.1, .nanoseconds)),
            { .cueGiven($0.0, heard: $0.1) }
        ) { if case .cueGiven(let key, let heard) = $0 { (key, heard) } else { nil } }
        WireCase(
            "recorded",
            .record(
                { ($0, $1, $2) }, WireField("key", \.0), WireField("files", \.1, .list()),
                WireField(optional: "problem", \.2, .replaced)),
            { .recorded($0.0, files: $0.1, problem: $0.2) }
        ) {
            if case .recorded(let key, let files, let problem) = $0 { (key, files, problem) } else { nil }
        }
        WireCase("observed", .real, Event.observed) {
            if case .observed(let rate) = $0 { rate } else { nil }
        }
        WireCase(
            "beats",
            .record({ ($0, $1) }, WireField("intervals", \.0, .list(.real)), WireField("end", \.1, .elapsed)),
            { .beats($0.0, end: $0.1) }
        ) { if case .beats(let intervals, let end) = $0 { (intervals, end) } else { nil } }
        WireCase("heard", .real, Event.heard) { if case .heard(let level) = $0 { level } else { nil } }
        WireCase(
            "program", .record({ ($0, $1) }, WireField("ordinal", \.0, .count), WireField("message", \.1)),
            { .program($0.0, $0.1) }
        ) { if case .program(let ordinal, let message) = $0 { (ordinal, message) } else { nil } }
        WireCase(
            "allocated",
            .record({ ($0, $1) }, WireField("arm", \.0, .identifier), WireField("slot", \.1, .count)),
            { .allocated($0.0, slot: $0.1) }
        ) { if case .allocated(let arm, let slot) = $0 { (arm, slot) } else { nil } }
        WireCase("notAllocated", .replaced, Event.notAllocated) {
            if case .notAllocated(let problem) = $0 { problem } else { nil }
        }
        WireCase("marked", RunMark.form, Event.marked) {
            if case .marked(let mark) = $0 { mark } else { nil }
        }
        WireCase("stoodStill", .nanoseconds, { .stoodStill(since: $0) }) {
            if case .stoodStill(let start) = $0 { start } else { nil }
        }
        WireCase("saved", .count, Event.saved) { if case .saved(let ordinal) = $0 { ordinal } else { nil } }
    }
}

extension WireForm<SourceProblem> {
    static let problem = WireForm<String>.replaced.map(
        "a problem", { SourceProblem($0) }, back: \.description)
}

extension GivenAnswer: Wired {
    static let form: WireForm<GivenAnswer> = .record(
        { GivenAnswer(question: $0, answer: $1, times: $2) }, WireField("question", \.question, .identifier),
        WireField(optional: "answer", \.answer), WireField(optional: "times", \.times)
    ).and {
        WireField("inputs", unless: [], \.inputs, .list())
        WireField(optional: "asking", \.asking)
        WireField(optional: "reaction", \.reaction)
    }
}

extension ScoredInput: Wired {
    static let form: WireForm<ScoredInput> = .record(
        ScoredInput.init, WireField("identifier", \.question, .identifier),
        WireField(optional: "value", \.value, .real))
}

extension DraftedAnswer: Wired {
    static let form: WireForm<DraftedAnswer> = .record(
        { DraftedAnswer(question: $0, text: $1, times: $2) },
        WireField("question", \.question, .identifier), WireField("text", \.text, .typed),
        WireField("times", \.times)
    ).and {
        WireField(optional: "answer", \.answer)
    }
}

extension AnswerTimes: Wired {
    static let form: WireForm<AnswerTimes> = .record(
        { AnswerTimes(shown: $0) }, WireField("shown", \.shown, .elapsed)
    ).and {
        WireField(optional: "touched", \.touched, .elapsed)
        WireField(optional: "changed", \.changed, .elapsed)
        WireField(optional: "confirmed", \.confirmed, .elapsed)
        WireField("changes", \.changes, .count)
    }
}

extension Wake: Wired {
    static let form: WireForm<Wake> = .record(
        Wake.init, WireField("ordinal", \.ordinal, .count), WireField("segment", \.segment, .count),
        WireField("moment", \.moment))
}

extension Wake.Moment: Wired {
    static let form: WireForm<Wake.Moment> = .cases("a planned moment") {
        WireCase("end", .end)
        WireCase("cue", .count, { .cue($0) }) { if case .cue(let index) = $0 { index } else { nil } }
        WireCase("until", .until)
        WireCase("timeLimit", .timeLimit)
        WireCase("prompt", .prompt)
        WireCase("promptLimit", .promptLimit)
    }
}

extension CueKey: Wired {
    static let form: WireForm<CueKey> = .record(
        CueKey.init, WireField("ordinal", \.ordinal, .count), WireField("cue", \.cue, .count))
}

extension RecorderKey: Wired {
    static let form: WireForm<RecorderKey> = .record(
        RecorderKey.init, WireField("ordinal", \.ordinal, .count),
        WireField("recorder", \.recorder, .identifier), WireField("segment", \.segment, .count))
}

extension Playback: Wired {
    static let form: WireForm<Playback> = .record(
        { Playback(ordinal: $0, onset: $1) }, WireField("ordinal", \.ordinal, .count),
        WireField("onset", \.onset, .elapsed)
    ).and {
        WireField(optional: "end", \.end, .elapsed)
        WireField(optional: "onsetFrame", \.onsetFrame, .whole)
        WireField(optional: "sampleRate", \.sampleRate, .real)
        WireField(optional: "underruns", \.underruns, .count)
        WireField(optional: "latency", \.latency, .elapsed)
        WireField(optional: "problem", \.problem, .replaced)
        WireField(optional: "gain", \.gain, .real)
        WireField(optional: "loweredBy", \.loweredBy, .real)
    }
}
