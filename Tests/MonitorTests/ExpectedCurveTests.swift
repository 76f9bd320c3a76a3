import MonitorInterface
import Testing
import TextFormat

@testable import Monitor

/// What a day shows of what studies expected.
@Suite struct ExpectedCurveTests {
    /// A step that is planned for a minute ends, or does not, after so many seconds.
    @Test(
        arguments: [
            (nil, [[0, 64, 58, 70], [60, 110, 99, 121]]),
            (30.0, [[0, 64, 58, 70], [30, 87, 78.5, 95.5]]),
            (60.0, [[0, 64, 58, 70], [60, 110, 99, 121]]),
            (90.0, [[0, 64, 58, 70], [60, 110, 99, 121], [90, 110, 99, 121]]),
        ] as [(Double?, [[Double]])])
    func `a curve ends with its step, and holds its last value until then`(
        end: Double?, expected: [[Double]]
    ) async throws {
        let store = try scratchStore()
        let day = CivilDay(at: 1_700_000_000)
        let begun = try SessionDescription(
            json: json(
                """
                {"id":"run","startedAt":\(day.start + 3600),"participant":"P01","steps":\
                [{"identifier":"effort","duration":60,"expected":[[0,64,58,70],[60,110,99,121]]}]}
                """), now: 0)
        var events = #"{"sequence":1,"kind":"stepStarted","elapsed":10,"step":"effort"}"#
        if let end {
            events += #",{"sequence":2,"kind":"stepEnded","elapsed":\#(10 + end),"step":"effort"}"#
        }
        let told = try RunEvent.all(in: json(#"{"events":[\#(events)]}"#))
        let commit = try await store.commit(
            [.begin(begun), .events(told, session: "run")], now: day.start + 3800)
        for receipt in commit.receipts { _ = try receipt.get() }
        let chart = try await store.chart(of: day, participant: nil, now: day.start + 3800)
        let curve = try #require(chart["expected"]?.list?.first?.list).map { point in
            (point.list ?? []).compactMap(\.number)
        }
        let origin = day.start + 3610
        #expect(curve.map { [$0[0] - origin] + $0.dropFirst() } == expected)
    }
}
