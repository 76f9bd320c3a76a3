import StudyModel
import TextFormat

extension ReactionResult: Wired {
    /// The reaction as events and effects hold it.
    static let form: WireForm<ReactionResult> = .record(
        { ReactionResult(press: $0) }, WireField(optional: "press", \.press)
    )
    .and {
        WireField("ignoredKeys", unless: 0, \.ignoredKeys, .count)
        WireField(optional: "right", \.isRight, .boolean)
    }
}

extension ReactionResult.Press: Wired {
    static let form: WireForm<ReactionResult.Press> = .record(
        { ReactionResult.Press(key: $0, at: $1, onset: $2, reference: $3) },
        WireField("key", \.key, .text(.word(Set(Tapping.possibleKeys)))),
        WireField("pressed", \.instant, .elapsed), WireField("onset", \.onset, .elapsed),
        WireField("reference", \.reference, .word("what a reaction is measured from"))
    ).and {
        WireField("repetition", unless: false, \.isRepetition, .boolean)
    }
}

extension ResultBundle.Answer.Reaction: Wired {
    /// The reaction as `result.json` holds it beside the answer.
    static let form: WireForm<ResultBundle.Answer.Reaction> = .record(
        ResultBundle.Answer.Reaction.init,
        WireField(optional: "key", \.key, .text(.word(Set(Tapping.possibleKeys)))),
        WireField(optional: "time", \.time, .elapsed), WireField(optional: "onsetOffset", \.onset, .elapsed),
        WireField(optional: "pressedOffset", \.pressed, .elapsed),
        WireField(optional: "measuredFrom", \.measuredFrom, .text(.words(ReactionResult.Reference.self))),
        WireField(optional: "right", \.isRight, .boolean),
        WireField("ignoredKeys", \.ignoredKeys, .count))

    init(_ result: ReactionResult) {
        let press = result.press
        self.init(
            key: press?.key, time: press?.time.written, onset: press?.onset.written,
            pressed: press?.instant.written, measuredFrom: press?.reference.rawValue,
            isRight: result.isRight, ignoredKeys: result.ignoredKeys)
    }
}
