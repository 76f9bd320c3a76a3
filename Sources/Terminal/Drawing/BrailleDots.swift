/// A drawing of dots, eight to a character.
struct BrailleDots: Hashable, Sendable {
    let columns: Int
    let rows: Int
    private var patterns: [UInt8]

    /// - Parameter columns, rows: of characters.
    init(columns: Int, rows: Int) {
        self.columns = max(0, columns)
        self.rows = max(0, rows)
        patterns = Array(repeating: 0, count: self.columns * self.rows)
    }

    /// Dots to a line.
    var width: Int { columns * 2 }
    /// Dots to a column.
    var height: Int { rows * 4 }

    /// The bit of each dot of a character, line by line.
    private static let bits: [UInt8] = [0x01, 0x08, 0x02, 0x10, 0x04, 0x20, 0x40, 0x80]

    /// Sets a dot, counted from the upper left. A dot outside of the drawing is ignored.
    mutating func set(column: Int, row: Int) {
        guard (0..<width).contains(column), (0..<height).contains(row) else { return }
        patterns[row / 4 * columns + column / 2] |= Self.bits[row % 4 * 2 + column % 2]
    }

    /// One line of characters for each row.
    var lines: [String] {
        (0..<rows).map { row in
            String(patterns[row * columns..<(row + 1) * columns].map(Self.character))
        }
    }

    private static func character(_ pattern: UInt8) -> Character {
        guard let scalar = UnicodeScalar(0x2800 + UInt32(pattern)) else {
            preconditionFailure("braille \(pattern)")
        }
        return Character(scalar)
    }
}
