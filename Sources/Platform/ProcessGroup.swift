package import Glibc

/// Starts programs beside this one, most of them in a process group of their own, so that Ctrl-C reaches this
/// program alone.
package enum ProcessGroup {
    /// Starts a program with the usual handling of signals.
    ///
    /// - Parameters:
    ///   - words: the program and its arguments. A name without a `/` is looked for along the path.
    ///   - endsWithUs: whether Ctrl-C ends it too.
    ///   - arrange: sets up its descriptors.
    /// - Returns: the system's error number, 0 if it runs.
    package static func spawn(
        _ words: [String], as process: inout pid_t, endsWithUs: Bool = false,
        _ arrange: (inout posix_spawn_file_actions_t) -> Void
    ) -> Int32 {
        var actions = unsafe posix_spawn_file_actions_t()
        unsafe posix_spawn_file_actions_init(&actions)
        defer { unsafe posix_spawn_file_actions_destroy(&actions) }
        unsafe arrange(&actions)
        var attributes = posix_spawnattr_t()
        unsafe posix_spawnattr_init(&attributes)
        defer { unsafe posix_spawnattr_destroy(&attributes) }
        var usual = sigset_t()
        unsafe sigfillset(&usual)
        unsafe posix_spawnattr_setsigdefault(&attributes, &usual)
        unsafe posix_spawnattr_setpgroup(&attributes, 0)
        let apart = endsWithUs ? 0 : POSIX_SPAWN_SETPGROUP
        unsafe posix_spawnattr_setflags(&attributes, Int16(POSIX_SPAWN_SETSIGDEF | apart))
        var arguments: [UnsafeMutablePointer<CChar>?] = unsafe words.map { unsafe strdup($0) }
        unsafe arguments.append(nil)
        defer { unsafe arguments.forEach { unsafe free($0) } }
        return unsafe posix_spawnp(&process, words[0], &actions, &attributes, arguments, environ)
    }

    /// Waits for a program's end.
    ///
    /// - Returns: its status, as `waitpid` gives it.
    @discardableResult package static func wait(for process: pid_t) -> Int32 {
        var status: Int32 = 0
        while unsafe waitpid(process, &status, 0) < 0, errno == EINTR {}
        return status
    }

    /// How a program ended.
    package enum End: Hashable, Sendable {
        /// By itself, with this exit code; 128 plus the signal's number if a signal ended it.
        case code(Int32)
        /// It was stopped when its time was over.
        case stopped
        /// It was stopped when this program was asked to end.
        case interrupted
        /// It could not be started: the system's error number.
        case neverBegan(Int32)
    }

    /// Runs a program until it ends or its time is over. Ctrl-C ends it too.
    ///
    /// - Parameter interruption: a descriptor that becomes readable when the program is to be stopped.
    package static func run(
        _ words: [String], atMost limit: Duration, until interruption: Int32? = nil,
        _ arrange: (inout posix_spawn_file_actions_t) -> Void
    ) -> End {
        var process: pid_t = 0
        let (end, code) = unsafe spawnShowingItsEnd(words, as: &process, arrange)
        guard code == 0 else { return .neverBegan(code) }
        defer { close(end) }
        let first = firstReady(of: [end, interruption ?? -1], within: limit)
        if first != 0 { kill(process, SIGKILL) }
        let status = wait(for: process)
        guard first == 0 else { return first == nil ? .stopped : .interrupted }
        return ended(status)
    }

    /// Runs a program in this terminal until it ends, or until it is told to.
    ///
    /// - Parameters:
    ///   - pause: how often to look whether its time is over.
    ///   - isOver: whether it is; if this throws, the program is told to end, too.
    package static func run(
        _ words: [String], lookingEvery pause: Duration, whether isOver: () throws -> Bool
    ) rethrows -> End {
        var process: pid_t = 0
        let (end, code) = unsafe spawnShowingItsEnd(words, as: &process) { _ in }
        guard code == 0 else { return .neverBegan(code) }
        defer { close(end) }
        func stop() {
            kill(process, SIGTERM)
            wait(for: process)
        }
        while firstReady(of: [end], within: pause) == nil {
            do { guard try isOver() else { continue } } catch {
                stop()
                throw error
            }
            stop()
            return .stopped
        }
        return ended(wait(for: process))
    }

    /// Starts a program that holds one end of a pipe, so that the other end shows when it is gone.
    ///
    /// - Returns: that end, to be closed, and the system's error number; 0 if the program runs.
    private static func spawnShowingItsEnd(
        _ words: [String], as process: inout pid_t, _ arrange: (inout posix_spawn_file_actions_t) -> Void
    ) -> (end: Int32, code: Int32) {
        var ends: [Int32] = [-1, -1]
        guard unsafe Glibc.pipe(&ends) == 0 else { return (-1, errno) }
        for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
        let code = unsafe spawn(words, as: &process, endsWithUs: true) { actions in
            unsafe arrange(&actions)
            unsafe posix_spawn_file_actions_adddup2(&actions, ends[1], 3)
        }
        close(ends[1])
        if code != 0 { close(ends[0]) }
        return (ends[0], code)
    }

    private static func ended(_ status: Int32) -> End {
        .code(status & 0x7f == 0 ? status >> 8 & 0xff : 128 + (status & 0x7f))
    }

    /// Other programs do not inherit either end, and both lie above the descriptors that a program gets.
    package static func pipe() -> (read: Int32, write: Int32)? {
        var ends: [Int32] = [-1, -1]
        guard unsafe Glibc.pipe(&ends) == 0 else { return nil }
        let moved = ends.map { fcntl($0, F_DUPFD_CLOEXEC, 10) }
        for end in ends { close(end) }
        guard !moved.contains(where: { $0 < 0 }) else {
            for end in moved where end >= 0 { close(end) }
            return nil
        }
        return (moved[0], moved[1])
    }

    /// Waits until a descriptor can be read, or the other end of its pipe is closed.
    ///
    /// - Returns: the first one; `nil` if the time ends before.
    package static func firstReady(of descriptors: [Int32], within limit: Duration) -> Int? {
        let deadline = ContinuousClock.now + limit
        while true {
            let (seconds, attoseconds) = max(.zero, ContinuousClock.now.duration(to: deadline)).components
            let milliseconds = seconds * 1000 + attoseconds / 1_000_000_000_000_000 + 1
            var polled = descriptors.map { pollfd(fd: $0, events: Int16(POLLIN), revents: 0) }
            let ready = unsafe poll(&polled, nfds_t(polled.count), Int32(clamping: milliseconds))
            if ready >= 0 || errno != EINTR { return polled.firstIndex { $0.revents != 0 } }
        }
    }
}
