/// Counts orders whose only constraint is that runs of one kind are short, however many orders there are.
///
/// Kinds are combined by their runs instead of place by place. If u(t) = v / (1 + v) and v(t) = t + t² + … up to
/// the longest run, the coefficient of t^n in e^(x·u(t)), as a polynomial in x, stands for n items of one kind; the
/// product of these polynomials, with k! for each x^k, is the number of sequences (Carlitz, and Goulden and
/// Jackson, *Combinatorial Enumeration*, 1983, section 2.4). It is computed modulo primes below 2²⁸.
struct RunCounting: Sendable {
    /// One order may take at most this many multiplications, about one for each nanosecond.
    static let mostWork = 3e9

    private let longest: Int
    private var fields: [Field] = []
    /// How many primes the numbers need when this many items are left.
    private var fieldsNeeded: [Int] = []

    /// - Parameters:
    ///   - copies: how many items of each kind there are.
    ///   - longest: how many of one kind may follow each other; at least 1.
    init(copies: [Int], longest: Int) {
        self.longest = longest
        let all = copies.reduce(0, +)
        var most: Natural = 1
        for _ in 0...all {
            fieldsNeeded.append(most.bitWidth / Field.bits + 1)
            most *= UInt64(copies.count)
        }
        let size = copies.max() ?? 0
        var prime: UInt64 = 1 << UInt64(Field.bits + 1)
        for _ in 0..<(fieldsNeeded.last ?? 0) {
            repeat { prime -= 1 } while !Field.isPrime(prime)
            fields.append(Field(prime, size: size, all: all, longest: longest, earlier: fields.map(\.prime)))
        }
    }

    /// About how many multiplications it takes to draw one order.
    static func work(copies: [Int]) -> Double {
        var (all, pairs) = (0.0, 0.0)
        for copy in copies {
            pairs += all * Double(copy)
            all += Double(copy)
        }
        let bits = all * Double(Int.bitWidth - copies.count.leadingZeroBitCount)
        return all / 4 * (1.5 * pairs + all) * (1 + bits / Double(Field.bits))
    }

    /// The completions after placing each kind next.
    ///
    /// - Parameters:
    ///   - left: what is left of each kind.
    ///   - last: the kind placed last, with the length of its run; `nil` at the beginning.
    func completions(left: [Int], last: (kind: Int, run: Int)?) -> [Natural] {
        var room = [Int](repeating: longest, count: left.count)
        if let last { room[last.kind] -= last.run }
        let needed = fields.prefix(fieldsNeeded[left.reduce(0, +)])
        let residues = needed.map { $0.completions(left: left, room: room) }
        return left.indices.map { kind in
            var digits: [UInt64] = []
            for (field, values) in zip(needed, residues) {
                digits.append(field.digit(of: values[kind], after: digits))
            }
            var number: Natural = 0
            for (field, digit) in zip(needed, digits).reversed() {
                number *= field.prime
                number += Natural(digit)
            }
            return number
        }
    }
}

/// Numbers modulo one prime.
private struct Field: Sendable {
    /// Every prime has one bit more, so sums of 128 products fit into 64 bits.
    static let bits = 27
    private static let most = 128

    let prime: UInt64
    /// The polynomial of one kind, by the number of its items.
    private var runs: [[UInt64]] = []
    /// The same if the kind must not stand first.
    private var laterRuns: [[UInt64]] = []
    private var factorials: [UInt64] = [1]
    /// Inverses of the primes before this one.
    private var inverses: [UInt64] = []

    init(_ prime: UInt64, size: Int, all: Int, longest: Int, earlier: [UInt64]) {
        self.prime = prime
        for number in 0..<UInt64(all) { factorials.append(factorials[Int(number)] * (number + 1) % prime) }
        inverses = earlier.map { inverse(of: $0) }
        // 1 / (1 + v) is 1 - t + t^(longest + 1) - t^(longest + 2) + …; u is 1 minus this.
        var u = [UInt64](repeating: 0, count: size + 1)
        for power in stride(from: 0, through: size, by: longest + 1) {
            if power > 0 { u[power] = prime - 1 }
            if power < size { u[power + 1] = 1 }
        }
        runs = Array(repeating: [], count: size + 1)
        laterRuns = runs
        var power = [1] + [UInt64](repeating: 0, count: size)
        for exponent in 0...size {
            let next = Array(product(power, u).prefix(size + 1))
            let share = inverse(of: factorials[exponent])
            for count in exponent...size {
                runs[count].append(power[count] * share % prime)
                laterRuns[count].append((power[count] + prime - next[count]) * share % prime)
            }
            power = next
        }
    }

    /// The completions after placing each kind next, if there is room for it.
    func completions(left: [Int], room: [Int]) -> [UInt64] {
        var all = left.reduce(0, +)
        var weights = [Array(factorials[0...all])]
        for kind in left.indices.reversed() {
            all -= left[kind]
            weights.append(correlation(runs[left[kind]], weights[weights.count - 1], count: all + 1))
        }
        weights.reverse()
        var earlier: [UInt64] = [1]
        return left.indices.map { kind in
            defer { earlier = product(earlier, runs[left[kind]]) }
            guard left[kind] > 0, room[kind] > 0 else { return 0 }
            var first = [UInt64](repeating: 0, count: left[kind])
            for run in 1...min(room[kind], left[kind]) {
                for (power, value) in laterRuns[left[kind] - run].enumerated() {
                    first[power] = (first[power] + value) % prime
                }
            }
            return correlation(product(earlier, first), weights[kind + 1], count: 1)[0]
        }
    }

    /// The digit of a number in the mixed base of the primes, from its residue and the digits before it.
    func digit(of residue: UInt64, after digits: [UInt64]) -> UInt64 {
        var rest = residue
        for (digit, inverse) in zip(digits, inverses) {
            rest = (rest + prime - digit % prime) % prime * inverse % prime
        }
        return rest
    }

    private func product(_ first: [UInt64], _ second: [UInt64]) -> [UInt64] {
        guard first.count <= second.count else { return product(second, first) }
        var product = [UInt64](repeating: 0, count: first.count + second.count - 1)
        for (place, factor) in first.enumerated() {
            add(second[...], times: factor, to: &product, at: place)
            if place % Self.most == Self.most - 2 { reduce(&product) }
        }
        reduce(&product)
        return product
    }

    /// The sums of products with `first` laid over `second`, starting at each of its first places.
    private func correlation(_ first: [UInt64], _ second: [UInt64], count: Int) -> [UInt64] {
        var sums = [UInt64](repeating: 0, count: count)
        for (place, factor) in first.enumerated() {
            add(second[place..<(place + count)], times: factor, to: &sums, at: 0)
            if place % Self.most == Self.most - 2 { reduce(&sums) }
        }
        reduce(&sums)
        return sums
    }

    /// Adds products to sums, starting at a place. Nearly all the time is spent here.
    private func add(
        _ terms: ArraySlice<UInt64>, times factor: UInt64, to sums: inout [UInt64], at place: Int
    ) {
        precondition(place + terms.count <= sums.count, "more terms than sums")
        // SAFETY: both buffers are used within their closures, and within the counts that were just compared.
        unsafe terms.withUnsafeBufferPointer { terms in
            unsafe sums.withUnsafeMutableBufferPointer { sums in
                for index in 0..<terms.count { unsafe sums[place + index] &+= factor &* terms[index] }
            }
        }
    }

    private func reduce(_ numbers: inout [UInt64]) {
        for place in numbers.indices { numbers[place] %= prime }
    }

    private func inverse(of number: UInt64) -> UInt64 {
        var (result, base, exponent) = (UInt64(1), number % prime, prime - 2)
        while exponent > 0 {
            if exponent & 1 == 1 { result = result * base % prime }
            base = base * base % prime
            exponent >>= 1
        }
        return result
    }

    static func isPrime(_ number: UInt64) -> Bool {
        guard !number.isMultiple(of: 2) else { return false }
        var divisor: UInt64 = 3
        while divisor * divisor <= number {
            if number.isMultiple(of: divisor) { return false }
            divisor += 2
        }
        return true
    }
}
