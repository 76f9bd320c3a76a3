import Glibc
import Platform
import Synchronization

/// The script that pretends to be BlueZ, on a bus of its own.
final class FakeBlueZ: Sendable {
    /// Of its private bus.
    let address: String
    /// What it says, line by line.
    let lines: AsyncStream<String>
    private let input: Int32
    private let process: pid_t

    /// Why it cannot run here; `nil` if it can.
    static let isMissing: String? = {
        let probe = "import dbusmock, gi, shutil, sys; sys.exit(shutil.which('dbus-daemon') is None)"
        var process: pid_t = 0
        guard spawn(["-c", probe], input: nil, output: nil, as: &process) else {
            return "no /usr/bin/python3"
        }
        var status: Int32 = 0
        unsafe waitpid(process, &status, 0)
        return status == 0 ? nil : "Debian's packages dbus and python3-dbusmock are not on this machine"
    }()

    init?(_ arguments: [String] = []) {
        var toScript: [Int32] = [-1, -1]
        var fromScript: [Int32] = [-1, -1]
        // Other programs that are started meanwhile must not keep these open.
        guard unsafe pipe(&toScript) == 0, unsafe pipe(&fromScript) == 0 else { return nil }
        for end in toScript + fromScript { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
        var process: pid_t = 0
        let script =
            #filePath.split(separator: "/", omittingEmptySubsequences: false).dropLast().joined(
                separator: "/")
            + "/fake_bluez.py"
        let isRunning = Self.spawn(
            [script] + arguments, input: toScript[0], output: fromScript[1], as: &process)
        close(toScript[0])
        close(fromScript[1])
        guard isRunning else { return nil }
        self.process = process
        input = toScript[1]
        var buffer: [UInt8] = []
        guard let first = Self.line(from: fromScript[0], &buffer), first.hasPrefix("address ") else {
            return nil
        }
        address = String(first.dropFirst(8))
        let (lines, sink) = AsyncStream.makeStream(of: String.self)
        self.lines = lines
        let output = fromScript[0]
        DetachedThread.start {
            var buffer: [UInt8] = []
            while let line = Self.line(from: output, &buffer) { sink.yield(line) }
            sink.finish()
            close(output)
        }
    }

    /// Tells it to do something, such as `drop`.
    func tell(_ command: String) {
        let bytes = Array((command + "\n").utf8)
        _ = unsafe write(input, bytes, bytes.count)
    }

    func stop() {
        tell("quit")
        close(input)
        var status: Int32 = 0
        unsafe waitpid(process, &status, 0)
    }

    /// The next whole line; `nil` at the end.
    private static func line(from descriptor: Int32, _ buffer: inout [UInt8]) -> String? {
        while true {
            if let end = buffer.firstIndex(of: 0x0A) {
                defer { buffer.removeSubrange(...end) }
                return String(decoding: buffer[..<end], as: UTF8.self)
            }
            var bytes = [UInt8](repeating: 0, count: 4096)
            let count = unsafe read(descriptor, &bytes, bytes.count)
            guard count > 0 else { return nil }
            buffer += bytes[..<count]
        }
    }

    private static func spawn(
        _ words: [String], input: Int32?, output: Int32?, as process: inout pid_t
    ) -> Bool {
        var actions = unsafe posix_spawn_file_actions_t()
        unsafe posix_spawn_file_actions_init(&actions)
        defer { unsafe posix_spawn_file_actions_destroy(&actions) }
        if let input { unsafe posix_spawn_file_actions_adddup2(&actions, input, 0) }
        if let output { unsafe posix_spawn_file_actions_adddup2(&actions, output, 1) }
        unsafe posix_spawn_file_actions_addopen(&actions, 2, "/dev/null", O_WRONLY, 0)
        // A thread of a pool blocks signals, and what it starts would inherit that.
        var attributes = posix_spawnattr_t()
        unsafe posix_spawnattr_init(&attributes)
        defer { unsafe posix_spawnattr_destroy(&attributes) }
        var none = sigset_t()
        unsafe sigemptyset(&none)
        unsafe posix_spawnattr_setsigmask(&attributes, &none)
        unsafe posix_spawnattr_setflags(&attributes, Int16(POSIX_SPAWN_SETSIGMASK))
        var arguments: [UnsafeMutablePointer<CChar>?] = unsafe (["python3"] + words).map { unsafe strdup($0) }
        unsafe arguments.append(nil)
        defer { unsafe arguments.forEach { unsafe free($0) } }
        return unsafe posix_spawn(&process, "/usr/bin/python3", &actions, &attributes, arguments, environ)
            == 0
    }
}
