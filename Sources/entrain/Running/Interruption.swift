import Glibc
import Platform
import StudySession
import Synchronization

/// Signals that end a run in order: SIGINT, SIGTERM and, without a terminal to notice it, SIGHUP.
///
/// The first one is told; a second one of the same kind ends the program at once, as it would have without us,
/// and leaves the run to be recovered.
enum Interruption {
    /// Yields once when a signal comes.
    static func stream() -> AsyncStream<Void> {
        let (stream, sink) = AsyncStream.makeStream(of: Void.self)
        if let descriptor { listen(to: descriptor) { sink.yield() } }
        return stream
    }

    /// Can be read once a signal came, which from its first use on does not end the program; `nil` where the system has no
    /// descriptor left.
    static let descriptor: Int32? = {
        var ends: [Int32] = [-1, -1]
        guard unsafe pipe(&ends) == 0, fcntl(ends[1], F_SETFL, O_NONBLOCK) == 0 else { return nil }
        for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
        writeEnd.store(ends[1], ordering: .releasing)
        for number in [SIGINT, SIGTERM, SIGHUP] {
            var action = sigaction()
            unsafe action.__sigaction_handler.sa_handler = { _ in
                var byte: UInt8 = 0
                _ = unsafe write(writeEnd.load(ordering: .acquiring), &byte, 1)
            }
            action.sa_flags = Int32(bitPattern: UInt32(SA_RESETHAND)) | SA_RESTART
            unsafe sigaction(number, &action, nil)
        }
        return ends[0]
    }()

    /// A run's data must outlive a reader that goes away.
    static func ignoreBrokenPipes() { signal(SIGPIPE, SIG_IGN) }

    private static func listen(to descriptor: Int32, _ tell: @escaping @Sendable () -> Void) {
        DetachedThread.start {
            var byte: UInt8 = 0
            while true {
                let count = unsafe read(descriptor, &byte, 1)
                if count == 1 { tell() }
                if count == 0 || count < 0 && errno != EINTR { return }
            }
        }
    }
}

private let writeEnd = Atomic<Int32>(-1)
