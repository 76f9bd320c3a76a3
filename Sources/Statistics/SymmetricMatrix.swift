import Glibc

/// A small symmetric matrix.
package struct SymmetricMatrix {
    package let size: Int
    private var values: [Double]

    package init(size: Int) {
        self.size = size
        values = Array(repeating: 0, count: size * size)
    }

    package subscript(row: Int, column: Int) -> Double {
        get { values[row * size + column] }
        set {
            values[row * size + column] = newValue
            values[column * size + row] = newValue
        }
    }

    /// Adds `factor` times the outer product of the vector with itself.
    package mutating func add(_ vector: [Double], times factor: Double = 1) {
        for row in 0..<size {
            for column in 0..<size {
                values[row * size + column] += factor * vector[row] * vector[column]
            }
        }
    }

    package mutating func add(_ other: SymmetricMatrix, times factor: Double) {
        for index in values.indices { values[index] += factor * other.values[index] }
    }

    package func times(_ vector: [Double]) -> [Double] {
        (0..<size).map { row in (0..<size).reduce(0) { $0 + self[row, $1] * vector[$1] } }
    }

    /// The bilinear form of two vectors.
    package func form(_ vector: [Double], _ other: [Double]) -> Double {
        zip(vector, times(other)).reduce(0) { $0 + $1.0 * $1.1 }
    }

    /// The trace of the product with another matrix.
    package func trace(with other: SymmetricMatrix) -> Double {
        zip(values, other.values).reduce(0) { $0 + $1.0 * $1.1 }
    }

    /// The trace of the square of the product with another matrix.
    package func traceOfSquare(with other: SymmetricMatrix) -> Double {
        let products = (0..<size).map { unit in other.times((0..<size).map { self[$0, unit] }) }
        return (0..<size).reduce(0) { sum, row in
            sum + (0..<size).reduce(0) { $0 + products[row][$1] * products[$1][row] }
        }
    }

    /// The first rows and columns.
    func leading(_ count: Int) -> SymmetricMatrix {
        var part = SymmetricMatrix(size: count)
        for row in 0..<count {
            for column in 0...row { part[row, column] = self[row, column] }
        }
        return part
    }

    /// The inverse and the logarithm of the determinant, by Cholesky; `nil` if it is not positive definite.
    package var inverted: (inverse: SymmetricMatrix, logDeterminant: Double)? {
        var lower = Array(repeating: Array(repeating: 0.0, count: size), count: size)
        var logDeterminant = 0.0
        for row in 0..<size {
            for column in 0...row {
                var rest = self[row, column]
                for index in 0..<column { rest -= lower[row][index] * lower[column][index] }
                guard row == column else {
                    lower[row][column] = rest / lower[column][column]
                    continue
                }
                guard rest > 0 else { return nil }
                lower[row][row] = rest.squareRoot()
                logDeterminant += log(rest)
            }
        }
        var inverse = SymmetricMatrix(size: size)
        for unit in 0..<size {
            // The columns of the lower triangle's inverse.
            var column = Array(repeating: 0.0, count: size)
            for row in unit..<size {
                let known = (unit..<row).reduce(0) { $0 + lower[row][$1] * column[$1] }
                column[row] = ((row == unit ? 1 : 0) - known) / lower[row][row]
            }
            for row in stride(from: size - 1, through: 0, by: -1) {
                let known = (row + 1..<size).reduce(0) { $0 + lower[$1][row] * column[$1] }
                column[row] = (column[row] - known) / lower[row][row]
            }
            for row in 0..<size { inverse[row, unit] = column[row] }
        }
        return (inverse, logDeterminant)
    }

    /// Eigenvalues with their vectors, by Jacobi rotations; the largest first.
    var eigenpairs: [(value: Double, vector: [Double])] {
        var turned = self
        var vectors = (0..<size).map { row in (0..<size).map { $0 == row ? 1.0 : 0 } }
        let scale = (0..<size).reduce(0) { max($0, abs(self[$1, $1])) }
        for _ in 0..<100 {
            var largest = 0.0
            for row in 0..<size {
                for column in 0..<row {
                    largest = max(largest, abs(turned[row, column]))
                    turned.turn(row, column, &vectors)
                }
            }
            if largest <= 1e-15 * scale { break }
        }
        return (0..<size).map { (turned[$0, $0], vectors[$0]) }.sorted { $0.value > $1.value }
    }

    /// Rotates so that one element becomes 0.
    private mutating func turn(_ row: Int, _ column: Int, _ vectors: inout [[Double]]) {
        let element = self[row, column]
        guard element != 0 else { return }
        let slope = (self[column, column] - self[row, row]) / (2 * element)
        let tangent = (slope < 0 ? -1 : 1) / (abs(slope) + (slope * slope + 1).squareRoot())
        let cosine = 1 / (tangent * tangent + 1).squareRoot()
        let sine = tangent * cosine
        for index in 0..<size where index != row && index != column {
            let (one, other) = (self[index, row], self[index, column])
            self[index, row] = cosine * one - sine * other
            self[index, column] = sine * one + cosine * other
        }
        self[row, row] -= tangent * element
        self[column, column] += tangent * element
        self[row, column] = 0
        for index in 0..<size {
            let (one, other) = (vectors[row][index], vectors[column][index])
            vectors[row][index] = cosine * one - sine * other
            vectors[column][index] = sine * one + cosine * other
        }
    }
}
