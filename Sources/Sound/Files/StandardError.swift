import Glibc
import Synchronization

/// The messages that the sound system's libraries write to standard error.
package enum StandardError {
    /// Does something while messages of the sound system's libraries on standard error are discarded.
    package static func silenced<Value, Failure: Error>(
        _ body: () throws(Failure) -> Value
    ) throws(Failure) -> Value {
        silence.withLock { silence in
            silence.depth += 1
            guard silence.depth == 1 else { return }
            silence.kept = dup(STDERR_FILENO)
            let nowhere = unsafe open("/dev/null", O_WRONLY | O_CLOEXEC)
            if silence.kept >= 0 { dup2(nowhere, STDERR_FILENO) }
            close(nowhere)
        }
        defer {
            silence.withLock { silence in
                silence.depth -= 1
                guard silence.depth == 0, silence.kept >= 0 else { return }
                dup2(silence.kept, STDERR_FILENO)
                close(silence.kept)
            }
        }
        return try body()
    }

    /// How many callers currently discard messages, and the standard error that the last of them restores.
    private static let silence = Mutex((depth: 0, kept: Int32(-1)))
}
