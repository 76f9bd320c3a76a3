/// Columns of one length that are made orthonormal one after the other; one that the columns before make up is left out.
///
/// Gram and Schmidt's way, each column twice, which is as exact as reflections (Giraud et al. 2005,
/// doi 10.1007/s00211-005-0615-4).
struct OrthonormalColumns {
    /// Of length 1, at right angles to each other.
    private(set) var columns: [[Double]] = []
    /// How much of each of `columns` is in the given column: R of X = QR, column by column.
    private(set) var parts: [[Double]] = []

    /// A column of which less is left counts as made up of those before.
    private static let smallestShare = 1e-7

    /// - Parameter whole: what the column is a part of, which decides what counts as rounding.
    /// - Returns: whether the column says anything that those before do not.
    mutating func add(_ column: [Double], partOf whole: [Double]? = nil) -> Bool {
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

    /// Takes away what the columns make up, and says how much of each that was.
    func remove(from column: inout [Double]) -> [Double] {
        columns.map { unit in
            let share = Self.product(unit, column)
            for index in column.indices { column[index] -= share * unit[index] }
            return share
        }
    }

    /// The weights by which coordinates give what `weights` of the given columns give.
    func turned(_ weights: [Double]) -> [Double] {
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
