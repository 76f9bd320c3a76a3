import Glibc
import Platform
import Synchronization

/// An event of input that comes line by line from outside.
enum LineEvent: Hashable, Sendable {
    /// A sender is connected.
    case opened
    case line([UInt8])
    /// A line that is too long.
    case tooLong
    /// No sender is connected any more, for this reason.
    case closed(String)
    /// Nothing more will come.
    case ended
    case failed(String)
}

/// A thread that reads lines from standard input, or from programs that connect to a Unix socket.
final class LineReader: Sendable {
    private struct Peer {
        var descriptor: Int32
        var buffer = LineBuffer()
    }

    private let isStopped = Atomic(false)
    /// The path of the socket that this reader made.
    private let ownSocket = Mutex<String?>(nil)
    private let tell: @Sendable (LineEvent) -> Void

    init(_ tell: @escaping @Sendable (LineEvent) -> Void) { self.tell = tell }

    /// Ends the thread a little later, but removes the reader's own socket at once.
    func stop() {
        isStopped.store(true, ordering: .relaxed)
        ownSocket.withLock { path in
            if let made = path.take() { unsafe unlink(made) }
        }
    }

    /// Reads standard input until it ends.
    func readStandardInput() {
        DetachedThread.start { [self] in
            var peer = Peer(descriptor: STDIN_FILENO)
            while !isStopped.load(ordering: .relaxed) {
                guard Self.isReady([STDIN_FILENO]) else { continue }
                guard read(&peer) else {
                    tell(.ended)
                    return
                }
            }
        }
    }

    /// Connects to an existing socket, or makes one and accepts connections.
    func serve(_ path: String) {
        DetachedThread.start { [self] in
            switch UnixSocket.open(path) {
            case .failure(let problem): tell(.failed(problem.text))
            case .success(.connected(let descriptor)):
                tell(.opened)
                var peer = Peer(descriptor: descriptor)
                while !isStopped.load(ordering: .relaxed) {
                    guard Self.isReady([descriptor]) else { continue }
                    guard read(&peer) else {
                        tell(.ended)
                        break
                    }
                }
                close(descriptor)
            case .success(.listening(let descriptor)):
                ownSocket.withLock { $0 = path }
                accept(at: descriptor)
                close(descriptor)
                stop()
            }
        }
    }

    private func accept(at listener: Int32) {
        var peers: [Peer] = []
        while !isStopped.load(ordering: .relaxed) {
            guard Self.isReady([listener] + peers.map(\.descriptor)) else { continue }
            if Self.isReady([listener], milliseconds: 0) {
                let descriptor = Glibc.accept(listener, nil, nil)
                if descriptor >= 0 {
                    _ = fcntl(descriptor, F_SETFD, FD_CLOEXEC)
                    peers.append(Peer(descriptor: descriptor))
                    tell(.opened)
                }
            }
            var left: [Peer] = []
            for var peer in peers {
                if !Self.isReady([peer.descriptor], milliseconds: 0) || read(&peer) {
                    left.append(peer)
                } else {
                    close(peer.descriptor)
                }
            }
            if left.isEmpty, !peers.isEmpty { tell(.closed("the sender has disconnected")) }
            peers = left
        }
        for peer in peers { close(peer.descriptor) }
    }

    /// - Returns: whether there may be more.
    private func read(_ peer: inout Peer) -> Bool {
        var buffer = [UInt8](repeating: 0, count: 4096)
        let count = unsafe Glibc.read(peer.descriptor, &buffer, buffer.count)
        guard count > 0 else {
            if count < 0, errno == EINTR || errno == EAGAIN { return true }
            if !peer.buffer.rest.isEmpty { tell(.line(peer.buffer.rest)) }
            return false
        }
        for line in peer.buffer.lines(with: buffer[..<count]) { tell(line.map { .line($0) } ?? .tooLong) }
        return true
    }

    /// Whether one of the descriptors can be read now, or within a tenth of a second.
    private static func isReady(_ descriptors: [Int32], milliseconds: Int32 = 100) -> Bool {
        var waited = descriptors.map { pollfd(fd: $0, events: Int16(POLLIN), revents: 0) }
        return unsafe poll(&waited, nfds_t(waited.count), milliseconds) > 0
    }
}
