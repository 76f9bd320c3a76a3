/// A whole number from 0, of any size, with the operations that counting and numbering orders needs.
package struct Natural: Hashable, Sendable {
    /// 64 bits each, the least significant first; the last is not 0.
    private var words: [UInt64]

    package init(_ value: UInt64) { words = value == 0 ? [] : [value] }

    /// - Parameter words: 64 bits each, the least significant first.
    package init(words: some Sequence<UInt64>) {
        self.words = Array(words)
        trim()
    }

    package var isZero: Bool { words.isEmpty }
    /// How many words of 64 bits it takes; none for 0.
    package var wordCount: Int { words.count }
    /// How many bits it takes; none for 0.
    package var bitWidth: Int { words.count * 64 - (words.last?.leadingZeroBitCount ?? 0) }

    /// The power of two with that exponent.
    package static func power(ofTwo exponent: Int) -> Natural {
        Natural(words: repeatElement(0, count: exponent / 64) + [1 << UInt64(exponent % 64)])
    }

    private mutating func trim() {
        while words.last == 0 { words.removeLast() }
    }
}

extension Natural: Comparable {
    package static func < (left: Natural, right: Natural) -> Bool {
        guard left.words.count == right.words.count else { return left.words.count < right.words.count }
        for (first, second) in zip(left.words.reversed(), right.words.reversed()) where first != second {
            return first < second
        }
        return false
    }
}

extension Natural: ExpressibleByIntegerLiteral {
    package init(integerLiteral value: UInt64) { self.init(value) }
}

extension Natural: CustomStringConvertible {
    package var description: String {
        guard !isZero else { return "0" }
        var (rest, digits) = (self, "")
        while !rest.isZero { digits = "\(rest.divide(by: 10))" + digits }
        return digits
    }
}

extension Natural {
    package static func += (left: inout Natural, right: Natural) {
        var carry: UInt64 = 0
        for place in 0..<max(left.words.count, right.words.count) {
            if place == left.words.count { left.words.append(0) }
            let added = place < right.words.count ? right.words[place] : 0
            let (sum, isOver) = left.words[place].addingReportingOverflow(added)
            let (whole, isOverAgain) = sum.addingReportingOverflow(carry)
            left.words[place] = whole
            carry = isOver || isOverAgain ? 1 : 0
        }
        if carry > 0 { left.words.append(carry) }
    }

    /// - Precondition: `left` is not less than `right`.
    package static func -= (left: inout Natural, right: Natural) {
        var borrow: UInt64 = 0
        for place in left.words.indices {
            let taken = place < right.words.count ? right.words[place] : 0
            let (rest, isUnder) = left.words[place].subtractingReportingOverflow(taken)
            let (whole, isUnderAgain) = rest.subtractingReportingOverflow(borrow)
            left.words[place] = whole
            borrow = isUnder || isUnderAgain ? 1 : 0
        }
        precondition(borrow == 0 && right.words.count <= left.words.count, "a difference below 0")
        left.trim()
    }

    package static func *= (left: inout Natural, right: UInt64) {
        var carry: UInt64 = 0
        for place in left.words.indices {
            let product = left.words[place].multipliedFullWidth(by: right)
            let (low, isOver) = product.low.addingReportingOverflow(carry)
            left.words[place] = low
            carry = product.high + (isOver ? 1 : 0)
        }
        if carry > 0 { left.words.append(carry) }
        left.trim()
    }

    package static func * (left: Natural, right: Natural) -> Natural {
        var product: Natural = 0
        for (place, word) in left.words.enumerated() {
            var shifted = right
            shifted *= word
            if !shifted.isZero { shifted.words.insert(contentsOf: repeatElement(0, count: place), at: 0) }
            product += shifted
        }
        return product
    }

    /// Divides by a number above 0.
    ///
    /// - Returns: the remainder.
    @discardableResult
    package mutating func divide(by divisor: UInt64) -> UInt64 {
        var remainder: UInt64 = 0
        for place in words.indices.reversed() {
            (words[place], remainder) = divisor.dividingFullWidth((remainder, words[place]))
        }
        trim()
        return remainder
    }

    /// What remains after division by a number above 0.
    package func remainder(dividingBy divisor: Natural) -> Natural {
        var remainder: Natural = 0
        for bit in (0..<bitWidth).reversed() {
            remainder += remainder
            if words[bit / 64] >> UInt64(bit % 64) & 1 == 1 { remainder += 1 }
            if remainder >= divisor { remainder -= divisor }
        }
        return remainder
    }
}

extension SplitMix64 {
    /// A number in `0..<bound`, each equally likely, of as many numbers of 64 bits as `bound` needs, the most
    /// significant first: what falls beyond the last whole multiple of `bound` is drawn again.
    ///
    /// - Parameter bound: at least 1.
    package mutating func index(below bound: Natural) -> Natural {
        var most = bound
        most -= 1
        let count = max(1, most.wordCount)
        var limit = Natural.power(ofTwo: 64 * count)
        limit -= limit.remainder(dividingBy: bound)
        while true {
            let drawn = Natural(words: (0..<count).map { _ in next() }.reversed())
            if drawn < limit { return drawn.remainder(dividingBy: bound) }
        }
    }
}
