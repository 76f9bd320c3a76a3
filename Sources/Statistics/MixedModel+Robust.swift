/// What a mixed model says if each participant's rows may vary in ways of their own: no two of them need vary alike, nor
/// depend on each other alike.
///
/// Variances are cluster-robust with the bias reduction CR2, and degrees of freedom Satterthwaite's for them (Pustejovsky
/// and Tipton 2018, doi 10.1080/07350015.2016.1247004). With two complete conditions this is the paired t test.
package struct RobustModel {
    private let model: MixedModel
    private let participants: [Participant]

    private struct Participant {
        /// The participant's rows of the whitened columns, times the matrix that makes their residuals unbiased.
        var adjusted: [[Double]] = []
        /// The products of the columns with `adjusted`.
        var products: [[Double]] = []
        /// The products of `adjusted` with the residuals.
        var scores: [Double] = []
    }

    /// - Parameter groups: the participant of each row, from 0, as the model was given them.
    package init(_ model: MixedModel, groups: [Int]) {
        self.model = model
        let columns = model.columns.map { Self.whitened($0, groups, model.ratio) }
        let residuals = Self.whitened(model.marginalResiduals, groups, model.ratio)
        participants = Dictionary(grouping: groups.indices) { groups[$0] }.sorted { $0.key < $1.key }.map {
            Self.participant(
                $0.value.map { row in columns.map { $0[row] } }, $0.value.map { residuals[$0] }, model.inverse
            )
        }
    }

    private static func participant(
        _ rows: [[Double]], _ residuals: [Double], _ inverse: SymmetricMatrix
    ) -> Participant {
        var left = SymmetricMatrix(size: rows.count)
        let solved = rows.map(inverse.times)
        for row in rows.indices {
            for other in 0...row {
                left[row, other] = (row == other ? 1 : 0) - product(rows[row], solved[other])
            }
        }
        var participant = Participant()
        let width = rows.first?.count ?? 0
        participant.adjusted = rows.map { _ in Array(repeating: 0, count: width) }
        // The inverse of the root. A direction that the columns explain wholly has no residual.
        for pair in left.eigenpairs where pair.value > 1e-9 {
            let root = 1 / pair.value.squareRoot()
            for column in 0..<width {
                let along = rows.indices.reduce(0) { $0 + pair.vector[$1] * rows[$1][column] }
                for row in rows.indices {
                    participant.adjusted[row][column] += root * along * pair.vector[row]
                }
            }
        }
        for column in 0..<width {
            let own = participant.adjusted.map { $0[column] }
            participant.scores.append(product(own, residuals))
            participant.products.append(
                (0..<width).map { other in product(own, rows.map { $0[other] }) })
        }
        return participant
    }

    /// Rows that are independent if the rows of a participant share an intercept.
    private static func whitened(_ column: [Double], _ groups: [Int], _ ratio: Double) -> [Double] {
        var sums = Array(repeating: (sum: 0.0, count: 0.0), count: (groups.max() ?? 0) + 1)
        for (group, value) in zip(groups, column) {
            sums[group].sum += value
            sums[group].count += 1
        }
        return zip(groups, column).map { group, value in
            let own = sums[group]
            return value - (1 - 1 / (1 + own.count * ratio).squareRoot()) * own.sum / own.count
        }
    }

    private static func product(_ one: [Double], _ other: [Double]) -> Double {
        zip(one, other).reduce(0) { $0 + $1.0 * $1.1 }
    }

    /// - Parameter weights: the weights of the given columns. The result is `nil` if one of them was left out.
    package func estimate(_ weights: [Int: Double]) -> MixedModel.Estimate? {
        guard let turned = model.turned(weights), let plain = model.estimate(weights) else { return nil }
        let solved = model.inverse.times(turned)
        let variance = participants.reduce(0) {
            let score = Self.product($1.scores, solved)
            return $0 + score * score
        }
        guard variance > 0 else { return nil }
        return .init(value: plain.value, error: variance.squareRoot(), degrees: degrees(solved))
    }

    /// Satterthwaite's degrees of freedom of the variance.
    private func degrees(_ solved: [Double]) -> Double {
        let own = participants.map { participant in
            participant.adjusted.reduce(0) {
                let value = Self.product($1, solved)
                return $0 + value * value
            }
        }
        let sums = participants.map { participant in
            solved.indices.map { column in
                solved.indices.reduce(0) { $0 + solved[$1] * participant.products[$1][column] }
            }
        }
        let bent = sums.map(model.inverse.times)
        var (trace, squares) = (0.0, 0.0)
        for first in own.indices {
            for second in own.indices {
                let element = (first == second ? own[first] : 0) - Self.product(sums[first], bent[second])
                if first == second { trace += element }
                squares += element * element
            }
        }
        return squares > 0 ? trace * trace / squares : 1
    }

    /// The F test for all columns together, and how far the participants' rows are from varying alike: ε of Greenhouse
    /// and Geisser, with which both degrees of freedom are to be multiplied.
    ///
    /// - Parameter inOwnStratum: whether only what the participants differ in along these columns is the error, as in the
    ///   analysis of variance of repeated measures. The residual variance is a mean over all columns, and people may
    ///   differ less along the others.
    package func test(
        of columns: [Int], inOwnStratum: Bool = false
    ) -> (f: Double, numerator: Int, denominator: Double, epsilon: Double)? {
        let own = columns.filter(model.kept.contains)
        if own.count == 1, let column = own.first {
            return estimate([column: 1]).map {
                ($0.value * $0.value / ($0.error * $0.error), 1, $0.degrees, 1)
            }
        }
        guard let test = model.test(of: own) else { return nil }
        let vectors = own.compactMap { model.turned([$0: 1]) }
        var spread = SymmetricMatrix(size: vectors.count)
        for row in vectors.indices {
            for other in 0...row { spread[row, other] = model.inverse.form(vectors[row], vectors[other]) }
        }
        // Directions that vary alike and independently if the rows do.
        let directions = spread.eigenpairs.map { pair in
            model.inverse.times(
                vectors[0].indices.map { place in
                    vectors.indices.reduce(0) { $0 + pair.vector[$1] * vectors[$1][place] }
                        / pair.value.squareRoot()
                })
        }
        var robust = SymmetricMatrix(size: directions.count)
        for participant in participants {
            robust.add(directions.map { Self.product(participant.scores, $0) })
        }
        let trace = directions.indices.reduce(0) { $0 + robust[$1, $1] }
        let squares = robust.trace(with: robust)
        guard squares > 0 else { return nil }
        let epsilon = min(trace * trace / (Double(directions.count) * squares), 1)
        if inOwnStratum {
            let f = test.f * model.residualVariance * Double(test.numerator) / trace
            return (f, test.numerator, directions.map(degrees).reduce(0, +), epsilon)
        }
        return (test.f, test.numerator, test.denominator, epsilon)
    }
}
