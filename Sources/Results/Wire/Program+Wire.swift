import StudyModel
import TextFormat

extension ProgramMessage: Wired {
    static let form: WireForm<ProgramMessage> = .cases("what a program says") {
        WireCase("shows", .text, ProgramMessage.shows) {
            if case .shows(let text) = $0 { text } else { nil }
        }
        WireCase("answers", .list(), ProgramMessage.answers) {
            if case .answers(let answers) = $0 { answers } else { nil }
        }
        WireCase("sample", ProgramSample.form, ProgramMessage.sample) {
            if case .sample(let sample) = $0 { sample } else { nil }
        }
        WireCase("unclear", .replaced, ProgramMessage.unclear) {
            if case .unclear(let problem) = $0 { problem } else { nil }
        }
        WireCase(
            "ended", .record({ $0 }, WireField(optional: "problem", \.self, .replaced)),
            { .ended(problem: $0) }
        ) { if case .ended(let problem) = $0 { .some(problem) } else { nil } }
    }
}

extension ProgramSample: Wired {
    static let form: WireForm<ProgramSample> = .record(
        { ProgramSample(name: $0, value: $1, at: $2) }, WireField("identifier", \.name, .identifier),
        WireField("value", \.value, .real), WireField("instant", \.instant, .nanoseconds))
}

extension ProgramOutcome: Wired {
    static let form: WireForm<ProgramOutcome> = .record({ ProgramOutcome() }).and {
        WireField("samples", \.samples, .list())
        WireField("droppedSamples", \.droppedSamples, .count)
        WireField("unclear", \.unclearCount, .count)
        WireField(optional: "firstUnclear", \.firstUnclear, .replaced)
        WireField(optional: "problem", \.problem, .replaced)
    }
}

extension ResultBundle.Program: Wired {
    /// As in `result.json`: like the journal's form, but with times in seconds.
    static let form: WireForm<ResultBundle.Program> = .record(
        ResultBundle.Program.init,
        WireField(
            "samples", \.samples,
            .list(
                .record(
                    Sample.init, WireField("identifier", \.name, .identifier),
                    WireField("value", \.value, .real), WireField("offset", \.offset, .seconds)))),
        WireField("droppedSamples", \.droppedSamples, .count),
        WireField("unclear", \.unclearCount, .count),
        WireField(optional: "firstUnclear", \.firstUnclear, .replaced),
        WireField(optional: "problem", \.problem, .replaced))

    init(_ outcome: ProgramOutcome) {
        self.init(
            samples: outcome.samples.map {
                Sample(name: $0.name.text, value: $0.value, offset: $0.instant.written)
            }, droppedSamples: outcome.droppedSamples, unclearCount: outcome.unclearCount,
            firstUnclear: outcome.firstUnclear, problem: outcome.problem)
    }
}
