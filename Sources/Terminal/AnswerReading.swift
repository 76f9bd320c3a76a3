import StudyModel
import TextFormat

/// What is the matter with an answer, and what to do.
struct ValidationError: Error, Hashable, Sendable {
    var phrase: Phrase
    var arguments: [String]

    init(_ phrase: Phrase, _ arguments: String...) {
        self.phrase = phrase
        self.arguments = arguments
    }

    func text(in wording: Wording) -> String { wording(phrase, arguments) }
}

extension String {
    /// The text without spaces before and after.
    var trimmed: String {
        guard let first = firstIndex(where: { !$0.isWhitespace }),
            let last = lastIndex(where: { !$0.isWhitespace })
        else { return "" }
        return String(self[first...last])
    }

    /// Whole numbers with the given counts of ASCII digits; `nil` where the text is anything else.
    func numbers(separatedBy separator: Character, digits: [ClosedRange<Int>]) -> [Int]? {
        let parts = split(separator: separator, omittingEmptySubsequences: false)
        guard parts.count == digits.count else { return nil }
        var numbers: [Int] = []
        for (part, digits) in zip(parts, digits) {
            guard digits.contains(part.utf8.count), part.utf8.allSatisfy({ (0x30...0x39).contains($0) }),
                let number = Int(part)
            else { return nil }
            numbers.append(number)
        }
        return numbers
    }
}

extension Double {
    /// A finite number of digits with a point or comma; `nil` for anything else.
    init?(typed text: String) {
        let isNumber = text.utf8.allSatisfy { (0x30...0x39).contains($0) || "+-.,".utf8.contains($0) }
        guard isNumber, let number = Double(text.replacing(",", with: ".")), number.isFinite else {
            return nil
        }
        self = number
    }

    func rounded(to decimals: Int) -> Double {
        let scale = Self.powerOfTen(decimals)
        let scaled = (self * scale).rounded()
        return scaled.magnitude < 1e15 ? scaled / scale : self
    }

    /// The number with exactly so many decimals.
    func shown(_ decimals: Int) -> String {
        let scale = Self.powerOfTen(decimals)
        let scaled = (magnitude * scale).rounded()
        guard scaled < 1e15 else { return description }
        let digits = String(Int64(scaled))
        let padded = String(repeating: "0", count: max(0, decimals + 1 - digits.count)) + digits
        let sign = self < 0 && scaled > 0 ? "-" : ""
        return sign + padded.dropLast(decimals) + (decimals > 0 ? "." + padded.suffix(decimals) : "")
    }

    /// The number without needless decimals.
    var shown: String { self == rounded() && magnitude < 1e15 ? String(Int64(self)) : description }

    static func powerOfTen(_ exponent: Int) -> Double {
        (0..<min(6, max(0, exponent))).reduce(1) { power, _ in power * 10 }
    }
}
