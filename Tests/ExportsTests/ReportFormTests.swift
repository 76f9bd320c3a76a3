import Testing

@testable import Datasets
@testable import Exports

@Suite struct ReportFormTests {
    @Test(arguments: [(0.0, 7.3), (58.0, 69.0), (-0.4, 1.2), (0, 0.0001), (-1e6, 1e6)])
    func `axes have some round ticks within their range`(low: Double, high: Double) {
        let axis = Axis(low...high, pixels: (0, 100))
        let ticks = axis.ticks(5)
        #expect((2...7).contains(ticks.count))
        #expect(ticks.allSatisfy { low - 1e-9 * high <= $0 && $0 <= high * (1 + 1e-9) })
        #expect(Set(ticks.map(Axis.label)).count == ticks.count)
    }

    @Test func `axes of one value do not divide by nothing`() {
        #expect(Axis(5...5, pixels: (0, 100)).place(5) == 50)
        #expect(Axis.step(0) == 1)
        #expect(Axis.step(.infinity) == 1)
    }

    @Test(arguments: [
        (0.0, 1, "0.0"), (-0.04, 1, "0.0"), (-1.25, 1, "−1.3"), (12.345, 2, "12.35"), (3, 0, "3"),
    ])
    func `numbers have as many decimals as wanted`(value: Double, count: Int, text: String) {
        #expect(Axis.decimals(value, count) == text)
    }

    @Test func `pages show texts and obey none of them`() {
        #expect(HTML.escaped("<b>&\"\u{1B}\u{202E}") == "&lt;b&gt;&amp;&quot;\\u{1b}\\u{202e}")
        #expect(Drawing.fitted("A long title of a clip", to: 60) == "A long …")
        #expect(Drawing.fitted("A long title", to: 20) == "")
        let names = (1...2).map { Drawing.fittedAround("a_long_name_that_fills_the_row_0\($0)", to: 100) }
        #expect(names[0] != names[1] && names[0].hasPrefix("a_") && names[0].hasSuffix("_01"))
        #expect(Double(names[0].count) * Drawing.letter <= 100)
    }
}
