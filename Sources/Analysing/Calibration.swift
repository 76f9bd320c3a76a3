import Datasets
import Physiology
import Statistics
import StudyModel
import TextFormat

/// What the test of an outcome says in studies without an effect: with the design, the missing values and the spread of
/// the study at hand, from a normal distribution.
package struct Calibration: Sendable {
    /// The studies by p of at most 0.05.
    package private(set) var studies = PowerSimulation.Tally()
    /// Studies with a p as small as that of the study at hand.
    package private(set) var asSmall = 0
    /// The 95 % intervals of all contrasts, and how many of them hold the truth, which is 0.
    package private(set) var intervals = 0
    package private(set) var covering = 0
    let model: NullModel

    /// What one simulated study says.
    private struct Answer: Sendable {
        var p: Double?
        var intervals: Int
        var covering: Int

        init(_ outcome: Outcome, _ values: [OutcomeValue]) {
            var outcome = outcome
            // Without other choices of values.
            outcome.rank = .usual
            let result = OutcomeResult(testing: outcome, values)
            p = result.p
            intervals = result.contrasts.count
            covering = result.contrasts.count { $0.interval.contains(0) }
        }
    }

    /// Studies that one piece of the work simulates.
    static let size = 25

    /// - Parameters:
    ///   - values: what the result was worked out from.
    ///   - count: how many studies are simulated.
    ///   - random: the generator of each piece of the work, by its number from 0.
    /// - Returns: `nil` without a test.
    init?(
        of result: OutcomeResult, _ values: [OutcomeValue], studies count: Int,
        _ random: @escaping @Sendable (Int) -> any RandomNumberGenerator
    ) async throws {
        guard let p = result.p, let model = NullModel(of: result, values) else { return nil }
        self.model = model
        let outcome = result.outcome
        let pieces = stride(from: 0, to: count, by: Self.size).map { $0..<min($0 + Self.size, count) }
        var answers: [Answer] = []
        try await inOrder(pieces, share: 1) { piece in
            var random = random(piece.lowerBound / Self.size)
            return piece.map { _ in Answer(outcome, model.draw(values, using: &random)) }
        } _: {
            answers += $1
        }
        for answer in answers { add(answer, beside: p) }
    }

    private mutating func add(_ answer: Answer, beside p: Double) {
        studies.add(p: answer.p)
        if (answer.p ?? 1) <= p { asSmall += 1 }
        intervals += answer.intervals
        covering += answer.covering
    }

    /// The p of the study at hand among those of the simulated studies; it counts as one of them.
    package var p: Double { Double(asSmall + 1) / Double(studies.studies + 1) }
    /// The share of the intervals that hold the truth.
    package var coverage: Double { Double(covering) / Double(max(intervals, 1)) }

    /// For people.
    package var sentence: String {
        func percent(_ share: Double) -> String { decimals(100 * share, 1) }
        let range = studies.interval
        return
            "With your design and spread, this test says 'different' in \(percent(studies.share)) % of \(studies.studies) studies "
            + "without an effect (95 % interval \(percent(range.lowerBound)) … \(percent(range.upperBound)) %; wanted are 5 %), "
            + "and \(percent(coverage)) % of its 95 % intervals hold the truth. p is as small as yours in "
            + "\(asSmall) of them: a calibrated p of \(pText(p))."
    }

    var json: JSON {
        [
            "studies": .integer(studies.studies), "withoutAnswer": .integer(studies.withoutAnswer),
            "found": .integer(studies.found), "share": .real(studies.share),
            "low": .real(studies.interval.lowerBound), "high": .real(studies.interval.upperBound),
            "asSmall": .integer(asSmall), "p": .real(p), "intervals": .integer(intervals),
            "covering": .integer(covering), "participantDeviation": .real(model.ofPeople),
            "groups": .list(
                model.groups.sorted { $0.key < $1.key }.map {
                    [
                        "name": .text($0.key), "between": .real($0.value.between),
                        "within": .real($0.value.within),
                    ]
                }),
        ]
    }
}

extension Analysis {
    /// Finds out how the tests of all outcomes behave in studies without an effect.
    ///
    /// - Parameters:
    ///   - count: how many studies are simulated for each outcome.
    ///   - random: the generator of each piece of the work, by its number from 0. The same generators give the same result.
    package mutating func calibrate(
        studies count: Int, _ random: @escaping @Sendable (Int) -> any RandomNumberGenerator
    ) async throws {
        var pieces = 0
        for study in studies.indices {
            for (place, result) in studies[study].outcomes.enumerated() {
                let visits = studies[study].visits.first { $0.outcome == result.outcome }
                let before = pieces
                pieces += (count + Calibration.size - 1) / Calibration.size
                studies[study].outcomes[place].calibration = try await Calibration(
                    of: result, visits?.values ?? [], studies: count
                ) { random(before + $0) }
            }
        }
    }
}

/// The spread of an outcome's values, without any effect: each value is the sum of what is normally distributed over participants,
/// over participants in a condition or arm, and over values. What the test adjusts for is 0, because the test does not depend
/// on it.
struct NullModel: Sendable {
    /// The standard deviation of participants in all their conditions.
    let ofPeople: Double
    /// The standard deviations in each arm or condition; with only one of them, its name is empty.
    let groups: [String: Deviations]
    /// The arm or condition of each value, and the numbers of its participant and of the participant in it.
    private let names: [String]
    private let people: [Int]
    private let cells: [Int]

    struct Deviations: Sendable {
        /// Of the participants, beyond `ofPeople`.
        var between: Double
        /// Of a participant's values.
        var within: Double
    }

    /// - Returns: `nil` without a test.
    init?(of result: OutcomeResult, _ values: [OutcomeValue]) {
        let group: (OutcomeValue) -> String
        let (variances, ofPeople): ([String: Double], Double)
        switch result.finding {
        case .mean, .none: return nil
        case .change(let difference, _):
            group = { _ in "" }
            (variances, ofPeople) = (["": (difference.deviation ?? 0) * (difference.deviation ?? 0)], 0)
        case .arms:
            group = { $0.arm ?? "" }
            let members = Dictionary(grouping: OutcomeResult.members(of: values), by: \.group)
            let names = members.keys.sorted()
            guard let means = ArmMeans(names.map { members[$0, default: []] }) else { return nil }
            variances = Dictionary(uniqueKeysWithValues: zip(names, means.variances))
            ofPeople = 0
        case .conditions(let contrasts):
            group = { contrasts.factor.condition(of: $0) ?? "" }
            let rows = ContrastRow.rows(of: values, contrasts.factor)
            guard let design = try? ContrastDesign(rows, contrasts.quantity, contrasts.factor),
                let model = MixedModel(design.values, on: design.columns, groups: design.groups)
            else { return nil }
            variances = Dictionary(
                uniqueKeysWithValues: zip(design.conditions, design.variances(of: model)))
            ofPeople = contrasts.participantDeviation
        }
        self.ofPeople = ofPeople
        names = values.map(group)
        people = Self.numbers(of: values.map { [$0.participant] })
        cells = Self.numbers(of: zip(values, names).map { [$0.participant, $1] })
        let (names, cells) = (names, cells)
        groups = Dictionary(grouping: values.indices) { names[$0] }.map { name, own in
            let byCell = Dictionary(grouping: own) { cells[$0] }.sorted { $0.key < $1.key }
            let changes = byCell.map { $0.value.map { values[$0].change } }
            return (name, Deviations(of: changes, variance: variances[name] ?? 0))
        }.reduce(into: [:]) { $0[$1.0] = $1.1 }
    }

    /// Equal keys have the same number, from 0, in their order.
    private static func numbers(of keys: [[String]]) -> [Int] {
        let inOrder = Set(keys).sorted { $0.lexicographicallyPrecedes($1) }
        let numbers = Dictionary(uniqueKeysWithValues: inOrder.enumerated().map { ($1, $0) })
        return keys.map { numbers[$0, default: 0] }
    }

    /// The same visits with other values.
    func draw(_ values: [OutcomeValue], using random: inout some RandomNumberGenerator) -> [OutcomeValue] {
        let deviation = ofPeople
        let ofPeople = (0...(people.max() ?? 0)).map { _ in deviation * random.normal() }
        let ofCells = (0...(cells.max() ?? 0)).map { _ in random.normal() }
        return values.indices.map { index in
            var value = values[index]
            let own = groups[names[index]]
            let cell = (own?.between ?? 0) * ofCells[cells[index]]
            let alone = (own?.within ?? 0) * random.normal()
            value.value = (value.baseline ?? 0) + ofPeople[people[index]] + cell + alone
            return value
        }
    }
}

extension NullModel.Deviations {
    /// - Parameters:
    ///   - cells: the values of each participant.
    ///   - variance: that of the participants' means, which have a part of it from their values.
    fileprivate init(of cells: [[Double]], variance: Double) {
        let squares = cells.reduce(0) { sum, own in
            let mean = own.mean
            return own.reduce(sum) { $0 + ($1 - mean) * ($1 - mean) }
        }
        let degrees = cells.reduce(0) { $0 + $1.count - 1 }
        let within = degrees > 0 ? squares / Double(degrees) : 0
        let shares = cells.map { 1 / Double($0.count) }
        let ofMeans = within * shares.mean
        // Values cannot differ more than their means let them.
        let share = ofMeans > variance ? variance / ofMeans : 1
        between = max(0, variance - ofMeans).squareRoot()
        self.within = (within * share).squareRoot()
    }
}

extension ContrastDesign {
    /// The variance of each condition's means beyond the participants' own, from the residuals by conditions and
    /// participants (Grubbs 1948, doi 10.1080/01621459.1948.10501947), with the mean of the model's.
    fileprivate func variances(of model: MixedModel) -> [Double] {
        let count = Double(conditions.count)
        guard conditions.count > 2 else { return conditions.map { _ in model.residualVariance } }
        var left = model.residuals
        // Missing rows need several turns.
        for _ in 0..<20 { for own in [groups, levels] { left = Self.centred(left, own) } }
        let spread = conditions.indices.map { level in
            let own = left.indices.filter { levels[$0] == level }
            return own.reduce(0) { $0 + left[$1] * left[$1] } / Double(max(1, own.count - 1))
        }
        let sum = spread.reduce(0, +) / (1 - 1 / count)
        let variances = spread.map { max(0, ($0 - sum / (count * count)) / (1 - 2 / count)) }
        let scale = variances.mean > 0 ? model.residualVariance / variances.mean : 0
        return variances.map { $0 * scale }
    }

    private static func centred(_ values: [Double], _ places: [Int]) -> [Double] {
        let means = Dictionary(grouping: values.indices) { places[$0] }.mapValues {
            $0.map { values[$0] }.mean
        }
        return values.indices.map { values[$0] - means[places[$0], default: 0] }
    }
}
