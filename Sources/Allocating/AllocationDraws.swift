import Hashing
import StudyModel

/// The random numbers of one slot: HMAC-SHA-256 of study, slot, draw and levels, exactly as <doc:Allocation>
/// defines.
struct AllocationDraws: RandomNumberGenerator {
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
    mutating func next() -> UInt64 {
        let code = HMAC.code(of: Array("\(head)\(count)\(tail)".utf8), key: secret)
        count += 1
        return code.prefix(8).reduce(0) { $0 << 8 | UInt64($1) }
    }
}
