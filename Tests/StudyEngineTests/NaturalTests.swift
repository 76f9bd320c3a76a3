import Hashing
import StudyEngine
import Testing

@Suite struct NaturalTests {
    private static func factorial(_ number: UInt64) -> Natural {
        (1...number).reduce(into: Natural(1)) { product, factor in product *= factor }
    }

    @Test func `counts beyond 64 bits, and writes what it has counted`() {
        #expect("\(Self.factorial(25))" == "15511210043330985984000000")
        #expect("\(Natural(0))" == "0" && Natural(0).isZero && Natural(words: [0, 0]) == 0)
        #expect(Natural.power(ofTwo: 64) > Natural(.max) && Natural.power(ofTwo: 64).bitWidth == 65)
    }

    @Test(arguments: 0..<200 as Range<UInt64>)
    func `keeps the laws of whole numbers`(seed: UInt64) {
        var random = SplitMix64(seed: seed)
        func number() -> Natural {
            Natural(
                words: (0..<random.index(below: 5)).map { _ in
                    random.index(below: 3) == 0 ? .max : random.next()
                })
        }
        let (first, second, third) = (number(), number(), number())
        var sum = first
        sum += second
        #expect(
            sum >= first && sum * third == added(first * third, second * third)
                && first * third == third * first)
        var back = sum
        back -= second
        #expect(back == first)
        let small = random.next() | 1
        var quotient = first
        let remainder = quotient.divide(by: small)
        #expect(remainder < small && added(quotient * Natural(small), Natural(remainder)) == first)
        var divisor = second
        divisor += 1
        let rest = added(third * divisor, Natural(0)).remainder(dividingBy: divisor)
        #expect(rest.isZero && first.remainder(dividingBy: divisor) < divisor)
    }

    private func added(_ first: Natural, _ second: Natural) -> Natural {
        var sum = first
        sum += second
        return sum
    }

    @Test(arguments: [1, 2, 3, 1_000, 1 << 63, .max] as [UInt64])
    func `draws below a bound of 64 bits as it always did`(bound: UInt64) {
        var (small, large) = (SplitMix64(seed: bound), SplitMix64(seed: bound))
        for _ in 0..<50 { #expect(large.index(below: Natural(bound)) == Natural(small.index(below: bound))) }
    }

    @Test func `draws each number below a large bound as often`() {
        let bound = Natural(words: [3, 3])
        var random = SplitMix64(seed: 5)
        let least = (0..<3_000).filter { _ in
            var doubled = random.index(below: bound)
            #expect(doubled < bound)
            doubled *= 3
            return doubled < bound
        }
        #expect((900...1_100).contains(least.count))
    }
}
