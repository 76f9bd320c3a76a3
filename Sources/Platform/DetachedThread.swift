import Glibc

/// A thread of our own, for work that blocks in the system. A task that blocked would hold a thread of the pool
/// that all tasks share.
package enum DetachedThread {
    private final class Body: Sendable {
        let run: @Sendable () -> Void
        init(_ run: @escaping @Sendable () -> Void) { self.run = run }
    }

    /// Starts a thread that ends when `body` returns.
    package static func start(_ body: @escaping @Sendable () -> Void) {
        var thread = pthread_t()
        let context = unsafe Unmanaged.passRetained(Body(body)).toOpaque()
        let failure = unsafe pthread_create(
            &thread, nil,
            { context in
                guard let context = unsafe context else { return nil }
                unsafe Unmanaged<Body>.fromOpaque(context).takeRetainedValue().run()
                return nil
            }, context)
        precondition(failure == 0, "the system gives no more threads: error \(failure)")
        pthread_detach(thread)
    }
}

/// Nanoseconds of the machine's monotonic clock.
package func monotonicNanoseconds() -> Int64 {
    var time = timespec()
    unsafe clock_gettime(CLOCK_MONOTONIC, &time)
    return Int64(time.tv_sec) * 1_000_000_000 + Int64(time.tv_nsec)
}
