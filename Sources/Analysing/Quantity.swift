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
    ///
    /// - Parameter titles: those of questions, which then stand for their names.
    package init(of outcome: Outcome, titles: [String: String] = [:]) {
        let of = outcome.subject.words(titles)
        let facts = outcome.measure.facts
        let minus = outcome.reference.map { " minus \($0.words(titles, after: outcome.subject))" } ?? ""
        let by = outcome.factors.isEmpty ? "" : " by \(listed(outcome.factors.map(\.text)))"
        self.init(
            name: outcome.measure.rawValue, plural: "\(facts.names.plural) \(of)\(minus)\(by)",
            singular: "\(facts.names.singular) \(of)\(minus)\(by)", unit: facts.unit, symbol: facts.symbol,
            places: facts.places, noun: "value")
    }

    /// `, per minute`, after the quantity; empty without a unit.
    package var unitBehind: String { unit.isEmpty ? "" : ", \(unit)" }
    /// ` per minute`, after a number; empty without a unit.
    package var unitOfNumber: String { unit.isEmpty ? "" : " \(unit)" }
}

extension Outcome.Subject {
    /// Its name, or the title of its question with the step in which it is asked.
    ///
    /// - Parameter other: what was named before it; the title of the same question is not said twice.
    package func words(_ titles: [String: String], after other: Self? = nil) -> String {
        guard let item = item?.text, let title = titles[item] else { return printable(name) }
        let step = name.hasSuffix(".\(item)") ? printable(String(name.dropLast(item.count + 1))) : nil
        guard let step else { return "“\(printable(title))”" }
        return item == other?.item?.text ? "the same in \(step)" : "“\(printable(title))” in \(step)"
    }
}

extension [String: String] {
    /// The titles that only one thing has.
    package var unambiguous: Self {
        let uses = values.reduce(into: [:]) { $0[$1, default: 0] += 1 }
        return filter { uses[$0.value] == 1 }
    }
}
