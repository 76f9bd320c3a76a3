import Glibc
import Synchronization

@testable import Terminal

/// A terminal of a test's own: what a person at its keyboard types and sees.
final class PseudoTerminal: Sendable {
    /// The side that a program uses.
    let program: Int32
    private let person: Int32
    private let thread: DeviceThread
    private let shown: AsyncStream<String>

    /// - Parameter habits: what the person types on seeing a text, one after the other.
    init(columns: UInt16 = 60, rows: UInt16 = 16, habits: [(seen: String, typed: String)] = []) {
        (person, program) = Self.opened()
        var size = winsize(ws_row: rows, ws_col: columns, ws_xpixel: 0, ws_ypixel: 0)
        unsafe _ = ioctl(person, UInt(TIOCSWINSZ), &size)
        let (shown, sink) = AsyncStream.makeStream(of: String.self)
        self.shown = shown
        let person = person
        let state = Mutex((seen: "", next: 0))
        thread = DeviceThread(
            input: person, output: person, patienceAtEnd: 100,
            report: { report in
                guard case .bytes(let bytes) = report else { return nil }
                let text = String(decoding: bytes, as: UTF8.self)
                sink.yield(text)
                state.withLock { state in
                    state.seen += text
                    guard state.next < habits.count, state.seen.contains(habits[state.next].seen) else {
                        return
                    }
                    let bytes = Array(habits[state.next].typed.utf8)
                    unsafe _ = write(person, bytes, bytes.count)
                    state = ("", state.next + 1)
                }
                return nil
            },
            next: { .nothing })
        thread.start()
    }

    deinit {
        close(program)
        close(person)
    }

    /// Both sides of a new terminal.
    private static func opened() -> (person: Int32, program: Int32) {
        let person = unsafe open("/dev/ptmx", O_RDWR | O_NOCTTY | O_CLOEXEC)
        var (locked, number): (Int32, Int32) = (0, 0)
        // TIOCSPTLCK and TIOCGPTN of <asm-generic/ioctls.h>, whose macros Swift does not import.
        unsafe _ = ioctl(person, 0x4004_5431, &locked)
        unsafe _ = ioctl(person, 0x8004_5430, &number)
        return (person, unsafe open("/dev/pts/\(number)", O_RDWR | O_NOCTTY | O_CLOEXEC))
    }

    /// A terminal that goes away as soon as somebody wants to know it.
    static func withGone<Value>(_ body: (Int32, () -> Void) -> Value) -> Value {
        let (person, program) = opened()
        defer { close(program) }
        return body(program) { close(person) }
    }

    func type(_ text: String) {
        let bytes = Array(text.utf8)
        unsafe _ = write(person, bytes, bytes.count)
    }

    /// Whether the terminal echoes and edits lines, as a shell expects it.
    var isSane: Bool {
        var modes = termios()
        unsafe tcgetattr(program, &modes)
        return modes.c_lflag & tcflag_t(ICANON | ECHO | ISIG) == tcflag_t(ICANON | ECHO | ISIG)
    }

    /// Everything shown until `text` was, commands left out.
    func wait(for text: String) async -> String {
        var all = ""
        for await part in shown {
            all += part
            if all.contains(text) { break }
        }
        return all
    }

    func finish() async { await thread.finish() }
}
