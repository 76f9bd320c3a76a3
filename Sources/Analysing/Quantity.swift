package import StudyModel
import TextFormat

/// The quantity of a comparison, for people and programs.
package struct Quantity: Hashable, Sendable {
    /// The name for programs.
    package var name: String
    /// `Heart rates`: the quantity that differs between conditions.
    package var plural: String
    /// `heart rate`
    package var singular: String
    /// The unit for people; empty if there is none.
    package var unit: String
    /// The unit in UCUM; empty if there is none.
    package var symbol: String
    /// Decimal places.
    package var places: Int
    /// The word for the things that have one value each.
    package var noun: String

    /// The change of a heart rate with a clip.
    package static let heartRate = Quantity(
        name: "heartRate", plural: "Heart rates", singular: "heart rate", unit: "per minute",
        symbol: "1/min", places: 2, noun: "clip")
    /// The change of RMSSD with a clip.
    package static let rmssd = Quantity(
        name: "rmssd", plural: "RMSSDs", singular: "RMSSD", unit: "ms", symbol: "ms", places: 1, noun: "clip"
    )
}

extension Quantity {
    /// The quantity of an outcome, in its own words.
    package init(of outcome: Outcome) {
        let of = printable(outcome.subject.name)
        let (plural, singular) =
            switch outcome.measure {
            case .heartRate: ("Heart rates in \(of)", "heart rate in \(of)")
            case .rmssd: ("RMSSDs in \(of)", "RMSSD in \(of)")
            case .sdnn: ("SDNNs in \(of)", "SDNN in \(of)")
            case .rating: ("Ratings in \(of)", "rating in \(of)")
            case .answer: ("Answers to \(of)", "answer to \(of)")
            case .score: ("Scores \(of)", "score \(of)")
            case .recovery: ("Times to the end of \(of)", "time to the end of \(of)")
            case .timeInBand: ("Times in the expected band in \(of)", "time in the expected band in \(of)")
            case .asynchrony: ("Asynchronies of taps in \(of)", "asynchrony of taps in \(of)")
            case .reactionTime: ("Reaction times in \(of)", "reaction time in \(of)")
            case .tapConsistency: ("Consistencies of taps in \(of)", "consistency of taps in \(of)")
            }
        let minus = outcome.reference.map { " minus \(printable($0.name))" } ?? ""
        let (unit, symbol, places) =
            switch outcome.measure {
            case .heartRate: ("per minute", "1/min", 2)
            case .rmssd, .sdnn, .asynchrony, .reactionTime: ("ms", "ms", 1)
            case .rating, .answer, .score: ("", "", 2)
            case .tapConsistency: ("", "", 3)
            case .recovery: ("s", "s", 1)
            case .timeInBand: ("%", "%", 1)
            }
        self.init(
            name: outcome.measure.rawValue, plural: plural + minus, singular: singular + minus, unit: unit,
            symbol: symbol, places: places, noun: "value")
    }

    /// `, per minute`, after the quantity; empty without a unit.
    package var unitBehind: String { unit.isEmpty ? "" : ", \(unit)" }
    /// ` per minute`, after a number; empty without a unit.
    package var unitOfNumber: String { unit.isEmpty ? "" : " \(unit)" }
}
