import Logging
import NIOCore
import Synchronization
import Testing

@testable import Monitor

@Suite struct FeedTests {
    private func record(_ number: Int64, session: String = "run") -> Record {
        Record(
            number: number, session: session, kind: .heartRate(60, rr: nil), time: 1, elapsed: 1, received: 1)
    }

    @Test func `sends a listener its own session alone`() async throws {
        let feed = Feed(limits: Limits())
        let mine = try feed.listen(to: .session("mine")) {}
        let all = try feed.listen(to: .all) {}
        feed.publish([record(1, session: "mine"), record(2, session: "other")])
        feed.publish([record(3, session: "other")])
        feed.close()
        var texts: [[String]] = []
        for stream in [mine, all] {
            var numbers: [String] = []
            for await message in stream {
                guard case .frames(let bytes, _) = message else { continue }
                numbers += String(buffer: bytes).split(separator: "\n").filter { $0.hasPrefix("id:") }.map(
                    String.init)
            }
            texts.append(numbers)
        }
        #expect(texts == [["id: 1"], ["id: 1", "id: 2", "id: 3"]])
    }

    @Test func `who listens to everything gets together what came together, in order`() async throws {
        let feed = Feed(limits: Limits())
        let all = try feed.listen(to: .all) {}
        for number in 1...40 { feed.publish([record(Int64(number), session: "room-\(number)")]) }
        feed.close()
        var messages: [(numbers: [String], last: Int64)] = []
        for await message in all {
            guard case .frames(let bytes, let last) = message else { continue }
            let lines = String(buffer: bytes).split(separator: "\n").map(String.init)
            messages.append((lines.filter { $0.hasPrefix("id:") }, last))
        }
        #expect(messages.count == 1 && messages.first?.last == 40)
        #expect(messages.first?.numbers == (1...40).map { "id: \($0)" })
    }

    @Test func `what is pending goes out while the feed runs`() async throws {
        let feed = Feed(limits: Limits())
        let all = try feed.listen(to: .all) {}
        await withThrowingTaskGroup { tasks in
            tasks.addTask { try await feed.run() }
            feed.publish([record(1)])
            for await case .frames(_, let last) in all {
                #expect(last == 1)
                break
            }
            tasks.cancelAll()
        }
    }

    @Test func `drops a listener that falls behind`() async throws {
        var limits = Limits()
        limits.streamBuffer = 3
        let feed = Feed(limits: limits)
        let drops = Mutex(0)
        let slow = try feed.listen(to: .session("run")) { drops.withLock { $0 += 1 } }
        for number in 1...10 { feed.publish([record(Int64(number))]) }
        #expect(drops.withLock { $0 } == 1)
        #expect(feed.listenerCount == 0)
        var kept = 0
        for await _ in slow { kept += 1 }
        #expect(kept == 3)
    }

    @Test func `ends the streams of a revoked token, and no others`() async throws {
        let feed = Feed(limits: Limits())
        let drops = Mutex(0)
        let revoked = try feed.listen(to: .all, token: "old") { drops.withLock { $0 += 1 } }
        let kept = try feed.listen(to: .all, token: "good") { drops.withLock { $0 += 100 } }
        let free = try feed.listen(to: .all) { drops.withLock { $0 += 100 } }
        #expect(feed.hasTokens)
        feed.keepOnly(tokens: ["good"])
        for await _ in revoked { Issue.record("nothing comes any more") }
        #expect(drops.withLock { $0 } == 1 && feed.listenerCount == 2)
        withExtendedLifetime((kept, free)) {}
    }

    @Test func `takes no more listeners than it should, and none once closed`() throws {
        var limits = Limits()
        limits.streams = 2
        let feed = Feed(limits: limits)
        let first = try feed.listen(to: .all) {}
        let second = try feed.listen(to: .all) {}
        #expect(throws: Refusal.self) { try feed.listen(to: .all) {} }
        withExtendedLifetime((first, second)) {}
        feed.close()
        #expect(throws: Refusal.self) { try feed.listen(to: .all) {} }
    }

    @Test func `writes one line of data whatever the text`() {
        var nasty = record(1)
        nasty.kind = .note("a\nid: 9\n\ndata: \u{2028}</script>\r", author: nil)
        let frame = String(decoding: nasty.frame, as: UTF8.self)
        #expect(frame.split(separator: "\n", omittingEmptySubsequences: false).count == 5)
        #expect(!frame.contains("\r"))
    }
}
