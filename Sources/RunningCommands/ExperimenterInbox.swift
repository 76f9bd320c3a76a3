import SessionPorts
import StudySession

/// The way in for what experimenters want of a run: from other programs of this machine, and from a monitor.
///
/// A run that never waits has no inbox: there is no moment at which anybody could ask.
struct ExperimenterInbox {
    let requests: AsyncStream<MarkRequest>
    let continuation: AsyncStream<MarkRequest>.Continuation
    private let socket: MarkSocket?

    /// - Parameter run: its UUID.
    init(of run: String) {
        (requests, continuation) = AsyncStream.makeStream(of: MarkRequest.self)
        socket = MarkSocket(of: run, for: continuation)
    }

    /// The run is over, so nothing more is taken.
    func end() {
        socket?.end()
        continuation.finish()
    }
}
