import Glibc
import Synchronization

/// The signals that concern the terminal, and how it is restored when the program dies.
///
/// Only one terminal at a time is served, because signal handlers can only use globals.
enum TerminalSignals {
    /// The terminal to restore; -1 while there is none.
    private static let terminal = Atomic<Int32>(-1)
    /// Where handlers write the number of a signal for the prompter.
    private static let pipe = Atomic<Int32>(-1)
    private static let hasExitHook = Atomic<Bool>(false)

    // SAFETY: written before `terminal` is published and not again while it is; read only while it is published.
    nonisolated(unsafe) private static var farewell: StaticString = ""

    // SAFETY: written before `terminal` is published and not again while it is; read only while it is published.
    nonisolated(unsafe) private static let saved = UnsafeMutablePointer<termios>.allocate(capacity: 1)

    // SAFETY: each element is written before the handler of its signal is installed, and never while it is.
    nonisolated(unsafe) private static let previous = UnsafeMutablePointer<sigaction>.allocate(capacity: 65)

    /// The signals that are reported to the prompter.
    private static let told = [SIGWINCH, SIGTSTP, SIGCONT, SIGHUP]
    /// The signals that end the program if nobody handles them.
    private static let fatal = [
        SIGINT, SIGTERM, SIGQUIT, SIGSEGV, SIGBUS, SIGILL, SIGFPE, SIGTRAP, SIGABRT, SIGSYS,
    ]
    /// Touched only by the owner, between `claim` and `release`.
    private static let installed = Mutex<[Int32]>([])

    /// Catches signals for a terminal in raw mode, and restores it to `original` if the program dies.
    ///
    /// - Parameter farewell: the text that is then sent to it.
    /// - Returns: `false` if another terminal has the signals.
    static func claim(
        terminal descriptor: Int32, original: termios, farewell: StaticString, pipe end: Int32
    ) -> Bool {
        guard terminal.compareExchange(expected: -1, desired: -2, ordering: .acquiring).exchanged else {
            return false
        }
        unsafe saved.pointee = original
        unsafe self.farewell = farewell
        pipe.store(end, ordering: .releasing)
        terminal.store(descriptor, ordering: .releasing)
        if !hasExitHook.exchange(true, ordering: .relaxed) { atexit { TerminalSignals.restore() } }
        installed.withLock { installed in
            installed = told.filter { install(tell, for: $0, evenOver: true) }
            installed += fatal.filter { install(die, for: $0, evenOver: $0 != SIGINT && $0 != SIGTERM) }
        }
        return true
    }

    /// Gives the signals back to whoever had them.
    static func release() {
        installed.withLock { installed in
            for number in installed { unsafe sigaction(number, previous + Int(number), nil) }
            installed = []
        }
        pipe.store(-1, ordering: .releasing)
        terminal.store(-1, ordering: .releasing)
    }

    /// Stops the program as if nothing had caught the signal, and returns when it continues.
    static func stop(wholeGroup: Bool) {
        var current = sigaction()
        unsafe sigaction(SIGTSTP, previous + Int(SIGTSTP), &current)
        defer { unsafe sigaction(SIGTSTP, &current, nil) }
        if wholeGroup {
            // The shell waits for the whole job, so a script that started the program stops first. Then this
            // program stops, by this very thread, so that nothing happens between the signal and the stop.
            signal(SIGTSTP, SIG_IGN)
            kill(0, SIGTSTP)
            signal(SIGTSTP, SIG_DFL)
        }
        raise(SIGTSTP)
    }

    private static func install(
        _ handler: @escaping @convention(c) (Int32) -> Void, for number: Int32, evenOver: Bool
    ) -> Bool {
        unsafe sigaction(number, nil, previous + Int(number))
        let old = unsafe unsafeBitCast(previous[Int(number)].__sigaction_handler.sa_handler, to: Int.self)
        let isDefault = old == 0
        let isIgnored = old == 1
        guard isDefault || evenOver && !isIgnored else { return false }
        var action = sigaction()
        unsafe action.__sigaction_handler.sa_handler = handler
        action.sa_flags = SA_RESTART | SA_ONSTACK
        return unsafe sigaction(number, &action, nil) == 0
    }

    private static let tell: @convention(c) (Int32) -> Void = { number in
        let before = errno
        var byte = UInt8(truncatingIfNeeded: number)
        unsafe write(TerminalSignals.pipe.load(ordering: .acquiring), &byte, 1)
        errno = before
    }

    private static let die: @convention(c) (Int32) -> Void = { number in
        TerminalSignals.restore()
        unsafe sigaction(number, TerminalSignals.previous + Int(number), nil)
        raise(number)
    }

    /// Uses only calls that are allowed in a signal handler (POSIX, 2.4.3).
    private static func restore() {
        let descriptor = terminal.load(ordering: .acquiring)
        guard descriptor >= 0 else { return }
        unsafe write(descriptor, farewell.utf8Start, farewell.utf8CodeUnitCount)
        unsafe tcsetattr(descriptor, TCSANOW, saved)
    }
}
