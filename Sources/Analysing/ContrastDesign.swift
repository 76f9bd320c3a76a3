import Physiology
import Statistics
import StudyModel

/// The columns of the model that compares conditions: one row for each participant and condition, with the mean of
/// their values. An intercept for each participant describes such rows; it does not describe many trials of a
/// participant who responds to a condition in a way of their own.
struct ContrastDesign {
    let conditions: [String]
    /// Each condition as columns 1 and on have it: a column for each but the first or, if two factors are crossed,
    /// one for each level but the first of both, and their products.
    private let codes: [[Double]]
    /// If two factors are crossed, the condition of each level of the first, and within it of the second.
    let cells: [[Int]]
    /// The levels of the crossed factors.
    let levelNames: [[String]]
    /// The rows that are included.
    let sources: [ContrastRow]
    /// The values to be explained.
    let values: [Double]
    /// The participant of each row, from 0.
    let groups: [Int]
    /// The condition of each row.
    let levels: [Int]
    /// The conditions that each participant has responses to.
    let heard: [Set<Int>]
    private(set) var columns: [[Double]]
    private var spans: [(kind: Adjustment.Kind, columns: Range<Int>)] = []
    private var costly: [Adjustment] = []

    /// Up to this many places or sessions have a column each; more are modelled by a straight line.
    private static let mostPlaces = 12

    /// The columns that together are the conditions.
    private var conditionColumns: Range<Int> { 1..<conditions.count }
    /// Those that are tested: all of them or, if factors are crossed, their products.
    var testedColumns: Range<Int> {
        guard let row = cells.first else { return conditionColumns }
        return conditions.count - (cells.count - 1) * (row.count - 1)..<conditions.count
    }

    /// - Parameter isCrossed: whether the rows have levels of two factors.
    init(
        _ values: [ContrastRow], _ quantity: Quantity, _ factor: ConditionFactor, isCrossed: Bool = false
    ) throws(NoContrasts) {
        let rows = values.meansOfCells
        let conditions = Set(rows.map(\.condition)).sorted()
        guard conditions.count <= ConditionContrasts.mostConditions else {
            throw NoContrasts(quantity, factor, .tooMany)
        }
        let people = Set(rows.map(\.participant)).sorted()
        let places = Dictionary(uniqueKeysWithValues: people.enumerated().map { ($1, $0) })
        groups = rows.compactMap { places[$0.participant] }
        levels = rows.compactMap { conditions.firstIndex(of: $0.condition) }
        var heard = Array(repeating: Set<Int>(), count: people.count)
        for (group, level) in zip(groups, levels) { heard[group].insert(level) }
        guard heard.count(where: { $0.count > 1 }) > 1 else {
            throw NoContrasts(quantity, factor, .notWithin)
        }
        self.conditions = conditions
        self.heard = heard
        if isCrossed {
            let names = (0...1).map { place in Set(rows.map { $0.levels[place] }).sorted() }
            let own = Dictionary(rows.map { ($0.levels, $0.condition) }) { first, _ in first }
            let found = names[0].map { first in
                names[1].compactMap { own[[first, $0]].flatMap(conditions.firstIndex) }
            }
            guard found.count > 1, names[1].count > 1, found.allSatisfy({ $0.count == names[1].count })
            else { throw NoContrasts(quantity, factor, .notCrossed) }
            (cells, levelNames) = (found, names)
            codes = Self.crossed(found, conditions.count)
        } else {
            (cells, levelNames) = ([], [])
            codes = conditions.indices.map { own in
                conditions.indices.dropFirst().map { $0 == own ? 1 : 0 }
            }
        }
        sources = rows
        self.values = rows.map(\.value)
        let (levels, codes) = (levels, codes)
        columns =
            [rows.map { _ in 1 }]
            + conditions.indices.dropLast().map { column in levels.map { codes[$0][column] } }
        let areMeans = rows.count < values.count
        add(.session, Self.columns(of: rows.map(\.session), areMeans: areMeans))
        let placed = Self.columns(of: rows.map(\.place), areMeans: areMeans)
        // In trials of a fixed order, a condition and its mean place are nearly the same.
        if areMeans { addUnlessCostly(.place, placed) } else { add(.place, placed) }
        add(.rest, baselines(rows))
        addBefore(rows)
    }

    /// The first condition minus the second, as weights of the columns.
    func weights(_ first: Int, minus second: Int) -> [Int: Double] { weights([first: 1, second: -1]) }

    /// A sum of conditions, each multiplied by its weight, as weights of the columns; the weights' sum is 0.
    func weights(_ shares: [Int: Double]) -> [Int: Double] {
        var weights: [Int: Double] = [:]
        for column in conditionColumns {
            let sum = shares.reduce(0) { $0 + $1.value * codes[$1.key][column - 1] }
            if sum != 0 { weights[column] = sum }
        }
        return weights
    }

    /// The codes of crossed factors: a column for each level but the first of both, and the products of these.
    private static func crossed(_ cells: [[Int]], _ count: Int) -> [[Double]] {
        var codes = Array(repeating: [Double](), count: count)
        for (first, row) in cells.enumerated() {
            for (second, condition) in row.enumerated() {
                let one = cells.indices.dropFirst().map { $0 == first ? 1.0 : 0 }
                let other = row.indices.dropFirst().map { $0 == second ? 1.0 : 0 }
                codes[condition] = one + other + one.flatMap { own in other.map { own * $0 } }
            }
        }
        return codes
    }

    /// - Parameter kept: the columns that the model includes.
    func adjustments(kept: [Int]) -> [Adjustment] {
        spans.map { span in
            Adjustment(
                kind: span.kind, kept: kept.count(where: span.columns.contains), columns: span.columns.count)
        } + costly
    }

    /// How much of the adjusted values each participant's conditions, and everything else, explain; `nil` if
    /// nothing varies.
    var scores: SignFlips.Scores? {
        let others = columns.indices.filter { !testedColumns.contains($0) }.map { columns[$0] }
        guard let model = MixedModel(values, on: others, groups: groups) else { return nil }
        var basis = OrthonormalColumns()
        for column in others { _ = basis.add(whitened(column, model.ratio), partOf: column) }
        var left = whitened(values, model.ratio)
        _ = basis.remove(from: &left)
        let adjusted = basis.columns.indices
        for column in testedColumns { _ = basis.add(whitened(columns[column], model.ratio)) }
        var sums = Array(
            repeating: Array(repeating: 0.0, count: basis.columns.count), count: heard.count)
        for (place, direction) in basis.columns.enumerated() {
            for (row, group) in groups.enumerated() { sums[group][place] += direction[row] * left[row] }
        }
        return SignFlips.Scores(
            ofParticipants: sums, others: adjusted, squares: left.reduce(0) { $0 + $1 * $1 })
    }

    /// Rows that are independent if the rows of a participant share an intercept.
    private func whitened(_ column: [Double], _ ratio: Double) -> [Double] {
        withinParticipants(column) { 1 - 1 / (1 + $0 * ratio).squareRoot() }
    }

    private mutating func add(_ kind: Adjustment.Kind, _ added: [[Double]]) {
        guard !added.isEmpty else { return }
        spans.append((kind, columns.count..<columns.count + added.count))
        columns += added
    }

    /// - Parameter areMeans: whether they are means, which have a straight line only.
    private static func columns(of numbers: [Double], areMeans: Bool) -> [[Double]] {
        let distinct = Set(numbers).sorted()
        guard distinct.count > 1 else { return [] }
        guard distinct.count <= mostPlaces, !areMeans else { return [numbers] }
        return distinct.dropFirst().map { own in numbers.map { $0 == own ? 1 : 0 } }
    }

    /// The mean of the participant's rests, and the distance of each rest from it. The first separates
    /// participants, the second separates rests (Kenward and Roger 2010, doi 10.1093/biostatistics/kxp046).
    private func baselines(_ rows: [ContrastRow]) -> [[Double]] {
        let rests = rows.compactMap(\.baseline)
        guard rests.count == rows.count else { return [] }
        var sums = Array(repeating: (sum: 0.0, count: 0.0), count: heard.count)
        for (group, rest) in zip(groups, rests) {
            sums[group].sum += rest
            sums[group].count += 1
        }
        let means = groups.map { sums[$0].sum / sums[$0].count }
        let centre = means.mean
        return [means.map { $0 - centre }, zip(rests, means).map { $0 - $1 }]
    }

    private mutating func addBefore(_ rows: [ContrastRow]) {
        let last = conditions.count - 1
        let before = rows.map { row in conditions.map { row.before[$0] ?? 0 } }
        guard before.contains(where: { $0.contains { $0 > 0 } }) else { return }
        let added = (0..<last).map { level in before.map { $0[level] - $0[last] } }
        addUnlessCostly(.before, added)
    }

    /// Adds columns completely or not at all. They are left out if they cannot be distinguished from the rest, or if the
    /// contrasts would be less than half as precise. This depends on the orders alone, not on the responses.
    private mutating func addUnlessCostly(_ kind: Adjustment.Kind, _ added: [[Double]]) {
        guard !added.isEmpty else { return }
        let without = spread(of: columns)
        let with = spread(of: columns + added)
        if with.kept - without.kept < added.count {
            costly.append(Adjustment(kind: kind, kept: 0, columns: added.count))
        } else if with.variance > 4 * without.variance {
            costly.append(Adjustment(kind: kind, kept: 0, columns: added.count, isTooCostly: true))
        } else {
            add(kind, added)
        }
    }

    /// How many columns carry information, and the sum of the variances of all contrasts for free participant
    /// effects, in units of the residual variance.
    private func spread(of columns: [[Double]]) -> (kept: Int, variance: Double) {
        var basis = OrthonormalColumns()
        let kept = columns.indices.filter { index in
            basis.add(withinParticipants(columns[index]), partOf: columns[index])
        }
        var variance = 0.0
        for first in conditions.indices {
            for second in conditions.indices where second > first {
                let weights = weights(first, minus: second)
                let turned = basis.turned(kept.map { weights[$0] ?? 0 })
                variance += turned.reduce(0) { $0 + $1 * $1 }
            }
        }
        return (kept.count, variance)
    }

    /// - Parameter share: how much of a participant's mean is removed, by the number of their rows.
    private func withinParticipants(
        _ column: [Double], _ share: (Double) -> Double = { _ in 1 }
    ) -> [Double] {
        var sums = Array(repeating: (sum: 0.0, count: 0.0), count: heard.count)
        for (group, value) in zip(groups, column) {
            sums[group].sum += value
            sums[group].count += 1
        }
        let taken = sums.map { share($0.count) * $0.sum / $0.count }
        return zip(groups, column).map { $1 - taken[$0] }
    }
}

/// A value under a condition, or the mean of several, with the variables it is adjusted for.
struct ContrastRow {
    var participant: String
    var session: Double
    /// The position of the value within the session, from 1.
    var place: Double
    /// How it is named as an outlier.
    var label: String
    var condition: String
    /// The values of the outcome's factors, which together are the condition.
    var levels: [String] = []
    /// The condition before it in the session: the share of the values, 0...1, that came after each.
    var before: [String: Double]
    var value: Double
    /// What the value is relative to; `nil` if it is not relative to anything.
    var baseline: Double?
}

extension [ContrastRow] {
    /// The mean of each participant and condition, in the order of the first value of each.
    fileprivate var meansOfCells: [ContrastRow] {
        var order: [[String]] = []
        var cells: [[String]: [ContrastRow]] = [:]
        for row in self {
            let cell = [row.participant, row.condition]
            if cells[cell] == nil { order.append(cell) }
            cells[cell, default: []].append(row)
        }
        return order.compactMap { cells[$0]?.mean }
    }

    private var mean: ContrastRow? {
        guard var mean = first, count > 1 else { return first }
        let number = Double(count)
        let average = { (value: (ContrastRow) -> Double) in reduce(0) { $0 + value($1) } / number }
        (mean.session, mean.place, mean.value) = (average(\.session), average(\.place), average(\.value))
        mean.baseline = allSatisfy { $0.baseline != nil } ? average { $0.baseline ?? 0 } : nil
        mean.before = reduce(into: [:]) { shares, row in
            for (condition, share) in row.before { shares[condition, default: 0] += share / number }
        }
        mean.label = "\(mean.condition), mean of \(count)"
        return mean
    }
}

extension ConditionContrasts.Measure {
    var quantity: Quantity {
        switch self {
        case .heartRate: .heartRate
        case .rmssd: .rmssd
        }
    }

    /// The responses that have a condition and a value.
    func rows(of responses: [ClipResponse], _ factor: ConditionFactor) -> [ContrastRow] {
        responses.compactMap { response in
            guard let condition = factor.condition(of: response.heard),
                let (value, baseline) = value(of: response)
            else { return nil }
            return ContrastRow(
                participant: response.participant, session: Double(response.session),
                place: Double(response.place), label: response.clip, condition: condition,
                before: response.before.flatMap(factor.condition).map { [$0: 1] } ?? [:], value: value,
                baseline: baseline)
        }
    }

    /// The change of a response, with the rest that it is relative to.
    func value(of response: ClipResponse) -> (Double, Double)? {
        switch self {
        case .heartRate: (response.change, response.heartRate.baseline)
        case .rmssd: response.variability.map { ($0.change, $0.baseline) }
        }
    }
}
