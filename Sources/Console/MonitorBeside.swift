package import BundleReplay
import Glibc
import Platform
import Sound
import TextFormat

/// A monitor that runs as long as this program does: it ends when its standard input ends.
package struct MonitorBeside {
    /// The address of its pages.
    package let url: String
    private let process: pid_t
    private let lifeline: Int32

    /// Starts the monitor and waits until it listens.
    ///
    /// - Parameter folder: the folder for its `log`.
    package init(logging folder: String) throws(StudyFailure) {
        let path = try MonitorProgram.path()
        var input: [Int32] = [-1, -1]
        var output: [Int32] = [-1, -1]
        guard unsafe pipe(&input) == 0, unsafe pipe(&output) == 0 else {
            throw StudyFailure("cannot start a monitor: too many open files", .missing)
        }
        for end in input + output { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
        let log = folder + "/log"
        for (index, character) in folder.enumerated() where character == "/" && index > 0 {
            unsafe mkdir(String(folder.prefix(index)), 0o777)
        }
        unsafe mkdir(folder, 0o700)
        var process: pid_t = 0
        // Ctrl-C ends the run first, and only then the monitor.
        let words = [path, "serve", "--port", "0", "--until-input-ends"]
        let code = unsafe ProcessGroup.spawn(words, as: &process) { actions in
            unsafe posix_spawn_file_actions_adddup2(&actions, input[0], 0)
            unsafe posix_spawn_file_actions_adddup2(&actions, output[1], 1)
            unsafe posix_spawn_file_actions_addopen(&actions, 2, log, O_WRONLY | O_CREAT | O_TRUNC, 0o600)
        }
        close(input[0])
        close(output[1])
        let line = code == 0 ? Self.firstLine(of: output[0]) : ""
        close(output[0])
        guard line.hasPrefix("Listening on "), let url = line.split(separator: " ").last else {
            close(input[1])
            if code == 0 { ProcessGroup.wait(for: process) }
            throw StudyFailure(
                "the monitor does not start; its messages are in '\(printable(log))'", .missing)
        }
        self.process = process
        lifeline = input[1]
        self.url = String(url.hasSuffix("/") ? url.dropLast() : url).replacingLoopback
    }

    /// Lets the monitor write what it has, and waits for its end, within ten seconds.
    package func end() {
        close(lifeline)
        ProcessGroup.wait(for: process)
    }

    private static func firstLine(of descriptor: Int32) -> String {
        var bytes: [UInt8] = []
        var byte: UInt8 = 0
        while bytes.count < 4096 {
            let count = unsafe read(descriptor, &byte, 1)
            if count < 0, errno == EINTR { continue }
            guard count == 1, byte != UInt8(ascii: "\n") else { break }
            bytes.append(byte)
        }
        return String(decoding: bytes, as: UTF8.self)
    }
}

extension String {
    /// The address in the form that people type.
    fileprivate var replacingLoopback: String {
        hasPrefix("http://127.0.0.1:") ? "http://localhost:" + dropFirst("http://127.0.0.1:".count) : self
    }
}
