import Glibc
import Platform
import Synchronization

/// Reads and writes file descriptors on a thread of its own, so that a slow, stopped or closed device delays nobody
/// else.
final class DeviceThread: Sendable {
    /// What the thread reports, on its own thread.
    enum Report: Hashable, Sendable {
        case bytes([UInt8])
        /// Nothing more came within the time asked for.
        case silence
        /// There will be no more input.
        case ended
        /// A signal that `SignalPipe` passes on.
        case signal(Int32)
    }

    /// What is to be written next.
    enum Output: Hashable, Sendable {
        case bytes([UInt8])
        case nothing
        /// Ask again after this many milliseconds.
        case later(Int32)
    }

    private struct State {
        var isClosing = false
        var hasEnded = false
        var waiter: CheckedContinuation<Void, Never>?
    }

    /// How much is written at most at a time; a pipe that is ready takes this much without blocking.
    private static let chunk = 4_096
    /// If there is nothing to wait for, the thread checks this often, milliseconds. A wake-up that the system fails
    /// to deliver then costs only this time, not the whole run.
    private static let look: Int32 = 500
    private let input: Int32?
    private let output: Int32
    private let patienceAtEnd: Int32
    private let wake: WakePipe
    private let report: @Sendable (Report) -> Int32?
    private let next: @Sendable () -> Output
    private let state = Mutex(State())

    /// - Parameters:
    ///   - input: what to read, if anything.
    ///   - output: what to write to.
    ///   - patienceAtEnd: how long the end waits for a device that accepts nothing, milliseconds.
    ///   - report: takes what was read, and returns after how many milliseconds silence has to be reported, if at
    ///     all.
    ///   - next: what to write; called when everything before is written, and after each `stir`.
    init(
        input: Int32?, output: Int32, patienceAtEnd: Int32, report: @escaping @Sendable (Report) -> Int32?,
        next: @escaping @Sendable () -> Output
    ) {
        self.input = input
        self.output = output
        self.patienceAtEnd = patienceAtEnd
        self.report = report
        self.next = next
        guard let wake = WakePipe() else { preconditionFailure("no pipe: error \(errno)") }
        self.wake = wake
    }

    /// Where a signal handler writes the signal's number.
    var signalDescriptor: Int32 { wake.bell }

    func start() { DetachedThread.start { [self] in work() } }

    /// There is something to write.
    func stir() { wake.ring() }

    /// Writes what is left, as long as the device accepts it, and ends the thread.
    func finish() async {
        await withCheckedContinuation { waiter in
            let hasEnded = state.withLock { state in
                state.isClosing = true
                if !state.hasEnded { state.waiter = waiter }
                return state.hasEnded
            }
            if hasEnded { waiter.resume() } else { stir() }
        }
    }

    private func work() {
        // If the reader went away, the write fails, and the process goes on. All other signals come through. The
        // thread inherits the mask of its creator, which may block the signal to stop.
        var pipeSignal = sigset_t()
        unsafe sigemptyset(&pipeSignal)
        unsafe sigaddset(&pipeSignal, SIGPIPE)
        unsafe pthread_sigmask(SIG_SETMASK, &pipeSignal, nil)
        turnUntilClosed()
        let waiter = state.withLock { state in
            state.hasEnded = true
            return state.waiter
        }
        waiter?.resume()
    }

    private func turnUntilClosed() {
        var outgoing: ArraySlice<UInt8> = []
        var isReading = input != nil
        var isWriting = true
        var patience: Int32?
        while true {
            var pause: Int32?
            if outgoing.isEmpty, isWriting {
                switch next() {
                case .bytes(let bytes): outgoing = bytes[...]
                case .later(let milliseconds): pause = milliseconds
                case .nothing: break
                }
            }
            let isClosing = state.withLock { $0.isClosing }
            if isClosing && outgoing.isEmpty { return }
            let pauseOrPatience = pause.map { min($0, patience ?? $0) } ?? patience
            let wait = isClosing ? patienceAtEnd : pauseOrPatience ?? Self.look
            let ready = Self.poll(
                wake: wake.awaited, input: isReading && !isClosing ? input : nil,
                output: outgoing.isEmpty ? nil : output, milliseconds: wait)
            if isClosing && !ready.output && !ready.wake { return }
            let isSilent = !ready.wake && !ready.input && !ready.output
            if isSilent, patience != nil { patience = report(.silence) }
            if ready.wake { passSignals() }
            if ready.input, let input {
                if let bytes = Self.read(input) {
                    patience = report(bytes.isEmpty ? .ended : .bytes(bytes))
                    isReading = !bytes.isEmpty
                }
            }
            if ready.output {
                isWriting = Self.write(&outgoing, to: output)
                if !isWriting { outgoing = [] }
            }
        }
    }

    private func passSignals() {
        guard let numbers = Self.read(wake.descriptor) else { return }
        for number in numbers where number != 0 { _ = report(.signal(Int32(number))) }
    }

    private struct Ready {
        var wake = false
        var input = false
        var output = false
    }

    private static func poll(wake: pollfd, input: Int32?, output: Int32?, milliseconds: Int32) -> Ready {
        var waits = [
            wake,
            pollfd(fd: input ?? -1, events: Int16(POLLIN), revents: 0),
            pollfd(fd: output ?? -1, events: Int16(POLLOUT), revents: 0),
        ]
        let count = unsafe Glibc.poll(&waits, nfds_t(waits.count), milliseconds)
        // A signal came in between. Its number is in the pipe, or soon will be.
        guard count >= 0 else { return Ready(wake: true) }
        return Ready(
            wake: waits[0].revents != 0, input: waits[1].revents != 0, output: waits[2].revents != 0)
    }

    /// - Returns: what was read, empty at the end or after an error; `nil` if there is nothing at the moment.
    private static func read(_ descriptor: Int32) -> [UInt8]? {
        var failure: Int32 = 0
        let bytes = unsafe [UInt8](unsafeUninitializedCapacity: chunk) { buffer, count in
            let length = unsafe Glibc.read(descriptor, buffer.baseAddress, chunk)
            failure = length < 0 ? errno : 0
            count = max(0, length)
        }
        return failure == EAGAIN || failure == EINTR ? nil : bytes
    }

    /// - Returns: `false` if the device is gone.
    private static func write(_ bytes: inout ArraySlice<UInt8>, to descriptor: Int32) -> Bool {
        let written = unsafe bytes.prefix(chunk).withUnsafeBufferPointer { buffer in
            unsafe Glibc.write(descriptor, buffer.baseAddress, buffer.count)
        }
        if written >= 0 {
            bytes = bytes.dropFirst(written)
            return true
        }
        return errno == EAGAIN || errno == EINTR
    }
}
