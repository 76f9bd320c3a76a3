package import Glibc

/// Wakes a thread that waits in `poll`: what is rung at one end makes the other readable. It never blocks.
package final class WakePipe: Sendable {
    /// Becomes readable when it was rung.
    package let descriptor: Int32
    /// Where a signal handler may write a byte.
    package let bell: Int32

    /// - Returns: `nil` if the system has no descriptor left.
    package init?() {
        guard let (read, write) = ProcessGroup.pipe() else { return nil }
        for end in [read, write] { _ = fcntl(end, F_SETFL, O_NONBLOCK) }
        (descriptor, bell) = (read, write)
    }

    deinit { _ = (close(descriptor), close(bell)) }

    package func ring() {
        var nothing: UInt8 = 0
        _ = unsafe write(bell, &nothing, 1)
    }

    /// For `poll`.
    package var awaited: pollfd { pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0) }
}
