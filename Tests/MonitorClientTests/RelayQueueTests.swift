import Hashing
import StudyEngine
import StudyTesting
import Testing
import TextFormat

@testable import MonitorClient

@Suite struct RelayQueueTests {
    private static func queue(_ count: Int) -> RelayQueue {
        var queue = RelayQueue()
        for number in 0..<count { queue.add(.integer(number)) }
        return queue
    }

    @Test func `a request that nobody answered comes again, with its number`() {
        var queue = Self.queue(3)
        let first = (queue.prepare(), queue.request, queue.number)
        #expect(first == (true, [0, 1, 2], 0))
        let gone = queue.take(.away("nobody"))
        #expect(!gone.goesOn && gone.change == .away("nobody"))
        queue.add(3)
        let again = (queue.prepare(), queue.request, queue.number)
        #expect(again == (true, [0, 1, 2], 0))
        let still = queue.take(.unknownSeries)
        #expect(!still.goesOn && still.change == nil && queue.end.left == 4)
        let back = queue.take(.kept)
        #expect(back.goesOn && back.change == .back(waiting: 1))
        let next = (queue.prepare(), queue.request, queue.number)
        #expect(next == (true, [3], 1))
        _ = queue.take(.kept)
        #expect(!queue.prepare() && queue.end == HeartRelay.Outcome(sent: 4, problem: "no monitor is there"))
    }

    @Test func `of a request that is not wanted, only what is at fault is lost`() {
        var queue = Self.queue(4)
        var kept: [JSON] = []
        var numbers: Set<Int> = []
        while queue.prepare() {
            #expect(numbers.insert(queue.number).inserted, "a key for two bodies")
            let isWanted = !queue.request.contains(2)
            if isWanted { kept += queue.request }
            _ = queue.take(isWanted ? .kept : .unwanted("in the future"))
        }
        #expect(kept == [0, 1, 3])
        #expect(queue.end == HeartRelay.Outcome(sent: 3, refused: 1, problem: "in the future"))
    }

    @Test func `requests are of bounded size, and so is what waits`() {
        var queue = Self.queue(RelayQueue.mostWaiting + 700)
        #expect(queue.end.dropped == 700 && queue.end.left == RelayQueue.mostWaiting)
        var expected = 700
        while queue.prepare() {
            #expect(queue.request.count <= RelayQueue.batch)
            #expect(queue.request.first == .integer(expected))
            expected += queue.request.count
            _ = queue.take(.kept)
        }
        #expect(expected == RelayQueue.mostWaiting + 700 && queue.end.sent == RelayQueue.mostWaiting)
    }

    @Test(arguments: 0..<100 as Range<UInt64>)
    func `a monitor that fails at any time has each reading once, in order`(seed: UInt64) {
        var random = SplitMix64(seed: seed)
        var queue = RelayQueue()
        var (kept, keys, added): ([JSON], Set<Int>, Int) = ([], [], 0)
        while added < 300 || queue.end.left > 0 {
            for _ in 0..<random.index(below: 4) where added < 300 {
                queue.add(.integer(added))
                added += 1
            }
            guard queue.prepare() else { continue }
            switch random.index(below: 4) {
            case 0: _ = queue.take(.away("down"))
            case 1:
                // Written, and the answer lost: the key is known when it comes again.
                if keys.insert(queue.number).inserted { kept += queue.request }
                _ = queue.take(.away("cut off"))
            case _:
                if keys.insert(queue.number).inserted { kept += queue.request }
                _ = queue.take(.kept)
            }
        }
        #expect(kept == (0..<300).map { .integer($0) } && queue.end.sent == 300)
    }
}
