import SessionPorts
import StudyModel
import StudyTesting
import Testing

@testable import Platform
@testable import Signals

@Suite(.timeLimit(.minutes(30))) struct FloodTests {
    /// Numbers are data of a few bytes, and texts are not.
    private enum Element: Hashable, Sendable {
        case data(Int)
        case word(String)
    }

    private func inlet(_ allowance: Allowance) -> Inlet<Element> {
        Inlet(allowance, at: .start) { if case .data = $0 { 8 } else { nil } }
    }

    @Test func `what a run can take comes at once, in order`() async {
        let inlet = inlet(.lines)
        let elements: [Element] = [.word("opened"), .data(1), .data(2), .word("closed")]
        for element in elements { inlet.send(element) }
        let batch = await inlet.next(on: ManualClock())
        #expect(batch?.elements == elements && batch?.flood == nil)
    }

    @Test func `of too much the newest stays, the rest is counted, and no word is lost`() async {
        let inlet = inlet(Allowance(burst: 3, rate: 2))
        let clock = ManualClock()
        clock.advance(to: .seconds(5))
        inlet.send(.word("opened"))
        for number in 1...10 { inlet.send(.data(number)) }
        let first = await inlet.next(on: clock)
        #expect(first?.elements == [.word("opened"), .data(8), .data(9), .data(10)])
        #expect(first?.flood?.count == 7 && first?.flood?.since == .start)
        // Nothing more may come for half a second.
        for number in 11...20 { inlet.send(.data(number)) }
        inlet.send(.word("closed"))
        async let next = inlet.next(on: clock)
        clock.advance(to: await clock.nextSleep())
        let second = await next
        #expect(second?.elements == [.word("closed")])
        #expect(second?.flood?.count == 10 && second?.flood?.since == .seconds(5))
        inlet.send(.data(21))
        async let last = inlet.next(on: clock)
        _ = await clock.nextSleep()
        clock.advance(to: .seconds(6))
        #expect(await last?.elements == [.data(21)])
    }

    @Test func `however much is sent while nobody takes it, a bounded part waits`() async {
        let inlet = inlet(Allowance(burst: 1e9, rate: 1))
        for number in 1...200_000 { inlet.send(.data(number)) }
        let clock = ManualClock()
        var taken: [Element] = []
        var dropped = 0
        for turn in 0..<70 {
            if turn > 0 { clock.advance(to: clock.now.advanced(by: .seconds(1))) }
            async let batch = inlet.next(on: clock)
            if turn > 0 { clock.advance(to: max(clock.now, await clock.nextSleep())) }
            let come = await batch
            taken += come?.elements ?? []
            dropped += come?.flood?.count ?? 0
            if taken.last == .data(200_000) { break }
        }
        #expect(taken.last == .data(200_000) && taken.count < 15_000)
        #expect(taken.count + dropped == 200_000)
    }

    @Test func `of an answer with too much the newest readings stay`() {
        var poll = Poll(PolledServer(url: "http://h/x"), from: .start)
        let answer = HTTPResponse(
            head: HTTPHead(status: 200, headers: []),
            body: Array(String(repeating: "60\n", count: 9_000).utf8) + Array("61".utf8))
        let reports = poll.take(.success(answer), at: .seconds(4), wall: 0)
        #expect(reports.contains(.flooded(4_001, since: .start)))
        let samples = reports.compactMap(\.heart)
        #expect(samples.count == 5_000 && samples.last?.value.rate == 61)
        #expect(
            poll.remarks == ["readings that came faster than a run can process them, and were left out: 4001"]
        )
    }
}
