import Glibc
import Synchronization

/// A terminal in raw mode that shows frames and tells keys.
final class TerminalDevice: Sendable {
    /// What the terminal tells.
    enum Report: Hashable, Sendable {
        case keys([Key])
        case resized(TerminalSize)
        /// The terminal is gone.
        case closed
    }

    private struct State {
        var painter: Painter
        var frame: Frame?
        var isUrgent = false
        var lastPainted: Int64 = -1_000
        var lastUrgent: Int64 = -1_000
        var decoder = KeyDecoder()
        /// Whether Control-Z is a key like all others.
        var isLocked = false
    }

    /// Milliseconds between two paintings.
    private static let period: Int64 = 100
    private let input: Int32
    private let output: Int32
    private let isListening: Bool
    private let original: termios
    private let tell: @Sendable (Report) -> Void
    private let state: Mutex<State>

    /// - Returns: `nil` where `input` and `output` are not a terminal.
    init?(
        input: Int32, output: Int32, isListening: Bool, painter: Painter,
        tell: @escaping @Sendable (Report) -> Void
    ) {
        var original = termios()
        guard unsafe tcgetattr(output, &original) == 0, !isListening || isatty(input) == 1 else { return nil }
        self.input = input
        self.output = Self.reopened(output)
        self.isListening = isListening
        self.original = original
        self.tell = tell
        state = Mutex(State(painter: painter))
    }

    deinit { close(output) }

    var size: TerminalSize {
        var size = winsize()
        guard unsafe ioctl(output, UInt(TIOCGWINSZ), &size) == 0, size.ws_col > 0, size.ws_row > 0 else {
            return TerminalSize(columns: 80, rows: 24)
        }
        return TerminalSize(columns: Int(size.ws_col), rows: Int(size.ws_row))
    }

    /// Shows frames and tells keys while `body` runs; leaves `body`'s text on the terminal that was.
    func use(_ body: (_ show: @Sendable (Frame, _ isUrgent: Bool) -> Void) async -> String) async {
        let thread = DeviceThread(
            input: isListening ? input : nil, output: output, patienceAtEnd: 500,
            report: { self.report($0) }, next: { self.next() })
        let hasSignals = TerminalSignals.claim(
            terminal: output, original: original, pipe: thread.signalDescriptor)
        enter()
        thread.start()
        let text = await body { frame, isUrgent in
            self.state.withLock { state in
                state.frame = frame
                state.isUrgent = state.isUrgent || isUrgent
            }
            thread.stir()
        }
        await thread.finish()
        leave()
        send(text)
        if hasSignals { TerminalSignals.release() }
    }

    private func report(_ report: DeviceThread.Report) -> Int32? {
        switch report {
        case .bytes(let bytes): return decode { $0.decode(bytes) }
        case .silence: return decode { $0.giveUp() }
        case .ended, .signal(SIGHUP): tell(.closed)
        case .signal(SIGWINCH):
            startAnew()
        case .signal(SIGTSTP): suspend(wholeGroup: false)
        case .signal(SIGCONT): comeBack()
        case .signal: break
        }
        return nil
    }

    /// Says whether Control-Z does not suspend the program.
    func lock(_ isLocked: Bool) { state.withLock { $0.isLocked = isLocked } }

    private func decode(_ decode: (inout KeyDecoder) -> [Key]) -> Int32? {
        let (keys, patience, isLocked) = state.withLock {
            (decode(&$0.decoder), $0.decoder.patience, $0.isLocked)
        }
        guard !isLocked else {
            tell(.keys(keys))
            return patience
        }
        for part in keys.split(separator: .control("z"), omittingEmptySubsequences: false).enumerated() {
            if part.offset > 0 { suspend(wholeGroup: true) }
            if !part.element.isEmpty { tell(.keys(Array(part.element))) }
        }
        return patience
    }

    private func suspend(wholeGroup: Bool) {
        leave()
        TerminalSignals.stop(wholeGroup: wholeGroup)
        comeBack()
    }

    private func comeBack() {
        enter()
        startAnew()
    }

    /// Nothing of what was shown or is to be shown counts any more.
    private func startAnew() {
        state.withLock { state in
            state.painter.forget()
            state.frame = nil
        }
        tell(.resized(size))
    }

    private func next() -> DeviceThread.Output {
        let now = Self.milliseconds
        return state.withLock { state in
            guard let frame = state.frame, !state.painter.isShowing(frame) else {
                state.isUrgent = false
                return .nothing
            }
            let due = state.isUrgent ? state.lastUrgent + Self.period : state.lastPainted + Self.period
            guard due <= now else { return .later(Int32(min(Self.period, due - now))) }
            if state.isUrgent { state.lastUrgent = now }
            state.lastPainted = now
            state.isUrgent = false
            return .bytes(Array(state.painter.paint(frame).utf8))
        }
    }

    private func enter() {
        var raw = original
        unsafe cfmakeraw(&raw)
        // Without a reader of keys Control-C is the signal that it always is.
        if !isListening { raw.c_lflag |= tcflag_t(ISIG) }
        unsafe tcsetattr(output, TCSANOW, &raw)
        send(Painter.enter)
    }

    private func leave() {
        tcflow(output, TCOON)
        send(Painter.leave.description)
        var original = original
        // What was typed and not read is not left to the shell. Nothing here waits for a stopped terminal.
        tcflush(output, TCIFLUSH)
        unsafe tcsetattr(output, TCSANOW, &original)
    }

    /// Writes now, giving a terminal that takes nothing half a second.
    private func send(_ text: String) {
        var bytes = Array(text.utf8)[...]
        while !bytes.isEmpty {
            let written = unsafe bytes.withUnsafeBufferPointer { buffer in
                unsafe write(output, buffer.baseAddress, buffer.count)
            }
            if written > 0 {
                bytes = bytes.dropFirst(written)
                continue
            }
            guard errno == EAGAIN || errno == EINTR else { return }
            var wait = pollfd(fd: output, events: Int16(POLLOUT), revents: 0)
            guard unsafe poll(&wait, 1, 500) > 0 else { return }
        }
    }

    /// The same terminal, opened anew, so that writing without blocking is nobody else's business.
    private static func reopened(_ descriptor: Int32) -> Int32 {
        let new = unsafe open("/proc/self/fd/\(descriptor)", O_RDWR | O_NOCTTY | O_NONBLOCK | O_CLOEXEC)
        return new >= 0 ? new : dup(descriptor)
    }

    private static var milliseconds: Int64 {
        var time = timespec()
        unsafe clock_gettime(CLOCK_MONOTONIC, &time)
        return Int64(time.tv_sec) * 1_000 + Int64(time.tv_nsec) / 1_000_000
    }
}
