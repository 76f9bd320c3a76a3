import Glibc
import Platform
import Synchronization

/// Signals that end a run properly: SIGINT, SIGTERM and, if no terminal notices it, SIGHUP.
///
/// The first SIGTERM or SIGINT is reported. A second one of the same kind ends the program at once, as it would by
/// default, and leaves the run to be recovered. A SIGINT that only asks does not count. A terminal that goes away
/// may send any number of SIGHUPs.
package enum Interruption {
    /// Signals that end the run, and those that ask the person at the terminal.
    ///
    /// - Parameter asks: whether SIGINT asks.
    package static func streams(asks: Bool) -> (ending: AsyncStream<Void>, asking: AsyncStream<Void>?) {
        let (ending, end) = AsyncStream.makeStream(of: Void.self)
        guard let pipe else { return (ending, nil) }
        let (asking, ask) = AsyncStream.makeStream(of: Void.self)
        DetachedThread.start {
            var hasAsked = false
            while let number = next(from: pipe) {
                guard asks, number == SIGINT else {
                    end.yield()
                    continue
                }
                ask.yield()
                if !hasAsked { catchSignal(SIGINT) }
                hasAsked = true
            }
        }
        return (ending, asks ? asking : nil)
    }

    /// Becomes readable when a signal came. From its first use on, signals no longer end the program. `nil` if the
    /// system has no descriptor left.
    package static var descriptor: Int32? { pipe?.descriptor }

    private static let pipe: WakePipe? = {
        guard let pipe = WakePipe() else { return nil }
        writeEnd.store(pipe.bell, ordering: .releasing)
        for number in [SIGINT, SIGTERM, SIGHUP] { catchSignal(number) }
        return pipe
    }()

    private static func catchSignal(_ number: Int32) {
        var action = sigaction()
        unsafe action.__sigaction_handler.sa_handler = { number in
            var byte = UInt8(truncatingIfNeeded: number)
            _ = unsafe write(writeEnd.load(ordering: .acquiring), &byte, 1)
        }
        let once = number == SIGHUP ? 0 : Int32(bitPattern: UInt32(SA_RESETHAND))
        action.sa_flags = once | SA_RESTART
        unsafe sigaction(number, &action, nil)
    }

    /// A run's data must survive a reader that goes away.
    package static func ignoreBrokenPipes() { signal(SIGPIPE, SIG_IGN) }

    /// The next signal's number; `nil` if no more can come.
    private static func next(from pipe: WakePipe) -> Int32? {
        var byte: UInt8 = 0
        while true {
            var awaited = pipe.awaited
            guard unsafe poll(&awaited, 1, -1) > 0 || errno == EINTR else { return nil }
            if unsafe read(pipe.descriptor, &byte, 1) == 1 { return Int32(byte) }
        }
    }
}

private let writeEnd = Atomic<Int32>(-1)
