import CAudioStream
import Glibc
import Synchronization

/// A thread of its own for sound or another device: what it does must not wait for a pool that is busy with disks.
enum AudioThread {
    private final class Body: Sendable {
        let run: @Sendable () -> Void
        init(_ run: @escaping @Sendable () -> Void) { self.run = run }
    }

    /// Starts a thread that ends when `body` returns.
    ///
    /// - Parameter isUrgent: whether it goes before all ordinary threads of a busy machine, where that is allowed.
    static func start(isUrgent: Bool = false, _ body: @escaping @Sendable () -> Void) {
        let run: @Sendable () -> Void = {
            if isUrgent { _ = entrain_thread_hurry() }
            body()
        }
        var thread = pthread_t()
        let context = unsafe Unmanaged.passRetained(Body(run)).toOpaque()
        let failure = unsafe pthread_create(
            &thread, nil,
            { context in
                guard let context = unsafe context else { return nil }
                unsafe Unmanaged<Body>.fromOpaque(context).takeRetainedValue().run()
                return nil
            }, context)
        precondition(failure == 0, "no thread for a device: error \(failure)")
        pthread_detach(thread)
    }

    /// Waits for so many milliseconds.
    static func pause(milliseconds: Int) {
        var time = timespec(tv_sec: milliseconds / 1000, tv_nsec: milliseconds % 1000 * 1_000_000)
        unsafe nanosleep(&time, nil)
    }

    /// Nanoseconds of the machine's monotonic clock.
    static var now: Int64 {
        var time = timespec()
        unsafe clock_gettime(CLOCK_MONOTONIC, &time)
        return Int64(time.tv_sec) * 1_000_000_000 + Int64(time.tv_nsec)
    }
}

/// A bell that a sleeping thread waits for.
@safe final class Doorbell: Sendable {
    // SAFETY: lives from init to deinit at a fixed address and is only touched through sem_ calls.
    nonisolated(unsafe) private let semaphore = UnsafeMutablePointer<sem_t>.allocate(capacity: 1)

    init() { unsafe sem_init(semaphore, 0, 0) }

    deinit {
        unsafe sem_destroy(semaphore)
        unsafe semaphore.deallocate()
    }

    func ring() { unsafe sem_post(semaphore) }

    /// Returns when it rang, or after so many milliseconds.
    func wait(milliseconds: Int) {
        var time = timespec()
        unsafe clock_gettime(CLOCK_REALTIME, &time)
        let nanoseconds = time.tv_nsec + milliseconds % 1000 * 1_000_000
        time.tv_sec += milliseconds / 1000 + nanoseconds / 1_000_000_000
        time.tv_nsec = nanoseconds % 1_000_000_000
        while unsafe sem_timedwait(semaphore, &time) != 0, errno == EINTR {}
    }
}
