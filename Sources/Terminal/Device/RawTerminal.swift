import Glibc
import StudyModel
import Synchronization

/// A terminal that delivers each key at once, and is restored however the program ends.
final class RawTerminal: Sendable {
    /// What the terminal reports.
    enum Report: Hashable, Sendable {
        case keys([Keystroke])
        /// Its size or its content may have changed.
        case changed
        /// The terminal is gone.
        case closed
    }

    /// How it behaves otherwise.
    struct Style: Sendable {
        /// Sent at the beginning.
        let enter: String
        /// Undoes `enter`.
        let leave: StaticString
        /// Whether line feeds are sent as they are.
        let isRawOutput: Bool
        /// How long the end waits for a terminal that accepts nothing, milliseconds.
        let patienceAtEnd: Int32

        static func screen(_ keyboard: Keyboard) -> Style {
            Style(
                enter: Painter.enter + (keyboard.tellsHeldKeys ? Painter.keysOn : ""), leave: Painter.leave,
                isRawOutput: true,
                patienceAtEnd: 500)
        }
        static let lines = Style(enter: "", leave: "", isRawOutput: false, patienceAtEnd: 5_000)
    }

    private struct State {
        var decoder = KeyDecoder()
        /// Whether Control-Z is an ordinary key.
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

    /// Reports keys while `body` runs, and writes what `next` yields. Leaves `body`'s text on the restored
    /// terminal.
    ///
    /// - Parameters:
    ///   - next: what to write; called when everything before is written, and after each call of `stir`.
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

    /// Sets whether Control-Z does not suspend the program.
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

    private func decode(_ decode: (inout KeyDecoder) -> [Keystroke]) -> Int32? {
        let (keys, patience, isLocked) = state.withLock {
            (decode(&$0.decoder), $0.decoder.patience, $0.isLocked)
        }
        guard !isLocked else {
            tell(.keys(keys))
            return patience
        }
        for part in keys.split(omittingEmptySubsequences: false, whereSeparator: { $0.key == .control("z") })
            .enumerated()
        {
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
        // If keys are not read, Control-C is the usual signal.
        if !isListening { raw.c_lflag |= tcflag_t(ISIG) }
        unsafe tcsetattr(output, TCSANOW, &raw)
        send(style.enter)
    }

    private func leave() {
        tcflow(output, TCOON)
        send(style.leave.description)
        var original = original
        // Typed keys that were not read are not left to the shell. Nothing here waits for a stopped terminal.
        tcflush(output, TCIFLUSH)
        unsafe tcsetattr(output, TCSANOW, &original)
    }

    /// Writes now, and gives a terminal that accepts nothing half a second.
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

    /// The same terminal, opened again, so that its non-blocking mode affects nobody else.
    private static func reopened(_ descriptor: Int32) -> Int32 {
        let new = unsafe open("/proc/self/fd/\(descriptor)", O_RDWR | O_NOCTTY | O_NONBLOCK | O_CLOEXEC)
        return new >= 0 ? new : dup(descriptor)
    }
}
