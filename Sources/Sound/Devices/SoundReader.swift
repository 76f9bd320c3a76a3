import Platform
import StudySession
import Synchronization

/// The decoding thread. It keeps two seconds of every sound ready, so that neither the mixer nor the device ever
/// waits for a disk.
final class SoundReader: Sendable {
    private struct Request: Sendable {
        var material: SoundFeed.Material
        var rate: Int
        var queue: FrameQueue
    }

    private let requests = Mutex<[Request]>([])
    private let isOver = Mutex(false)
    private let news = Semaphore()

    /// Begins to read a sound at once.
    func read(_ material: SoundFeed.Material, rate: Int, into queue: FrameQueue) {
        requests.withLock { $0.append(Request(material: material, rate: rate, queue: queue)) }
        news.signal()
    }

    func start() { DetachedThread.start { [self] in turn() } }

    func stop() {
        isOver.withLock { $0 = true }
        news.signal()
    }

    private func turn() {
        var feeds: [(feed: SoundFeed, queue: FrameQueue, ahead: Int)] = []
        while !isOver.withLock({ $0 }) {
            let fresh = requests.withLock { requests in
                defer { requests = [] }
                return requests
            }
            for request in fresh {
                do throws(SoundFailure) {
                    let feed = try SoundFeed(request.material, rate: request.rate)
                    feeds.append((feed, request.queue, request.rate * 2))
                } catch {
                    request.queue.put([], isLast: true, problem: error.description)
                }
            }
            // The newest sound first, because it has the least time left. A little at a time, so that every sound
            // soon has some frames.
            var isBusy = true
            while isBusy {
                isBusy = false
                for (feed, queue, ahead) in feeds.reversed() where !queue.hasEnded && queue.count < ahead {
                    let frames = feed.read(8192)
                    queue.put(frames, isLast: frames.count < 8192 * 2, problem: feed.problem)
                    isBusy = true
                }
            }
            feeds.removeAll { $0.queue.hasEnded }
            news.wait(milliseconds: feeds.isEmpty ? 10_000 : 250)
        }
    }
}
