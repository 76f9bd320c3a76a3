import Glibc

/// A linear model with a random intercept for each participant, fitted by restricted maximum likelihood.
///
/// The likelihood is a function of one number, the ratio of the participants' variance to the residual one. Degrees
/// of freedom are Satterthwaite's, as in lmerTest (Kuznetsova et al. 2017, doi 10.18637/jss.v082.i13).
package struct MixedModel {
    /// Which of the given columns are included; the others are combinations of earlier ones.
    package let kept: [Int]
    /// The participants' variance divided by the residual one; 0 if participants differ no more than the residuals
    /// explain.
    package let ratio: Double
    package let residualVariance: Double
    /// The number of rows minus the number of columns.
    package let residualDegrees: Int
    /// What neither columns nor participants explain, one value for each row.
    package let residuals: [Double]
    /// What the columns do not explain.
    let marginalResiduals: [Double]
    private let basis: OrthonormalColumns
    private let likelihood: Likelihood
    private let fit: Fit

    /// The estimate for weights of the coefficients.
    package struct Estimate: Sendable {
        package var value: Double
        package var error: Double
        /// Degrees of freedom by Satterthwaite's method.
        package var degrees: Double

        package init(value: Double, error: Double, degrees: Double) {
            (self.value, self.error, self.degrees) = (value, error, degrees)
        }
    }

    /// - Parameter groups: the participant of each row, from 0.
    /// - Returns: `nil` if no row or no variation is left after fitting the columns.
    package init?(_ response: [Double], on given: [[Double]], groups: [Int]) {
        var basis = OrthonormalColumns()
        kept = given.indices.filter { basis.add(given[$0]) }
        residualDegrees = response.count - kept.count
        guard residualDegrees > 0 else { return nil }
        var left = response
        var shares = basis.remove(from: &left)
        for (index, share) in basis.remove(from: &left).enumerated() { shares[index] += share }
        let largest = response.reduce(0) { max($0, abs($1)) }
        let variation = left.reduce(0) { $0 + $1 * $1 }
        guard variation > 1e-18 * Double(response.count) * max(1, largest * largest) else { return nil }
        likelihood = Likelihood(basis.columns, left, variation, groups)
        guard let best = likelihood.best else { return nil }
        fit = best
        ratio = best.ratio
        residualVariance = best.squares / Double(residualDegrees)
        marginalResiduals = zip(left.indices, left).map { row, value in
            best.coordinates.indices.reduce(value) { $0 - best.coordinates[$1] * basis.columns[$1][row] }
        }
        var sums = Array(repeating: (sum: 0.0, count: 0.0), count: (groups.max() ?? 0) + 1)
        for (group, value) in zip(groups, marginalResiduals) {
            sums[group].sum += value
            sums[group].count += 1
        }
        residuals = zip(groups, marginalResiduals).map { group, value in
            value - best.ratio * sums[group].sum / (1 + best.ratio * sums[group].count)
        }
        self.basis = basis
        self.shares = shares
    }

    /// The response's own coordinates, to which those of the fit are added.
    private let shares: [Double]

    /// - Parameter weights: the weights of the given columns. The result is `nil` if one of them was left out.
    package func estimate(_ weights: [Int: Double]) -> Estimate? {
        turned(weights).map(estimate(turned:))
    }

    /// Orthonormal columns that stand for those that are included.
    var columns: [[Double]] { basis.columns }

    /// The covariance of their coefficients divided by the residual variance.
    var inverse: SymmetricMatrix { fit.inverse }

    /// Weights of the given columns as weights of `columns`; `nil` if one of them was left out.
    func turned(_ weights: [Int: Double]) -> [Double]? {
        guard weights.allSatisfy({ $0.value == 0 || kept.contains($0.key) }) else { return nil }
        return basis.turned(kept.map { weights[$0] ?? 0 })
    }

    private func estimate(turned: [Double]) -> Estimate {
        let value = turned.indices.reduce(0) { $0 + turned[$1] * (shares[$1] + fit.coordinates[$1]) }
        let spread = fit.inverse.form(turned, turned)
        return Estimate(
            value: value, error: (residualVariance * spread).squareRoot(),
            degrees: fit.degrees(of: turned, spread, residualVariance, residualDegrees))
    }

    /// The F test for all columns together: whether their coefficients are 0.
    package func test(of columns: [Int]) -> (f: Double, numerator: Int, denominator: Double)? {
        let vectors = columns.filter(kept.contains).map { column in
            basis.turned(kept.map { $0 == column ? 1 : 0 })
        }
        guard !vectors.isEmpty else { return nil }
        var spread = SymmetricMatrix(size: vectors.count)
        for row in vectors.indices {
            for other in 0...row { spread[row, other] = fit.inverse.form(vectors[row], vectors[other]) }
        }
        let estimates = spread.eigenpairs.map { pair in
            estimate(
                turned: fit.coordinates.indices.map { place in
                    vectors.indices.reduce(0) { $0 + pair.vector[$1] * vectors[$1][place] }
                })
        }
        let squares = estimates.reduce(0) { $0 + $1.value * $1.value / ($1.error * $1.error) }
        return (squares / Double(vectors.count), vectors.count, Self.degrees(of: estimates.map(\.degrees)))
    }

    /// Degrees of freedom of an F that is the mean of squared t values (Fai and Cornelius 1996, doi
    /// 10.1080/00949659608811740).
    private static func degrees(of degrees: [Double]) -> Double {
        let least = degrees.min() ?? 0
        guard (degrees.max() ?? 0) - least > 1e-8 * least else { return least }
        guard least > 2 else { return 2 }
        let expected = degrees.reduce(0) { $0 + $1 / ($1 - 2) }
        return 2 * expected / (expected - Double(degrees.count))
    }
}

/// Minus twice the logarithm of the restricted likelihood, without its constant part.
private struct Likelihood {
    private let rows: Int
    private let columns: Int
    /// The sums of products for independent rows; the response comes last.
    private let products: SymmetricMatrix
    /// How many participants have a given number of rows, with the products of their sums.
    private let sizes: [(rows: Double, groups: Double, sums: SymmetricMatrix)]

    init(_ columns: [[Double]], _ response: [Double], _ variation: Double, _ groups: [Int]) {
        rows = response.count
        self.columns = columns.count
        var products = SymmetricMatrix(size: columns.count + 1)
        for index in columns.indices { products[index, index] = 1 }
        products[columns.count, columns.count] = variation
        self.products = products
        var sums = Array(
            repeating: Array(repeating: 0.0, count: columns.count + 1), count: (groups.max() ?? 0) + 1)
        var counts = Array(repeating: 0, count: sums.count)
        for (row, group) in groups.enumerated() {
            counts[group] += 1
            for index in columns.indices { sums[group][index] += columns[index][row] }
            sums[group][columns.count] += response[row]
        }
        sizes = Set(counts).subtracting([0]).sorted().map { size in
            var products = SymmetricMatrix(size: columns.count + 1)
            for group in counts.indices where counts[group] == size { products.add(sums[group]) }
            return (Double(size), Double(counts.count { $0 == size }), products)
        }
    }

    /// The minimum: at 0, or where the slope is 0 between two points of a grid. A ratio below the first point of
    /// the grid counts as 0.
    var best: Fit? {
        let fits = ([0] + stride(from: -16.0, through: 20, by: 0.5).map(exp)).compactMap(fit(at:))
        guard let least = fits.indices.min(by: { fits[$0].deviance < fits[$1].deviance }) else { return nil }
        let isRising = fits[least].slope > 0
        if least == 0 || least == 1 && isRising { return fits[0] }
        let (low, high) = isRising ? (least - 1, least) : (least, least + 1)
        guard fits.indices.contains(high) else { return nil }
        return zero(between: fits[low].ratio, and: fits[high].ratio)
    }

    private func zero(between low: Double, and high: Double) -> Fit? {
        var (low, high) = (low, high)
        while true {
            let middle = (low * high).squareRoot()
            guard low < middle, middle < high, let fit = fit(at: middle), fit.slope != 0 else {
                return fit(at: middle)
            }
            if fit.slope < 0 { low = middle } else { high = middle }
        }
    }

    private func fit(at ratio: Double) -> Fit? {
        var weighted = products
        var first = SymmetricMatrix(size: columns + 1)
        var second = first
        var (logs, logsFirst, logsSecond) = (0.0, 0.0, 0.0)
        for size in sizes {
            let whole = 1 + size.rows * ratio
            weighted.add(size.sums, times: -ratio / whole)
            first.add(size.sums, times: -1 / (whole * whole))
            second.add(size.sums, times: 2 * size.rows / (whole * whole * whole))
            logs += size.groups * log(whole)
            logsFirst += size.groups * size.rows / whole
            logsSecond -= size.groups * size.rows * size.rows / (whole * whole)
        }
        guard let (inverse, logDeterminant) = weighted.leading(columns).inverted else { return nil }
        let coordinates = inverse.times((0..<columns).map { weighted[$0, columns] })
        let direction = coordinates.map { -$0 } + [1]
        let squares = weighted.form(direction, direction)
        guard squares > 0 else { return nil }
        let moved = Array(first.times(direction).prefix(columns))
        let slope = first.leading(columns)
        return Fit(
            ratio: ratio, coordinates: coordinates, inverse: inverse, inverseSlope: slope, squares: squares,
            squaresFirst: first.form(direction, direction),
            squaresSecond: second.form(direction, direction) - 2 * inverse.form(moved, moved),
            logs: logs + logDeterminant, logsFirst: logsFirst + inverse.trace(with: slope),
            logsSecond: logsSecond + inverse.trace(with: second.leading(columns))
                - inverse.traceOfSquare(with: slope),
            degrees: Double(rows - columns))
    }
}

/// The likelihood at one ratio of variances, with its first and second derivatives.
private struct Fit {
    var ratio: Double
    var coordinates: [Double]
    var inverse: SymmetricMatrix
    /// The derivative of the matrix whose inverse is `inverse`.
    var inverseSlope: SymmetricMatrix
    var squares: Double
    var squaresFirst: Double
    var squaresSecond: Double
    var logs: Double
    var logsFirst: Double
    var logsSecond: Double
    var degrees: Double

    var deviance: Double { degrees * log(squares) + logs }
    var slope: Double { degrees * squaresFirst / squares + logsFirst }

    /// Satterthwaite's degrees of freedom, from the curvature of the likelihood in the ratio and the residual
    /// variance.
    func degrees(
        of turned: [Double], _ spread: Double, _ variance: Double, _ residualDegrees: Int
    ) -> Double {
        guard ratio > 0 else { return Double(residualDegrees) }
        let solved = inverse.times(turned)
        let byRatio = -variance * inverseSlope.form(solved, solved)
        let byVariance = spread
        let ratioTwice = squaresSecond / variance + logsSecond
        let both = -squaresFirst / (variance * variance)
        let varianceTwice = degrees / (variance * variance)
        let determinant = ratioTwice * varianceTwice - both * both
        guard determinant > 0 else { return Double(residualDegrees) }
        let uncertainty =
            2
            * (byRatio * byRatio * varianceTwice - 2 * byRatio * byVariance * both
                + byVariance * byVariance * ratioTwice) / determinant
        return 2 * variance * variance * spread * spread / uncertainty
    }
}
