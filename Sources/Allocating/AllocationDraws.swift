import Results
import StudyModel

/// The random numbers of one slot: HMAC-SHA-256 of study, slot, draw and levels, exactly as <doc:Allocation>
/// defines.
struct AllocationDraws {
    private let secret: [UInt8]
    private let head: String
    private let tail: String
    /// How many numbers have been drawn.
    private var count = 0

    /// - Parameters:
    ///   - slot: the slot, from 1; if there are levels, within the participants with these levels.
    ///   - levels: the levels of the stratum.
    init(_ secret: [UInt8], study: Identifier, slot: Int, levels: [String]) {
        self.secret = secret
        head = "entrain-allocation/1\n\(study)\n\(slot)\n"
        tail = levels.map { "\n" + $0 }.joined()
    }

    /// The next number: the first 8 bytes of the code, big-endian.
    mutating func number() -> UInt64 {
        let code = HMAC.code(of: Array("\(head)\(count)\(tail)".utf8), key: secret)
        count += 1
        return code.prefix(8).reduce(0) { $0 << 8 | UInt64($1) }
    }

    /// A whole number from 0 to below `bound`, each equally likely.
    mutating func index(below bound: Int) -> Int {
        let bound = UInt64(bound)
        // 2⁶⁴ mod bound, computed without 2⁶⁴ itself.
        let rest = (UInt64.max % bound + 1) % bound
        while true {
            let number = number()
            if rest == 0 || number < 0 &- rest { return Int(number % bound) }
        }
    }

    /// A number from 0 to below 1.
    mutating func unit() -> Double { Double(number() >> 11) * 0x1p-53 }

    /// Shuffles by Fisher–Yates, from the end.
    mutating func shuffle(_ items: inout [Int]) {
        for place in items.indices.dropFirst().reversed() { items.swapAt(place, index(below: place + 1)) }
    }
}
