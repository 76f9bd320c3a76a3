import Glibc
import Results
import TextFormat

/// A replacement for the names of participants and runs, always the same under the same key.
///
/// Without the key, nobody can link a pseudonym to a code or try out codes. With it, anybody can compute the
/// pseudonym of a code again.
package struct Pseudonyms: Sendable {
    /// A key of fewer bytes could be tried out.
    package static let shortestKey = 16
    /// Dates move back by at most so many days.
    static let furthestShift = 364

    /// Letters of which no name and no code is made that has a vowel, a digit or a capital.
    private static let letters = Array("bcdfghjkmnpqrtvw".utf8)

    private let key: [UInt8]

    /// - Parameter key: kept apart from everything that is exported.
    /// - Returns: `nil` if the key is shorter than `shortestKey`, or could be guessed.
    package init?(key: [UInt8]) {
        guard key.count >= Self.shortestKey, Self.chance(in: key) >= 48 else { return nil }
        self.key = key
    }

    /// At most so many bits of chance are in a key: few where bytes or steps between them repeat, as in words, digits
    /// and series. Sixteen bytes of chance have more than 48.
    static func chance(in key: [UInt8]) -> Double {
        let period = (1...max(key.count, 1)).first { size in
            key.indices.dropFirst(size).allSatisfy { key[$0] == key[$0 - size] }
        }
        let block = key.prefix(period ?? key.count)
        let steps = zip(block, block.dropFirst()).map { $1 &- $0 }
        let isWords = key.allSatisfy {
            $0 == UInt8(ascii: " ") || (UInt8(ascii: "a")...UInt8(ascii: "z")).contains($0)
        }
        // A letter of a text in words has about a bit and a half.
        return min(spread(block), spread(steps), isWords ? 1.5 * Double(key.count) : .infinity)
    }

    /// Shannon's entropy of the bytes, times their number.
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

    /// A UUID of digits alone, so that no code with a letter is in it by chance.
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

    /// Tells one key from another without telling the key.
    var mark: String { String(SHA256.hexadecimal(digest: digest("mark", "")).prefix(16)) }

    private func digest(_ purpose: String, _ name: String) -> [UInt8] {
        HMAC.code(of: Array("entrain \(purpose) \(name)".utf8), key: key)
    }
}
