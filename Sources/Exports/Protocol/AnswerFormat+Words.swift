import StudyModel
import TextFormat

extension AnswerFormat {
    /// The form of an answer, in words that follow "The answer is".
    var words: String {
        switch domain {
        case .interval(let minimum, let maximum, let isWhole):
            (isWhole ? "a whole number" : "a number")
                + (scale.map { " from \($0.words)" }
                    ?? Self.limits(minimum.map(plainNumber), maximum.map(plainNumber)))
                + (scale.flatMap { isWhole ? nil : ", with \(counted($0.decimals, "decimal"))" } ?? "")
                + (unit.map { ", in \($0)" } ?? "")
        case .oneOf where kind == .boolean: "yes or no"
        case .oneOf(let choices): "one of \(choices.count) choices\(choices.words(offer?.order))"
        case .severalOf(let choices): "any number of \(choices.count) choices\(choices.words(offer?.order))"
        case .ordered(.day, let minimum, let maximum): "a calendar day" + Self.limits(minimum, maximum)
        case .ordered(.time, let minimum, let maximum): "a time of day" + Self.limits(minimum, maximum)
        case .free:
            "words of the participant's own" + (hasSeveralLines ? ", also of several lines" : "")
                + (longest.map { ", at most \(counted($0, "character"))" } ?? "")
                + (pattern.map { ", of the form \($0)" } ?? "")
        }
    }

    private static func limits(_ minimum: String?, _ maximum: String?) -> String {
        switch (minimum, maximum) {
        case (let minimum?, let maximum?): " from \(minimum) to \(maximum)"
        case (let minimum?, nil): " of at least \(minimum)"
        case (nil, let maximum?): " of at most \(maximum)"
        case (nil, nil): ""
        }
    }

    /// Whether the participant may write anything as an answer.
    var isFreelyWritten: Bool {
        kind.traits.isFreelyWritten || offer?.choices.contains(where: \.isOther) == true
    }

    /// Everything in it that a participant reads.
    var wordings: [Wording] {
        meanings.map { value, text in
            if case .number(let number) = value.compared {
                return Wording("label of \(plainNumber(number))", text)
            }
            return Wording(offer == nil ? value.words.joined() : "choice '\(value.words.joined())'", text)
        }
    }
}

extension AnswerFormat.Scale {
    fileprivate var words: String {
        "\(plainNumber(from)) to \(plainNumber(to))"
            + (areNumbersShown ? "" : ", without numbers on the screen")
            + (start.map { ", beginning at \(plainNumber($0))" } ?? "")
    }
}

extension [AnswerFormat.Choice] {
    fileprivate func words(_ order: ItemOrder?) -> String {
        let written = filter(\.isOther).map(\.value)
        let alone = filter(\.isExclusive).map(\.value)
        let missing = filter(\.isMissing).map(\.value)
        return (written.isEmpty ? "" : ", where '\(listed(written))' asks for words")
            + (alone.isEmpty ? "" : ", where '\(listed(alone))' goes with no other")
            + (missing.isEmpty ? "" : ", where '\(listed(missing))' counts as no answer")
            + (order?.words.map { "; their order is \($0)" } ?? "")
    }
}

extension ItemOrder {
    /// How the order is decided, in words; `nil` for the study's own order.
    var words: String? {
        switch self {
        case .fixed: nil
        case .shuffle: "drawn for each participant"
        case .reverse: "that of the study or its reverse, drawn for each participant"
        case .drawn: "drawn"
        }
    }
}

/// A text of the study, with the place where it stands.
struct Wording: Hashable {
    var place: String
    var text: LocalizedText

    init(_ place: String, _ text: LocalizedText) { (self.place, self.text) = (place, text) }

    init?(_ place: String, ifAny text: LocalizedText?) {
        guard let text else { return nil }
        self.init(place, text)
    }
}

extension Question {
    /// Everything in the question that a participant reads.
    ///
    /// - Parameter isNamed: whether it is one of several, so that its name must be given.
    func wordings(isNamed: Bool) -> [Wording] {
        let prefix = isNamed ? "\(identifier): " : ""
        let own =
            [
                Wording("question", ifAny: title), Wording("text", ifAny: text),
            ].compactMap(\.self) + format.wordings
            + [Wording("if an answer is refused", ifAny: invalidMessage)].compactMap(\.self)
        return own.map { Wording(prefix + $0.place, $0.text) }
    }

    /// The form of its answer, in a sentence.
    var sentence: String {
        "\(identifier) asks for \(format.words)\(isOptional ? "; it may be left unanswered" : "")."
    }
}
