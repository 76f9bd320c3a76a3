import MonitorInterface
import Results
import Testing
import TextFormat

@testable import Monitor

/// What pages are told of whose hearts they show, and of steps that are paused.
@Suite struct ShownStateTests {
    private let start = 1_750_000_000.0

    @Test func `hearts that nobody has are told apart from those of people`() async throws {
        let store = try scratchStore()
        let invented = Sender(source: "strap", origin: "simulated")
        for (rate, sender) in [(60.0, Sender(source: "strap")), (90, invented)] {
            _ = try await store.commit(
                [.pushed([Reading(beatsPerMinute: rate, time: start)], by: sender, key: nil)], now: start + 1)
        }
        let sessions = try await store.sessions(now: start + 1)
        #expect(sessions.count == 2 && sessions.compactMap { $0["origin"]?.text } == ["simulated"])
        let day = CivilDay(at: start)
        let chart = try await store.chart(of: day, participant: nil, now: day.end + 5)
        #expect(chart["origins"] == ["simulated"])
        #expect(chart["people"]?.list?.map { $0["origin"]?.text } == [nil, "simulated"])
        let other = try await store.chart(of: day, participant: "P01", now: day.end + 5)
        #expect(other["origins"] == nil)
    }

    @Test func `two sensors of one heart are one line, unless both told of the same minute`() async throws {
        let store = try scratchStore()
        let day = CivilDay(at: start)
        let noon = day.second(ofHour: 12)
        func told(_ rate: Double, at time: Double, by source: String) async throws -> [String]? {
            _ = try await store.commit(
                [
                    .pushed(
                        [Reading(beatsPerMinute: rate, time: time)],
                        by: Sender(source: source, participant: "P01"), key: nil)
                ], now: day.end)
            let chart = try await store.chart(of: day, participant: "P01", now: day.end)
            return chart["people"]?.list?.map {
                "\($0["source"]?.text ?? "") \($0["heartRate"]?.list?.first?.list?.last?.number ?? 0)"
            }
        }
        #expect(try await told(60, at: noon, by: "strap") == nil)
        #expect(try await told(80, at: noon + 60, by: "watch") == nil)
        #expect(try await told(80, at: noon, by: "watch") == ["strap 60.0", "watch 80.0"])
    }

    @Test func `the time of a paused step stands still`() async throws {
        let store = try scratchStore()
        func told(_ events: [(String, Double)]) async throws -> JSON? {
            let list = events.enumerated().map { number, event -> JSON in
                [
                    "sequence": .integer(number + 1), "kind": .text(event.0), "elapsed": .real(event.1),
                    "step": "rest",
                ]
            }
            let entry = Entry.events(try RunEvent.all(in: ["events": .list(list)]), session: "run")
            let about = try SessionDescription(json: ["id": "run", "startedAt": .real(start)], now: 0)
            _ = try await store.commit([.begin(about), .alive(session: "run"), entry], now: start)
            return try await store.sessions(now: start + 1).first?["progress"]
        }
        var events = [("stepShown", 1.0), ("stepStarted", 2.0), ("paused", 12.0)]
        #expect(
            try await told(events)
                == ["step": "rest", "since": .real(start + 2), "paused": .real(start + 12)])
        events += [("resumed", 42)]
        #expect(try await told(events) == ["step": "rest", "since": .real(start + 32)])
        events += [("paused", 50), ("resumed", 51), ("stepShown", 60)]
        #expect(try await told(events) == ["step": "rest"])
    }
}
