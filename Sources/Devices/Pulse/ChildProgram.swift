import Glibc

/// Another program, running beside this one; what it writes can be read.
///
/// It reads nothing, ends when this value does, and hears nothing of Ctrl-C: it has a process group of its own.
struct ChildProgram: ~Copyable {
    /// Why a program could not be started: the system's error number.
    struct Failure: Error {
        var code: Int32
    }

    /// Where the program's own descriptors 1, 2 and 3 can be read, without waiting.
    let outputs: [Int32]
    let process: pid_t
    private var hasEnded = false

    /// - Parameter words: the program's name, looked for along the path, and its arguments.
    init(_ words: [String]) throws(Failure) {
        var ends: [(read: Int32, write: Int32)] = []
        for _ in 1...3 {
            guard let pipe = Self.pipe() else {
                let code = errno
                for end in ends { _ = (close(end.read), close(end.write)) }
                throw Failure(code: code)
            }
            ends.append(pipe)
        }
        var process: pid_t = 0
        let code = Self.spawn(words, writing: ends.map(\.write), as: &process)
        for end in ends { close(end.write) }
        guard code == 0 else {
            for end in ends { close(end.read) }
            throw Failure(code: code)
        }
        outputs = ends.map(\.read)
        self.process = process
    }

    deinit {
        for output in outputs { close(output) }
        guard !hasEnded else { return }
        kill(-process, SIGKILL)
        _ = Self.reap(process)
    }

    /// Waits for the end of a program that has closed its outputs.
    ///
    /// - Returns: its exit code; `nil` where a signal ended it.
    mutating func end() -> Int32? {
        let status = Self.reap(process)
        hasEnded = true
        return status & 0x7f == 0 ? status >> 8 & 0xff : nil
    }

    private static func reap(_ process: pid_t) -> Int32 {
        var status: Int32 = 0
        while unsafe waitpid(process, &status, 0) < 0, errno == EINTR {}
        return status
    }

    /// Both ends are closed in other programs; the writing end lies above those that the program gets.
    private static func pipe() -> (read: Int32, write: Int32)? {
        var ends: [Int32] = [-1, -1]
        guard unsafe Glibc.pipe(&ends) == 0 else { return nil }
        _ = fcntl(ends[0], F_SETFD, FD_CLOEXEC)
        let write = fcntl(ends[1], F_DUPFD_CLOEXEC, 10)
        close(ends[1])
        guard write >= 0, fcntl(ends[0], F_SETFL, O_NONBLOCK) == 0 else {
            close(ends[0])
            return nil
        }
        return (ends[0], write)
    }

    private static func spawn(_ words: [String], writing ends: [Int32], as process: inout pid_t) -> Int32 {
        var actions = unsafe posix_spawn_file_actions_t()
        unsafe posix_spawn_file_actions_init(&actions)
        defer { unsafe posix_spawn_file_actions_destroy(&actions) }
        unsafe posix_spawn_file_actions_addopen(&actions, 0, "/dev/null", O_RDONLY, 0)
        for (index, end) in ends.enumerated() {
            unsafe posix_spawn_file_actions_adddup2(&actions, end, Int32(index) + 1)
        }
        var attributes = posix_spawnattr_t()
        unsafe posix_spawnattr_init(&attributes)
        defer { unsafe posix_spawnattr_destroy(&attributes) }
        var usual = sigset_t()
        unsafe sigfillset(&usual)
        unsafe posix_spawnattr_setsigdefault(&attributes, &usual)
        unsafe posix_spawnattr_setpgroup(&attributes, 0)
        unsafe posix_spawnattr_setflags(&attributes, Int16(POSIX_SPAWN_SETSIGDEF | POSIX_SPAWN_SETPGROUP))
        var arguments: [UnsafeMutablePointer<CChar>?] = unsafe words.map { unsafe strdup($0) }
        unsafe arguments.append(nil)
        defer { unsafe arguments.forEach { unsafe free($0) } }
        return unsafe posix_spawnp(&process, words[0], &actions, &attributes, arguments, environ)
    }
}
