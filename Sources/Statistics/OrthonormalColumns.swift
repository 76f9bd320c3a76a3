/// Columns of equal length that are made orthonormal one after another. A column that is a combination of earlier
/// ones is left out.
///
/// The Gram–Schmidt process, applied twice to each column, which is as exact as reflections (Giraud et al. 2005,
/// doi 10.1007/s00211-005-0615-4).
package struct OrthonormalColumns {
    /// Of length 1, and orthogonal to each other.
    package private(set) var columns: [[Double]] = []
    /// How much of each of `columns` the given columns contain: R of X = QR, column by column.
    package private(set) var parts: [[Double]] = []

    /// A column counts as a combination of earlier ones if a smaller share of it than this is left.
    private static let smallestShare = 1e-7

    package init() {}

    /// - Parameter whole: the column that this one is part of, which decides how much counts as rounding.
    /// - Returns: whether the column adds anything to the earlier ones.
    package mutating func add(_ column: [Double], partOf whole: [Double]? = nil) -> Bool {
        let length = Self.product(whole ?? column, whole ?? column).squareRoot()
        var left = column
        var shares = remove(from: &left)
        for (index, share) in remove(from: &left).enumerated() { shares[index] += share }
        let rest = Self.product(left, left).squareRoot()
        guard rest > Self.smallestShare * length else { return false }
        columns.append(left.map { $0 / rest })
        parts.append(shares + [rest])
        return true
    }

    /// Removes what the columns explain, and returns how much of each that was.
    package func remove(from column: inout [Double]) -> [Double] {
        columns.map { unit in
            let share = Self.product(unit, column)
            for index in column.indices { column[index] -= share * unit[index] }
            return share
        }
    }

    /// The weights of the coordinates that correspond to `weights` of the given columns.
    package func turned(_ weights: [Double]) -> [Double] {
        var turned: [Double] = []
        for (index, part) in parts.enumerated() {
            let known = (0..<index).reduce(0) { $0 + part[$1] * turned[$1] }
            turned.append((weights[index] - known) / part[index])
        }
        return turned
    }

    private static func product(_ one: [Double], _ other: [Double]) -> Double {
        var sum = 0.0
        for index in one.indices { sum += one[index] * other[index] }
        return sum
    }
}
