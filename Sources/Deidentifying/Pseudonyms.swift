import Glibc
import Hashing
import Results
import TextFormat

/// Replacements for the names of participants and runs, always the same with the same key.
///
/// Without the key, nobody can link a pseudonym to a code, or test codes. With the key, anybody can compute the
/// pseudonym of a code again.
package struct Pseudonyms: Sendable {
    /// A key with fewer bytes could be guessed.
    package static let shortestKey = 16
    /// The greatest number of days by which dates move back.
    static let furthestShift = 364

    /// Letters that cannot form any name or code with a vowel, a digit or a capital.
    private static let letters = Array("bcdfghjkmnpqrtvw".utf8)

    private let key: [UInt8]

    /// - Parameter key: the key, which must be kept apart from everything that is exported.
    /// - Returns: `nil` if the key is shorter than `shortestKey`, or could be guessed.
    package init?(key: [UInt8]) {
        guard key.count >= Self.shortestKey, Self.chance(in: key) >= 48 else { return nil }
        self.key = key
    }

    /// An upper limit for the random bits in a key: few if bytes or the steps between them repeat, as in words,
    /// digits and series. Sixteen random bytes have more than 48 bits.
    static func chance(in key: [UInt8]) -> Double {
        let period = (1...max(key.count, 1)).first { size in
            key.indices.dropFirst(size).allSatisfy { key[$0] == key[$0 - size] }
        }
        let block = key.prefix(period ?? key.count)
        let steps = zip(block, block.dropFirst()).map { $1 &- $0 }
        let isWords = key.allSatisfy {
            $0 == UInt8(ascii: " ") || (UInt8(ascii: "a")...UInt8(ascii: "z")).contains($0)
        }
        // A letter of a text in words has about one and a half bits.
        return min(spread(block), spread(steps), isWords ? 1.5 * Double(key.count) : .infinity)
    }

    /// Shannon's entropy of the bytes times their number.
    private static func spread(_ bytes: some Collection<UInt8>) -> Double {
        var counts = [Double](repeating: 0, count: 256)
        for byte in bytes { counts[Int(byte)] += 1 }
        let total = Double(bytes.count)
        return counts.filter { $0 > 0 }.reduce(0) { $0 + $1 * log2(total / $1) }
    }

    /// Twenty letters, 80 bits.
    package func code(of participant: String) -> String {
        let letters = digest("participant", participant).prefix(10).flatMap { byte in
            [Self.letters[Int(byte >> 4)], Self.letters[Int(byte & 15)]]
        }
        return String(decoding: letters, as: UTF8.self)
    }

    /// A UUID of digits alone, so that it contains no code with a letter by chance.
    package func uuid(of name: String) -> String {
        var digits = digest("name", name).map { UInt8(ascii: "0") + $0 % 10 }
        digits[12] = UInt8(ascii: "8")
        digits[16] = UInt8(ascii: "8")
        return UUIDText.grouped(String(decoding: digits, as: UTF8.self))
    }

    /// How many days the dates of a participant move back, 1...364.
    func days(of participant: String) -> Int {
        let number = digest("dates", participant).prefix(6).reduce(0) { $0 << 8 | Int($1) }
        return 1 + number % Self.furthestShift
    }

    /// Distinguishes keys without revealing them.
    package var mark: String { String(SHA256.hexadecimal(digest: digest("mark", "")).prefix(16)) }

    private func digest(_ purpose: String, _ name: String) -> [UInt8] {
        HMAC.code(of: Array("entrain \(purpose) \(name)".utf8), key: key)
    }
}
