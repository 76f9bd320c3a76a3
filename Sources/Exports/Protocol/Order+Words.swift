import StudyModel
import TextFormat

extension Block.Order {
    /// How the rounds are ordered, in words that follow "The order of the rounds is".
    ///
    /// - Parameter count: the number of clips or conditions.
    func words(of count: Int) -> String {
        switch self {
        case .fixed: "that of the study file"
        case .shuffle([]): "drawn anew for each pass; every order is equally likely"
        case .shuffle(let constraints):
            "drawn anew for each pass; every order that keeps these rules is equally likely. "
                + constraints.map { "\($0.sentence)" }.joined(separator: " ")
        case .latinSquare: DrawMethod.latinSquare.words(of: count)
        case .williams: DrawMethod.williams.words(of: count)
        case .sameAs(let block): "the same as that of \(block), pass by pass"
        }
    }
}

extension OrderConstraint {
    /// The constraint, in a sentence.
    var sentence: String {
        switch self {
        case .noImmediateRepeat(let attribute): "No two neighbours are alike in \(Self.name(attribute))."
        case .maximumRun(let attribute, let length, let only?):
            "At most \(length) in a row \(length == 1 ? "has" : "have") '\(only)' for \(Self.name(attribute))."
        case .minimumDistance(let attribute, let steps, let only?):
            "Two that have '\(only)' for \(Self.name(attribute)) stand at least \(counted(steps, "place")) apart."
        case .maximumRun(let attribute, let length, nil):
            "At most \(length) in a row are alike in \(Self.name(attribute))."
        case .minimumDistance(let attribute, let steps, nil):
            "Two that are alike in \(Self.name(attribute)) stand at least \(counted(steps, "place")) apart."
        case .equalHalves(let attribute):
            "Each value of \(Self.name(attribute)) comes in both halves equally often, or once more in one of them."
        case .firstOf(let names): "The first is \(listed(names.map(\.text), last: "or"))."
        case .notFirst(let names): "The first is not \(listed(names.map(\.text), last: "or"))."
        case .notLast(let names): "The last is not \(listed(names.map(\.text), last: "or"))."
        }
    }

    private static func name(_ attribute: String) -> String {
        attribute == Stimulus.identity ? "their name" : "'\(attribute)'"
    }
}

extension DrawMethod {
    /// How clips are drawn, in words that follow "the choice is".
    ///
    /// - Parameter count: the number of clips.
    func words(of count: Int) -> String {
        switch self {
        case .random: "drawn; every clip is equally likely, whatever was drawn before"
        case .weighted: "drawn by weights, whatever was drawn before"
        case .withoutReplacement: "drawn; no clip comes again until all were heard"
        case .fixed: "the next one in the order of the set"
        case .latinSquare:
            "the participant's row of a Latin square; over \(counted(count, "participant")) each of them comes equally often at "
                + "each place"
        case .williams:
            "the participant's row of a Williams design; over \(counted(count % 2 == 0 ? count : 2 * count, "participant")) "
                + "each of them comes equally often at each place, and equally often directly after each other one"
        }
    }
}

extension DrawnDuration {
    /// What is drawn, in words that follow "The step lasts".
    var words: String {
        switch self {
        case .uniform(let range):
            "from \(range.lowerBound.words) to \(range.upperBound.words); the time is drawn for each visit, and every "
                + "millisecond is equally likely"
        case .oneOf(let durations):
            "\(listed(durations.map(\.words), last: "or")); the time is drawn for each visit, and each is equally likely"
        }
    }
}

extension Study.NextTask {
    /// Which task a session does, in a sentence.
    func sentence(of count: Int) -> String {
        switch self {
        case .menu: "Participants choose the task when a run begins."
        case .fixed: "Each session does one task, in the order of the study file."
        case .shuffle: "Each session does one task, in an order that is drawn for each participant."
        case .latinSquare:
            "Each session does one task. The order is \(DrawMethod.latinSquare.words(of: count))."
        case .williams: "Each session does one task. The order is \(DrawMethod.williams.words(of: count))."
        }
    }
}
