import Physiology
import Testing

@testable import Datasets

@Suite struct JudgedIntervalsTests {
    /// Beats of a heart at about 70 a minute, each told when it ended.
    private func beats(_ lengths: [Double], gapAfter: Int? = nil) -> [BundleHearts.Beats] {
        var time = 0.0
        return lengths.enumerated().map { index, length in
            time += length + (index == gapAfter ? 5 : 0)
            return .init(time: time, intervals: [length])
        }
    }

    private func breathing(_ count: Int) -> [Double] {
        (0..<count).map { [0.84, 0.86, 0.88, 0.87, 0.85, 0.83][$0 % 6] + 0.001 * Double($0 % 5) }
    }

    @Test func `a missed and an extra beat are told with what is used`() throws {
        var lengths = breathing(80)
        lengths[30] += lengths.remove(at: 31)
        let whole = lengths[60]
        lengths[60] = 0.3
        lengths.insert(whole - 0.3, at: 61)
        let judged = beats(lengths).judged
        #expect(judged.count == lengths.count && judged.map(\.length) == lengths)
        #expect(judged[30].artefact == .missed && judged[30].corrected.count == 2)
        #expect(judged[60...61].contains { $0.artefact == .extra })
        #expect(judged[60...61].flatMap(\.corrected).count == 1)
        let remark = try #require(judged[30].remark)
        #expect(remark.hasPrefix("missed: 1.7") && remark.contains(" s, used as 0.8"))
        #expect(judged.filter { $0.artefact == nil }.allSatisfy { $0.remark == nil })
        #expect(
            judged.filter { $0.artefact == nil }.allSatisfy { $0.corrected == [$0.length] })
    }

    @Test func `a gap is told, and what has no length is no interval`() {
        let whole = beats(breathing(40), gapAfter: 20)
        #expect(whole.judged.indices.filter { whole.judged[$0].isAfterGap } == [20])
        var broken = whole
        broken[10].intervals = [.nan]
        #expect(broken.judged.count == 39)
        #expect(broken.judged.map(\.end) == whole.indices.filter { $0 != 10 }.map { whole[$0].time })
        #expect([BundleHearts.Beats]().judged == [])
    }
}
