import CAudioStream
import Platform
import Synchronization

/// The decoding thread. It keeps two seconds of every sound ready, so that neither the mixer nor the device ever
/// waits for a disk.
final class SoundReader: Sendable {
    private struct Request: Sendable {
        var material: SoundFeed.Material
        var rate: Int
        var queue: FrameQueue
        var course: SharedCourse?
    }

    private let requests = Mutex<[Request]>([])
    private let isOver = Mutex(false)
    private let news = Semaphore()

    /// Begins to read a sound at once.
    func read(
        _ material: SoundFeed.Material, rate: Int, along course: SharedCourse?, into queue: FrameQueue
    ) {
        requests.withLock {
            $0.append(Request(material: material, rate: rate, queue: queue, course: course))
        }
        news.signal()
    }

    /// - Parameter isUrgent: whether sounds are heard so soon that other work of the machine must not come between.
    func start(isUrgent: Bool) {
        DetachedThread.start { [self] in
            if isUrgent { _ = entrain_thread_hurry(entrain_decodes) }
            turn()
        }
    }

    func stop() {
        isOver.withLock { $0 = true }
        news.signal()
    }

    private func turn() {
        var feeds: [(feed: SoundFeed, queue: FrameQueue, rate: Int, isFollowing: Bool)] = []
        while !isOver.withLock({ $0 }) {
            let fresh = requests.withLock { requests in
                defer { requests = [] }
                return requests
            }
            for request in fresh {
                do throws(SoundFailure) {
                    let feed = try SoundFeed(request.material, rate: request.rate, along: request.course)
                    feeds.append((feed, request.queue, request.rate, request.course != nil))
                } catch {
                    request.queue.put([], isLast: true, problem: error.description)
                }
            }
            // The newest sound first, because it has the least time left. A little at a time, so that every sound
            // soon has some frames; the less there are, the less at a time.
            var isBusy = true
            while isBusy {
                isBusy = false
                // What is ready cannot follow any more, so little of a sound that follows is ready.
                for (feed, queue, rate, isFollowing) in feeds.reversed()
                where !queue.hasEnded && queue.count < (isFollowing ? rate / 5 : rate * 2) {
                    let portion = isFollowing ? 1024 : min(max(queue.count, 512), 8192)
                    let frames = feed.read(portion)
                    queue.put(frames, isLast: frames.count < portion * 2, problem: feed.problem)
                    isBusy = true
                }
            }
            feeds.removeAll { $0.queue.hasEnded }
            let isFollowing = feeds.contains(where: \.isFollowing)
            news.wait(milliseconds: feeds.isEmpty ? 10_000 : isFollowing ? 40 : 250)
        }
    }
}
