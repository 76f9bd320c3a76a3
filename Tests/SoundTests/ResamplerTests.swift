import Glibc
import Testing

@testable import Sound

@Suite struct ResamplerTests {
    private func sine(_ frequency: Double, rate: Int, count: Int) -> [Float] {
        (0..<count).flatMap { frame in
            let value = Float(0.5 * sin(2 * .pi * frequency * Double(frame) / Double(rate)))
            return [value, -value]
        }
    }

    @Test(
        arguments: [(44_100, 48_000), (22_050, 48_000), (48_000, 44_100), (96_000, 48_000)], [1, 313, 8192])
    func `keeps a tone's time and level`(rates: (Int, Int), block: Int) {
        let (from, to) = rates
        let source = sine(997, rate: from, count: from / 4)
        var resampler = Resampler(from: from, to: to)
        var result: [Float] = []
        for start in stride(from: 0, to: source.count, by: block * 2) {
            let end = min(source.count, start + block * 2)
            resampler.put(Array(source[start..<end]), isLast: end == source.count)
            result += resampler.drain()
        }
        #expect(result.count == (from / 4 * to + from - 1) / from * 2)
        let wanted = sine(997, rate: to, count: result.count / 2)
        let inner = 400..<(result.count - 400)
        let error = inner.map { abs(result[$0] - wanted[$0]) }.max() ?? 1
        #expect(error < 0.000_1, "off by \(error)")
    }

    @Test func `leaves out what the new rate cannot hold`() {
        let source = sine(30_000, rate: 96_000, count: 9600)
        var resampler = Resampler(from: 96_000, to: 44_100)
        resampler.put(source, isLast: true)
        let result = resampler.drain()
        #expect(result[400..<(result.count - 400)].allSatisfy { abs($0) < 0.000_1 })
    }
}
