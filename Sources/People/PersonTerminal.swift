import CPlatform
import Glibc
import Platform
import Results

/// A program at a pseudo-terminal, and what its person sees and types.
final class PersonTerminal {
    private let keyboard: Int32
    private let process: pid_t
    private(set) var picture: TerminalPicture
    /// Whether the program has ended.
    private(set) var hasEnded = false
    private var status: Int32?

    /// Starts a program.
    init(_ words: [String], columns: Int, rows: Int) throws(FileFailure) {
        var name = [CChar](repeating: 0, count: 64)
        keyboard = unsafe entrain_open_terminal(O_RDWR | O_NOCTTY | O_CLOEXEC, &name, UInt(name.count))
        guard keyboard >= 0 else { throw FileFailure("open", "/dev/ptmx", .system(code: errno)) }
        let terminal = String(decoding: name.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
        var size = winsize(ws_row: UInt16(rows), ws_col: UInt16(columns), ws_xpixel: 0, ws_ypixel: 0)
        unsafe _ = ioctl(keyboard, UInt(TIOCSWINSZ), &size)
        picture = TerminalPicture(columns: columns, rows: rows)
        var process: pid_t = 0
        let code = unsafe ProcessGroup.spawn(["setsid", "--ctty", "--wait"] + words, as: &process) {
            actions in
            for descriptor in Int32(0)...2 {
                unsafe posix_spawn_file_actions_addopen(&actions, descriptor, terminal, O_RDWR, 0)
            }
        }
        self.process = process
        guard code == 0 else {
            close(keyboard)
            throw FileFailure("start", words[0], .system(code: code))
        }
    }

    /// Takes in what is shown next.
    ///
    /// - Returns: whether anything came within that time.
    func look(within limit: Duration) throws(TerminalPicture.Unknown) -> Bool {
        guard !hasEnded, ProcessGroup.firstReady(of: [keyboard], within: limit) != nil else { return false }
        var bytes = [UInt8](repeating: 0, count: 65_536)
        let count = unsafe read(keyboard, &bytes, bytes.count)
        guard count > 0 else {
            hasEnded = true
            return false
        }
        try picture.feed(bytes.prefix(count))
        for reply in picture.takeReplies() { type(reply) }
        return true
    }

    func type(_ text: String) {
        let bytes = Array(text.utf8)
        unsafe _ = write(keyboard, bytes, bytes.count)
    }

    /// Closes the terminal, which ends a program that is still there.
    ///
    /// - Returns: its exit code.
    func leave() -> Int {
        if status == nil {
            close(keyboard)
            status = ProcessGroup.wait(for: process)
        }
        let status = status ?? 0
        return Int(status & 0x7f == 0 ? status >> 8 & 0xff : 128 + (status & 0x7f))
    }
}
