/// A design whose rows are orders of `size` things, balanced over all rows.
enum Square {
    /// Everything occurs once at every place.
    case latin
    /// A Latin square in which everything follows everything else equally often.
    case williams

    /// How many rows balance a square of this size.
    func rows(size: Int) -> Int {
        switch self {
        case .latin: size
        case .williams: size.isMultiple(of: 2) ? size : 2 * size
        }
    }

    /// The order in a row. Rows beyond `size` are the first rows, reversed.
    ///
    /// - Parameter row: in `0..<rows(size:)`.
    func order(row: Int, size: Int) -> [Int] {
        switch self {
        case .latin: return (0..<size).map { (row + $0) % size }
        case .williams:
            let order = (0..<size).map { (Self.williamsStart(place: $0, size: size) + row) % size }
            return row < size ? order : order.reversed()
        }
    }

    /// The row of a participant in a session.
    ///
    /// - Parameters:
    ///   - number: the participant's, from 1.
    ///   - session: from 1.
    func row(number: Int, session: Int, size: Int) -> Int {
        let rows = rows(size: size)
        return (Self.remainder(number, rows) + Self.remainder(session, rows) - 2 + 2 * rows) % rows
    }

    /// 0, 1, n − 1, 2, n − 2, …
    private static func williamsStart(place: Int, size: Int) -> Int {
        guard place > 0 else { return 0 }
        return place.isMultiple(of: 2) ? size - place / 2 : (place + 1) / 2
    }

    private static func remainder(_ number: Int, _ divisor: Int) -> Int {
        let remainder = number % divisor
        return remainder < 0 ? remainder + divisor : remainder
    }
}
