package import Glibc

/// Another program, running beside this one; what it writes can be read.
///
/// It reads nothing, ends when this value does, and hears nothing of Ctrl-C: it has a process group of its own.
package struct ChildProgram: ~Copyable {
    /// Why a program could not be started: the system's error number.
    package struct Failure: Error {
        package var code: Int32
    }

    /// Descriptors from which the program's own descriptors 1, 2 and 3 are read, without waiting.
    package let outputs: [Int32]
    package let process: pid_t
    private var hasEnded = false

    /// - Parameter words: the program's name, which is looked for along the path, and its arguments.
    package init(_ words: [String]) throws(Failure) {
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
        let code = unsafe ProcessGroup.spawn(words, as: &process) { actions in
            unsafe posix_spawn_file_actions_addopen(&actions, 0, "/dev/null", O_RDONLY, 0)
            for (index, end) in ends.enumerated() {
                unsafe posix_spawn_file_actions_adddup2(&actions, end.write, Int32(index) + 1)
            }
        }
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
        ProcessGroup.wait(for: process)
    }

    /// Waits for the end of a program that has closed its outputs.
    ///
    /// - Returns: its exit code; `nil` if a signal ended it.
    package mutating func end() -> Int32? {
        let status = ProcessGroup.wait(for: process)
        hasEnded = true
        return status & 0x7f == 0 ? status >> 8 & 0xff : nil
    }

    /// A pipe that is read without waiting.
    private static func pipe() -> (read: Int32, write: Int32)? {
        guard let ends = ProcessGroup.pipe() else { return nil }
        guard fcntl(ends.read, F_SETFL, O_NONBLOCK) == 0 else {
            _ = (close(ends.read), close(ends.write))
            return nil
        }
        return ends
    }
}
