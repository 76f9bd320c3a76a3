import CPlatform
import Glibc
import Platform
package import StudyModel
import Synchronization

/// One thread that runs the tasks of a run and sleeps exactly until the next of them is due.
///
/// If one thread waited and another did the work, every planned moment would cost a context switch. Here the thread
/// that sleeps is also the thread that continues. Tasks run in order of arrival, and timers in order of their
/// deadlines, so a run in virtual time is the same every time.
package final class RunLoop: TaskExecutor {
    @safe private struct Sleeper {
        var deadline: RunInstant
        var sequence: Int
        /// Resumed once, by the code that removes the sleeper from the list.
        var wake: UnsafeContinuation<Bool, Never>
    }

    private struct State {
        var jobs: [UnownedJob] = []
        /// Latest first, so that the next one to wake is the last element.
        var sleepers: [Sleeper] = []
        var sequence = 0
        var cancelled: Set<Int> = []
        var isStopping = false
        var pace = Pace.realTime(speed: 1)
        var origin: Int64 = 0
        /// The moment of the run at which the clock starts.
        var first = RunInstant.start
        var virtualNow = RunInstant.start
        /// Until then no sleeper is woken, nanoseconds of the machine's monotonic clock.
        var settled: Int64 = 0
    }

    private let state = Mutex(State())
    private let signal = Signal()
    /// The thread, once it runs.
    private let owner = Atomic<UInt>(0)

    /// A sleeping thread wakes 0.01 to 0.2 ms late. So it is woken slightly early and watches the clock for the
    /// rest of the time. This costs at most so much processor time for each planned moment. Nanoseconds.
    private static let lead: Int64 = 60_000

    /// A sleeper that is later than this shows that the program stood still, nanoseconds.
    private static let standstill: Int64 = 200_000_000
    /// After a standstill, what came meanwhile is read for so long before anything that was due happens, nanoseconds.
    private static let settling: Int64 = 100_000_000

    /// How the time of a run relates to the time of the machine.
    package enum Pace: Hashable, Sendable {
        /// `speed` seconds of the run per second of the machine.
        case realTime(speed: Double)
        /// Time stands still while anything is left to do, and then jumps to the next deadline.
        case virtual
    }

    private init() {}

    /// Runs `body` on a thread of its own and ends the thread afterwards.
    ///
    /// - Parameter body: concurrent, because it would else go on upon the caller's thread until it first waits.
    package static func with<Result: Sendable>(
        _ body: @concurrent @Sendable (RunLoop) async -> Result
    ) async -> Result {
        let loop = RunLoop()
        DetachedThread.start { loop.turnUntilStopped() }
        let result = await withTaskExecutorPreference(loop) { await body(loop) }
        loop.state.withLock { $0.isStopping = true }
        loop.signal.raise()
        return result
    }

    /// A clock that started a while ago.
    ///
    /// - Parameters:
    ///   - age: how long ago, by the machine's clock. In virtual time the clock starts now.
    ///   - first: at which moment of the run.
    package func clock(
        _ pace: Pace, started age: Duration = .zero, at first: RunInstant = .start
    ) -> RunClock {
        state.withLock { state in
            state.pace = pace
            state.origin = monotonicNanoseconds() - Int64(age / .nanoseconds(1))
            (state.first, state.virtualNow) = (first, first)
        }
        return RunClock(loop: self)
    }

    package func enqueue(_ job: consuming ExecutorJob) {
        let unowned = UnownedJob(job)
        state.withLock { $0.jobs.append(unowned) }
        wake()
    }

    /// Makes the thread check its work again. Not needed on the thread itself, which checks before it sleeps.
    private func wake() {
        if owner.load(ordering: .relaxed) != UInt(bitPattern: Int(pthread_self())) { signal.raise() }
    }

    private func turnUntilStopped() {
        // With the default slack, the kernel may wake this thread 50 µs late in order to save power.
        _ = entrain_set_timer_slack(1)
        owner.store(UInt(bitPattern: Int(pthread_self())), ordering: .relaxed)
        var jobs: [UnownedJob] = []
        while true {
            let seen = signal.count
            jobs.removeAll(keepingCapacity: true)
            let isStopping = state.withLock { state in
                swap(&jobs, &state.jobs)
                return state.isStopping
            }
            for job in jobs { unsafe job.runSynchronously(on: asUnownedTaskExecutor()) }
            if !jobs.isEmpty { continue }
            if isStopping { return }
            if let wake = unsafe popDue() {
                unsafe wake.resume(returning: true)
                continue
            }
            let deadline = state.withLock { state in nextDeadline(&state).map { max($0, state.settled) } }
            if let deadline, deadline - monotonicNanoseconds() <= Self.lead {
                while monotonicNanoseconds() < deadline, signal.count == seen {}
            } else {
                signal.wait(since: seen, until: deadline.map { $0 - Self.lead })
            }
        }
    }

    /// The first sleeper that is due. In virtual time, if none is due, time jumps to the next one.
    private func popDue() -> UnsafeContinuation<Bool, Never>? {
        unsafe state.withLock { state in
            guard let first = state.sleepers.last else { return nil }
            if now(state) < first.deadline {
                guard state.pace == .virtual, state.jobs.isEmpty else { return nil }
                state.virtualNow = first.deadline
            }
            if !isSettled(&state) { return nil }
            return unsafe state.sleepers.removeLast().wake
        }
    }

    /// Whether what is due may happen. The threads that read what comes from outside stood still with this one, and go
    /// first: a step must not be over, nor a source be silent, before its readings were seen.
    private func isSettled(_ state: inout State) -> Bool {
        guard let due = nextDeadline(&state) else { return true }
        let now = monotonicNanoseconds()
        if now < state.settled { return false }
        // What waits since a standstill is late because of that one.
        guard now - max(due, state.settled) > Self.standstill else { return true }
        state.settled = now + Self.settling
        return false
    }

    /// Nanoseconds of the machine's monotonic clock at which the next sleeper is due.
    private func nextDeadline(_ state: inout State) -> Int64? {
        guard case .realTime(let speed) = state.pace, let first = state.sleepers.last else { return nil }
        return state.origin + Int64(Double(first.deadline.nanoseconds - state.first.nanoseconds) / speed)
    }

    private func now(_ state: State) -> RunInstant {
        switch state.pace {
        case .virtual: return state.virtualNow
        case .realTime(let speed):
            let passed = monotonicNanoseconds() - state.origin
            return .nanoseconds(
                state.first.nanoseconds + (speed == 1 ? passed : Int64(Double(passed) * speed)))
        }
    }

    fileprivate var now: RunInstant { state.withLock { now($0) } }

    /// Sleeps; `false` if the task was cancelled in the meantime.
    fileprivate func sleep(until deadline: RunInstant) async -> Bool {
        let sequence = state.withLock { state in
            state.sequence += 1
            return state.sequence
        }
        return await withTaskCancellationHandler {
            await unsafe withUnsafeContinuation { (wake: UnsafeContinuation<Bool, Never>) in
                let isCancelled = state.withLock { state in
                    if state.cancelled.remove(sequence) != nil { return true }
                    let sleeper = unsafe Sleeper(deadline: deadline, sequence: sequence, wake: wake)
                    let index =
                        state.sleepers.firstIndex { $0.deadline <= deadline } ?? state.sleepers.endIndex
                    state.sleepers.insert(sleeper, at: index)
                    return false
                }
                if isCancelled { unsafe wake.resume(returning: false) } else { self.wake() }
            }
        } onCancel: {
            let wake: UnsafeContinuation<Bool, Never>? = unsafe state.withLock { state in
                guard let index = state.sleepers.firstIndex(where: { $0.sequence == sequence }) else {
                    state.cancelled.insert(sequence)
                    return nil
                }
                return unsafe state.sleepers.remove(at: index).wake
            }
            unsafe wake?.resume(returning: false)
        }
    }
}

package struct RunClock: Clock {
    package typealias Instant = RunInstant

    fileprivate let loop: RunLoop

    package var now: RunInstant { loop.now }
    package var minimumResolution: Duration { .nanoseconds(1) }

    package func sleep(until deadline: RunInstant, tolerance: Duration?) async throws {
        if Task.isCancelled { throw CancellationError() }
        guard await loop.sleep(until: deadline) else { throw CancellationError() }
    }
}

/// A counter to wait for, with a deadline on the monotonic clock.
@safe private final class Signal: Sendable {
    // SAFETY: both live from init to deinit at a fixed address and are only touched through pthread calls.
    nonisolated(unsafe) private let mutex = UnsafeMutablePointer<pthread_mutex_t>.allocate(capacity: 1)
    // SAFETY: as `mutex`.
    nonisolated(unsafe) private let condition = UnsafeMutablePointer<pthread_cond_t>.allocate(capacity: 1)
    private let raised = Atomic<Int>(0)

    init() {
        unsafe pthread_mutex_init(mutex, nil)
        var attributes = pthread_condattr_t()
        unsafe pthread_condattr_init(&attributes)
        unsafe pthread_condattr_setclock(&attributes, CLOCK_MONOTONIC)
        unsafe pthread_cond_init(condition, &attributes)
        unsafe pthread_condattr_destroy(&attributes)
    }

    deinit {
        unsafe pthread_cond_destroy(condition)
        unsafe pthread_mutex_destroy(mutex)
        unsafe condition.deallocate()
        unsafe mutex.deallocate()
    }

    /// How often it was raised.
    var count: Int { raised.load(ordering: .acquiring) }

    func raise() {
        unsafe pthread_mutex_lock(mutex)
        raised.add(1, ordering: .releasing)
        unsafe pthread_mutex_unlock(mutex)
        // Signalled after unlocking; otherwise the woken thread would wait for the lock at once.
        unsafe pthread_cond_signal(condition)
    }

    /// Returns when the counter has been raised since `count` was `seen`, or at `deadline` (monotonic nanoseconds).
    func wait(since seen: Int, until deadline: Int64?) {
        unsafe pthread_mutex_lock(mutex)
        defer { unsafe pthread_mutex_unlock(mutex) }
        while count == seen {
            guard let deadline else {
                unsafe pthread_cond_wait(condition, mutex)
                continue
            }
            var time = timespec(tv_sec: Int(deadline / 1_000_000_000), tv_nsec: Int(deadline % 1_000_000_000))
            if unsafe pthread_cond_timedwait(condition, mutex, &time) == ETIMEDOUT { return }
        }
    }
}
