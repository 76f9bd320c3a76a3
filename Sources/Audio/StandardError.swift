import Glibc
import Synchronization

/// What the sound system's libraries write unasked.
package enum StandardError {
    /// Does something while the sound system's libraries, which write what they think on standard error, write
    /// it nowhere.
    package static func hushed<Value, Failure: Error>(
        _ body: () throws(Failure) -> Value
    ) throws(Failure) -> Value {
        hush.withLock { hush in
            hush.depth += 1
            guard hush.depth == 1 else { return }
            hush.kept = dup(STDERR_FILENO)
            let nowhere = unsafe open("/dev/null", O_WRONLY | O_CLOEXEC)
            if hush.kept >= 0 { dup2(nowhere, STDERR_FILENO) }
            close(nowhere)
        }
        defer {
            hush.withLock { hush in
                hush.depth -= 1
                guard hush.depth == 0, hush.kept >= 0 else { return }
                dup2(hush.kept, STDERR_FILENO)
                close(hush.kept)
            }
        }
        return try body()
    }

    /// How many want silence at the moment, and the standard error that the last of them puts back.
    private static let hush = Mutex((depth: 0, kept: Int32(-1)))
}
