import Glibc
import Synchronization

/// A terminal that hands over each key at once, and is left as it was, whatever ends the program.
final class RawTerminal: Sendable {
    /// What the terminal tells.
    enum Report: Hashable, Sendable {
        case keys([Key])
        /// It may have another size, or show something else.
        case changed
        /// The terminal is gone.
        case closed
    }

    /// What it does besides.
    struct Style: Sendable {
        /// Sent at the beginning.
        let enter: String
        /// Undoes `enter`.
        let leave: StaticString
        /// Whether line feeds are sent as they are.
        let isRawOutput: Bool
        /// Milliseconds that the end waits for a terminal that takes nothing.
        let patienceAtEnd: Int32

        static let screen = Style(
            enter: Painter.enter, leave: Painter.leave, isRawOutput: true, patienceAtEnd: 500)
        static let lines = Style(enter: "", leave: "", isRawOutput: false, patienceAtEnd: 5_000)
    }

    private struct State {
        var decoder = KeyDecoder()
        /// Whether Control-Z is a key like all others.
        var isLocked = false
    }

    private let input: Int32
    private let output: Int32
    private let isListening: Bool
    private let style: Style
    private let original: termios
    private let tell: @Sendable (Report) -> Void
    private let state = Mutex(State())

    /// - Parameter isListening: whether keys are read; otherwise Control-C is a signal.
    /// - Returns: `nil` if `input` and `output` are not a terminal.
    init?(
        input: Int32, output: Int32, isListening: Bool, style: Style,
        tell: @escaping @Sendable (Report) -> Void
    ) {
        var original = termios()
        guard unsafe tcgetattr(output, &original) == 0, !isListening || isatty(input) == 1 else { return nil }
        self.input = input
        self.output = Self.reopened(output)
        self.isListening = isListening
        self.style = style
        self.original = original
        self.tell = tell
    }

    deinit { close(output) }

    var size: TerminalSize {
        var size = winsize()
        guard unsafe ioctl(output, UInt(TIOCGWINSZ), &size) == 0, size.ws_col > 0, size.ws_row > 0 else {
            return TerminalSize(columns: 80, rows: 24)
        }
        return TerminalSize(columns: Int(size.ws_col), rows: Int(size.ws_row))
    }

    /// Tells keys while `body` runs, and writes what `next` gives; leaves `body`'s text on the terminal that was.
    ///
    /// - Parameters:
    ///   - next: what to write, asked when all before is written and after each call of `stir`.
    ///   - body: gets `stir`.
    func use(
        next: @escaping @Sendable () -> DeviceThread.Output,
        _ body: (_ stir: @escaping @Sendable () -> Void) async -> String
    ) async {
        let thread = DeviceThread(
            input: isListening ? input : nil, output: output, patienceAtEnd: style.patienceAtEnd,
            report: { self.report($0) }, next: next)
        let hasSignals = TerminalSignals.claim(
            terminal: output, original: original, farewell: style.leave, pipe: thread.signalDescriptor)
        enter()
        thread.start()
        let text = await body { thread.stir() }
        await thread.finish()
        leave()
        send(text)
        if hasSignals { TerminalSignals.release() }
    }

    /// Says whether Control-Z does not suspend the program.
    func lock(_ isLocked: Bool) { state.withLock { $0.isLocked = isLocked } }

    private func report(_ report: DeviceThread.Report) -> Int32? {
        switch report {
        case .bytes(let bytes): return decode { $0.decode(bytes) }
        case .silence: return decode { $0.giveUp() }
        case .ended, .signal(SIGHUP): tell(.closed)
        case .signal(SIGWINCH): tell(.changed)
        case .signal(SIGTSTP): suspend(wholeGroup: false)
        case .signal(SIGCONT): comeBack()
        case .signal: break
        }
        return nil
    }

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
        tell(.changed)
    }

    private func enter() {
        var raw = original
        if style.isRawOutput {
            unsafe cfmakeraw(&raw)
        } else {
            raw.c_lflag &= ~tcflag_t(ICANON | ECHO | ISIG)
            raw.c_iflag &= ~tcflag_t(ICRNL)
        }
        // Without a reader of keys Control-C is the signal that it always is.
        if !isListening { raw.c_lflag |= tcflag_t(ISIG) }
        unsafe tcsetattr(output, TCSANOW, &raw)
        send(style.enter)
    }

    private func leave() {
        tcflow(output, TCOON)
        send(style.leave.description)
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
}
