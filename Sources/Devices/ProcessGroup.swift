package import Glibc

/// Programs beside this one, each in a process group of its own: Ctrl-C is for this program alone.
package enum ProcessGroup {
    /// Starts a program with the usual answers to signals.
    ///
    /// - Parameters:
    ///   - words: the program, looked for along the path unless it is one, and its arguments.
    ///   - arrange: says what its descriptors are.
    /// - Returns: the system's error number, 0 where it runs.
    package static func spawn(
        _ words: [String], as process: inout pid_t, _ arrange: (inout posix_spawn_file_actions_t) -> Void
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
        unsafe posix_spawnattr_setflags(&attributes, Int16(POSIX_SPAWN_SETSIGDEF | POSIX_SPAWN_SETPGROUP))
        var arguments: [UnsafeMutablePointer<CChar>?] = unsafe words.map { unsafe strdup($0) }
        unsafe arguments.append(nil)
        defer { unsafe arguments.forEach { unsafe free($0) } }
        return unsafe posix_spawnp(&process, words[0], &actions, &attributes, arguments, environ)
    }

    /// Waits for a program's end.
    ///
    /// - Returns: its status, as `waitpid` tells it.
    @discardableResult package static func wait(for process: pid_t) -> Int32 {
        var status: Int32 = 0
        while unsafe waitpid(process, &status, 0) < 0, errno == EINTR {}
        return status
    }
}
