import Datasets
import Participants
import Physiology
import Results
import StudyModel
import TextFormat

/// Answers from before the first timed step: a row of the table that describes the participants.
package struct Characteristic: Sendable {
    package var question: String
    /// The values by column: all participants, and then each arm if there are several; `nil` if nobody answered.
    package var columns: [(name: String, values: Values?)]

    package enum Values: Sendable {
        /// - Parameters:
        ///   - deviation: with count − 1; `nil` below two.
        case numbers(count: Int, mean: Double, deviation: Double?, range: ClosedRange<Double>)
        /// How many chose each value, of all who answered; the most frequent first.
        case choices([(name: String, count: Int)], of: Int)
    }

    /// One participant's answer.
    enum Answer: Sendable {
        case number(Double)
        /// The values chosen, if several could be chosen.
        case choices([String])
    }

    /// What everybody answered to one question.
    struct Answers: Sendable {
        var question: String
        /// By participant, in order.
        var people: [(participant: String, arm: String?, answer: Answer)]
    }

    /// - Parameter runs: the runs; each participant's first answer counts.
    static func answers(of runs: [RunResponses]) -> [Answers] {
        var order: [String] = []
        var answers: [String: [String: (arm: String?, answer: Answer)]] = [:]
        let inTime = runs.sorted {
            ($0.session.session, $0.session.start) < ($1.session.session, $1.session.start)
        }
        for run in inTime {
            for (question, answer) in run.baseline {
                if answers[question] == nil { order.append(question) }
                let person = run.session.participant
                if answers[question, default: [:]][person] == nil {
                    answers[question, default: [:]][person] = (run.session.arm, answer)
                }
            }
        }
        return order.map { question in
            Answers(
                question: question,
                people: (answers[question] ?? [:]).sorted { $0.key < $1.key }.map {
                    ($0.key, $0.value.arm, $0.value.answer)
                })
        }
    }

    /// - Parameter arms: the arms of the study, in order.
    init?(_ answers: Answers, arms: [String]) {
        guard let all = Values(answers.people.map(\.answer)) else { return nil }
        let ofArms = arms.map { arm in
            (name: arm, values: Values(answers.people.filter { $0.arm == arm }.map(\.answer)))
        }
        question = answers.question
        columns = [(name: "all", values: all)] + (arms.count < 2 ? [] : ofArms)
    }
}

extension Characteristic.Values {
    /// - Returns: `nil` if nobody answered, or the answers are not of one kind.
    fileprivate init?(_ answers: [Characteristic.Answer]) {
        var (numbers, counts, chosen): ([Double], [String: Int], Int) = ([], [:], 0)
        for answer in answers {
            switch answer {
            case .number(let value): numbers.append(value)
            case .choices(let names):
                chosen += 1
                for name in names { counts[name, default: 0] += 1 }
            }
        }
        if chosen == 0, let low = numbers.min(), let high = numbers.max() {
            self = .numbers(
                count: numbers.count, mean: numbers.mean,
                deviation: numbers.count > 1 ? standardDeviation(numbers) : nil, range: low...high)
        } else if numbers.isEmpty, chosen > 0 {
            self = .choices(
                counts.sorted { (-$0.value, $0.key) < (-$1.value, $1.key) }.map { ($0.key, $0.value) },
                of: chosen)
        } else {
            return nil
        }
    }

    /// `24.3 (SD 4.1), 18 … 35; n 40`, or `female 22 (55 %), male 18 (45 %); n 40`.
    package var words: String {
        switch self {
        case .numbers(let count, let mean, let deviation, let range):
            let spread = deviation.map { " (SD \(decimals($0, 1)))" } ?? ""
            return
                "\(decimals(mean, 1))\(spread), \(decimals(range.lowerBound, 0)) … \(decimals(range.upperBound, 0)); n \(count)"
        case .choices(let counts, let count):
            let shown = counts.prefix(Self.mostChoices).map { name, own in
                "\(printable(name)) \(own) (\(decimals(100 * Double(own) / Double(count), 0)) %)"
            }
            let more = counts.count > shown.count ? ", \(counts.count - shown.count) others" : ""
            return "\(shown.joined(separator: ", "))\(more); n \(count)"
        }
    }

    private static let mostChoices = 12

    var json: JSON {
        switch self {
        case .numbers(let count, let mean, let deviation, let range):
            [
                "count": .integer(count), "mean": .real(mean), "deviation": .optional(deviation),
                "low": .real(range.lowerBound), "high": .real(range.upperBound),
            ]
        case .choices(let counts, let count):
            [
                "count": .integer(count),
                "choices": .list(counts.map { ["name": .text($0.name), "count": .integer($0.count)] }),
            ]
        }
    }
}

extension Characteristic {
    var json: JSON {
        [
            "question": .text(question),
            "columns": .list(columns.map { ["name": .text($0.name), "values": $0.values?.json ?? .null] }),
        ]
    }
}

extension Characteristic.Answer {
    /// - Parameter row: of the table of participants.
    /// - Returns: `nil` if it is no answer.
    init?(_ row: JSON) throws {
        let (kind, text) = (try row.field("kind"), try row.field("value").asText())
        switch try kind.expect(ParticipantTrait.Kind(rawValue: kind.asText()), "a kind") {
        case .number: self = .number(try row.field("number").asNumber())
        case .boolean: self = .choices([text == "true" ? "yes" : "no"])
        case .choice: self = .choices([text])
        case .choices: self = .choices(try JSON(parsing: Array(text.utf8)).asList { try $0.asText() })
        case .arm: return nil
        }
    }
}
