import Glibc

/// One thread waits for it until another signals it. A signal is kept until somebody waits for it.
@safe package final class Semaphore: Sendable {
    // SAFETY: lives from init to deinit at a fixed address and is only touched through sem_ calls.
    nonisolated(unsafe) private let semaphore = UnsafeMutablePointer<sem_t>.allocate(capacity: 1)

    package init() { unsafe sem_init(semaphore, 0, 0) }

    deinit {
        unsafe sem_destroy(semaphore)
        unsafe semaphore.deallocate()
    }

    package func signal() { unsafe sem_post(semaphore) }

    /// Returns when it is signalled, or after this many milliseconds.
    package func wait(milliseconds: Int) {
        var time = timespec()
        unsafe clock_gettime(CLOCK_REALTIME, &time)
        let nanoseconds = time.tv_nsec + milliseconds % 1000 * 1_000_000
        time.tv_sec += milliseconds / 1000 + nanoseconds / 1_000_000_000
        time.tv_nsec = nanoseconds % 1_000_000_000
        while unsafe sem_timedwait(semaphore, &time) != 0, errno == EINTR {}
    }
}
