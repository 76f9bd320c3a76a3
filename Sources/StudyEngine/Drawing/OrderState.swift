/// Small numbers packed into as few words as they need. Counts of completions are stored under this key.
struct OrderState: Equatable, Sendable {
    private var first: UInt64 = 0
    private var second: UInt64 = 0
    /// Words beyond the first two, which most orders do not need.
    private var rest: [UInt64]

    /// Where each number stands.
    struct Layout: Sendable {
        private(set) var cells: [Cell] = []
        private(set) var words = 0
        private var bitsUsed = 64

        struct Cell: Sendable {
            fileprivate var word: Int
            fileprivate var shift: UInt64
            fileprivate var mask: UInt64
        }

        /// Adds room for numbers up to `largest`.
        mutating func append(count: Int, upTo largest: Int) {
            let width = Int.bitWidth - max(1, largest).leadingZeroBitCount
            for _ in 0..<count {
                if bitsUsed + width > 64 {
                    words += 1
                    bitsUsed = 0
                }
                cells.append(Cell(word: words - 1, shift: UInt64(bitsUsed), mask: 1 << UInt64(width) - 1))
                bitsUsed += width
            }
        }
    }

    /// All numbers are 0.
    init(_ layout: Layout) { rest = Array(repeating: 0, count: max(0, layout.words - 2)) }

    subscript(cell: Layout.Cell) -> Int {
        get { Int(truncatingIfNeeded: self[word: cell.word] &>> cell.shift & cell.mask) }
        set {
            let others = self[word: cell.word] & ~(cell.mask &<< cell.shift)
            self[word: cell.word] = others | (UInt64(truncatingIfNeeded: newValue) & cell.mask) &<< cell.shift
        }
    }

    private subscript(word word: Int) -> UInt64 {
        get { word == 0 ? first : word == 1 ? second : rest[word - 2] }
        set {
            if word == 0 {
                first = newValue
            } else if word == 1 {
                second = newValue
            } else {
                rest[word - 2] = newValue
            }
        }
    }

    /// Well-mixed bits, equal for equal states.
    var mixed: UInt64 {
        var mixed = Self.mix(first) ^ second
        for word in rest { mixed = Self.mix(mixed) ^ word }
        return Self.mix(mixed)
    }

    private static func mix(_ word: UInt64) -> UInt64 {
        let product = (word ^ word >> 32) &* 0x9E37_79B9_7F4A_7C15
        return product ^ product >> 32
    }
}
