import Glibc
import Platform
package import StudyModel
import Synchronization

/// Reads lines aloud: espeak-ng speaks each line of its standard input.
package final class Speaker: Sendable {
    private struct Voice {
        var process: pid_t
        var pipe: Int32
    }

    /// Of a voice that speaks to the end.
    private final class End: Sendable {
        let hasCome = Atomic(false)
        let isTold = Semaphore()
    }

    private let words: [String]
    private let voice: Mutex<Voice?>

    /// - Returns: `nil` if the program cannot be started.
    package init?(by program: String = "espeak-ng", in language: Language?) {
        // Voices have the names of languages, mostly without a region.
        let tongue = (language?.tag ?? "en").split(separator: "-").first.map(String.init) ?? "en"
        words = [program, "-v", tongue]
        guard let first = Self.start(words) else { return nil }
        voice = Mutex(first)
    }

    private static func start(_ words: [String]) -> Voice? {
        guard let ends = ProcessGroup.pipe() else { return nil }
        // A voice that is slow or stopped must not delay the run.
        _ = fcntl(ends.write, F_SETFL, O_NONBLOCK)
        var process = pid_t()
        let failure = unsafe ProcessGroup.spawn(words, as: &process) { actions in
            unsafe posix_spawn_file_actions_adddup2(&actions, ends.read, STDIN_FILENO)
            for stream in [STDOUT_FILENO, STDERR_FILENO] {
                unsafe posix_spawn_file_actions_addopen(&actions, stream, "/dev/null", O_RDWR, 0)
            }
        }
        close(ends.read)
        guard failure == 0 else {
            close(ends.write)
            return nil
        }
        return Voice(process: process, pipe: ends.write)
    }

    func say(_ lines: [String]) {
        let text = Array(lines.flatMap { $0.split(separator: "\n") }.map { $0 + "\n" }.joined().utf8)
        guard !text.isEmpty else { return }
        voice.withLock { voice in
            voice = voice ?? Self.start(words)
            if let voice { unsafe _ = write(voice.pipe, text, text.count) }
        }
    }

    /// Stops in the middle of a word.
    func hush() {
        voice.withLock { voice in
            guard let old = voice else { return }
            close(old.pipe)
            kill(-old.process, SIGKILL)
            ProcessGroup.wait(for: old.process)
            voice = nil
        }
    }

    /// Speaks to the end, as long as that takes no longer than this.
    func finish(within limit: Duration = .seconds(20)) {
        let last = voice.withLock { voice in
            defer { voice = nil }
            return voice
        }
        guard let last else { return }
        close(last.pipe)
        let end = End()
        DetachedThread.start {
            ProcessGroup.wait(for: last.process)
            end.hasCome.store(true, ordering: .releasing)
            end.isTold.signal()
        }
        end.isTold.wait(milliseconds: Int(limit / .milliseconds(1)))
        if !end.hasCome.load(ordering: .acquiring) { kill(-last.process, SIGKILL) }
    }
}
