import Physiology
import Statistics
import StudyModel

/// How groups of participants differ. Each participant counts once.
package struct GroupContrasts: Sendable {
    /// The groups in order.
    package var groups: [Group]
    package var method: Method
    /// All pairs of groups.
    package var contrasts: [ConditionContrasts.Contrast]
    /// Whether any groups differ; `nil` for two groups, whose contrast already shows it.
    package var omnibus: Omnibus?

    /// One group.
    package struct Group: Sendable {
        package var name: String
        package var participants: Int
        package var mean: Double
        /// With count − 1; `nil` below two.
        package var deviation: Double?
    }

    /// How they are compared.
    package enum Method: String, Sendable {
        /// For two groups, and for several whose spread differs: their variances may differ.
        case welch
        /// A linear model for several groups.
        case linear
        /// A linear model that adjusts for the baseline.
        case adjusted
    }

    package struct Omnibus: Sendable {
        package var f: Double
        package var numerator: Int
        package var denominator: Double
        package var p: Double
    }

    /// One participant.
    struct Member {
        var group: String
        var value: Double
        /// The baseline of the value.
        var baseline: Double?
    }

    /// - Returns: `nil` if a group has fewer than two participants, or nothing varies.
    init?(_ members: [Member]) {
        let names = Set(members.map(\.group)).sorted()
        let values = names.map { name in members.filter { $0.group == name }.map(\.value) }
        guard names.count > 1, values.allSatisfy({ $0.count > 1 }) else { return nil }
        groups = zip(names, values).map { name, values in
            Group(
                name: name, participants: values.count,
                mean: values.mean, deviation: standardDeviation(values))
        }
        (contrasts, method) = ([], .linear)
        let baselines = members.compactMap(\.baseline)
        let isAdjusted = baselines.count == members.count
        guard names.count > 2 || isAdjusted else {
            method = .welch
            guard let contrast = Self.welch(groups[0], groups[1]) else { return nil }
            contrasts = [contrast]
            return
        }
        if !isAdjusted, unevenSpread != nil, let test = Self.welch(groups) {
            method = .welch
            omnibus = test
            let groups = groups
            addContrasts { Self.welch(groups[$0], groups[$1]) }
            return
        }
        var columns = [members.map { _ in 1.0 }]
        columns += names.dropFirst().map { name in members.map { $0.group == name ? 1 : 0 } }
        if isAdjusted {
            let centre = baselines.mean
            columns.append(baselines.map { $0 - centre })
        }
        guard let model = LinearModel(members.map(\.value), on: columns) else { return nil }
        // A column that the arms or a constant already determine adjusts for nothing.
        if isAdjusted, model.kept.last == columns.count - 1 { method = .adjusted }
        let own = Array(1..<names.count)
        let pooledDeviation = Self.pooledDeviation(groups)
        guard own.allSatisfy(model.kept.contains) else { return nil }
        if names.count > 2, let f = model.f(of: own) {
            omnibus = Omnibus(
                f: f, numerator: own.count, denominator: Double(model.degrees),
                p: StudentT.share(aboveF: f, Double(own.count), Double(model.degrees)))
        }
        let groups = groups
        addContrasts { first, second in
            model.estimate([first: 1.0, second: -1.0].filter { $0.key > 0 }).map {
                .init(
                    names[first], names[second],
                    participants: groups[first].participants + groups[second].participants, $0,
                    deviation: pooledDeviation)
            }
        }
    }

    /// How the groups differ in spread, if they do.
    package var unevenSpread: UnevenSpread? {
        UnevenSpread(
            groups.compactMap { group in group.deviation.map { .init(name: group.name, value: $0) } })
    }

    /// All pairs that can be compared.
    private mutating func addContrasts(_ compared: (Int, Int) -> ConditionContrasts.Contrast?) {
        for first in groups.indices {
            contrasts += groups[(first + 1)...].indices.compactMap { compared(first, $0) }
        }
        contrasts.correctAfterHolm()
    }

    /// Source: Welch, Biometrika 38 (1951) 330.
    ///
    /// - Returns: `nil` if a group does not vary.
    private static func welch(_ groups: [Group]) -> Omnibus? {
        let weights = groups.map { Double($0.participants) / (($0.deviation ?? 0) * ($0.deviation ?? 0)) }
        let (whole, number) = (weights.reduce(0, +), Double(groups.count))
        guard whole.isFinite, whole > 0 else { return nil }
        let mean = zip(weights, groups).reduce(0) { $0 + $1.0 * $1.1.mean } / whole
        let between = zip(weights, groups).reduce(0) { $0 + $1.0 * ($1.1.mean - mean) * ($1.1.mean - mean) }
        let doubt = zip(weights, groups).reduce(0) {
            $0 + (1 - $1.0 / whole) * (1 - $1.0 / whole) / Double($1.1.participants - 1)
        }
        let f = between / (number - 1) / (1 + 2 * (number - 2) / (number * number - 1) * doubt)
        let denominator = (number * number - 1) / (3 * doubt)
        return Omnibus(
            f: f, numerator: groups.count - 1, denominator: denominator,
            p: StudentT.share(aboveF: f, number - 1, denominator))
    }

    /// Source: Welch, Biometrika 34 (1947) 28.
    private static func welch(_ first: Group, _ second: Group) -> ConditionContrasts.Contrast? {
        let variances = [first, second].map { group in
            (group.deviation ?? 0) * (group.deviation ?? 0) / Double(group.participants)
        }
        let whole = variances[0] + variances[1]
        guard whole > 0 else { return nil }
        let parts = zip(variances, [first, second]).map { variance, group in
            variance * variance / Double(group.participants - 1)
        }
        return .init(
            first.name, second.name, participants: first.participants + second.participants,
            .init(
                value: first.mean - second.mean, error: whole.squareRoot(),
                degrees: whole * whole / (parts[0] + parts[1])),
            deviation: Self.pooledDeviation([first, second]))
    }

    /// The pooled standard deviation of all participants within their groups.
    private static func pooledDeviation(_ groups: [Group]) -> Double {
        let squares = groups.reduce(0) {
            $0 + ($1.deviation ?? 0) * ($1.deviation ?? 0) * Double($1.participants - 1)
        }
        return (squares / Double(max(1, groups.reduce(0) { $0 + $1.participants - 1 }))).squareRoot()
    }
}

/// A linear model by least squares.
struct LinearModel {
    /// Which of the given columns are included; the others are combinations of earlier ones.
    let kept: [Int]
    /// The number of rows minus the number of columns.
    let degrees: Int
    private let basis: OrthonormalColumns
    private let coordinates: [Double]
    private let variance: Double

    /// - Returns: `nil` if no row or no variation is left after fitting the columns.
    init?(_ response: [Double], on given: [[Double]]) {
        var basis = OrthonormalColumns()
        kept = given.indices.filter { basis.add(given[$0]) }
        degrees = response.count - kept.count
        guard degrees > 0 else { return nil }
        var left = response
        var shares = basis.remove(from: &left)
        for (index, share) in basis.remove(from: &left).enumerated() { shares[index] += share }
        let largest = response.reduce(0) { max($0, abs($1)) }
        let squares = left.reduce(0) { $0 + $1 * $1 }
        guard squares > 1e-18 * Double(response.count) * max(1, largest * largest) else { return nil }
        variance = squares / Double(degrees)
        coordinates = shares
        self.basis = basis
    }

    /// - Parameter weights: the weights of the given columns. The result is `nil` if one of them was left out.
    func estimate(_ weights: [Int: Double]) -> MixedModel.Estimate? {
        guard weights.allSatisfy({ $0.value == 0 || kept.contains($0.key) }) else { return nil }
        let turned = basis.turned(kept.map { weights[$0] ?? 0 })
        let value = zip(turned, coordinates).reduce(0) { $0 + $1.0 * $1.1 }
        let spread = turned.reduce(0) { $0 + $1 * $1 }
        return .init(value: value, error: (variance * spread).squareRoot(), degrees: Double(degrees))
    }

    /// The F statistic for all columns together: whether their coefficients are 0.
    func f(of columns: [Int]) -> Double? {
        var rest = OrthonormalColumns()
        for index in kept where !columns.contains(index) { _ = rest.add(given(index)) }
        let others = rest.columns.count
        for index in columns { _ = rest.add(given(index)) }
        // Coordinates of the response along the columns that are added last.
        let added = rest.columns[others...].map { unit in
            zip(coordinates, basis.columns).reduce(0) { sum, pair in
                sum + pair.0 * zip(pair.1, unit).reduce(0) { $0 + $1.0 * $1.1 }
            }
        }
        guard !added.isEmpty else { return nil }
        return added.reduce(0) { $0 + $1 * $1 } / Double(added.count) / variance
    }

    /// A given column that is in the model.
    private func given(_ index: Int) -> [Double] {
        guard let place = kept.firstIndex(of: index) else { return [] }
        return basis.columns[0].indices.map { row in
            basis.parts[place].enumerated().reduce(0) { $0 + $1.element * basis.columns[$1.offset][row] }
        }
    }
}
