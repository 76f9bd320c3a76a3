import Glibc
import Hashing
import Platform
package import SessionPorts
import StudyModel
import TextFormat

/// Receives marks from other programs of the same user during a run.
///
/// The socket has an abstract name and no file, so nothing is left of it when the run is killed.
package final class MarkSocket: Sendable {
    private let descriptor: Int32

    /// - Parameter requests: receives the requests, in order.
    /// - Returns: `nil` if the system refuses a socket.
    package init?(of run: String, for requests: AsyncStream<MarkRequest>.Continuation) {
        guard let descriptor = UnixAddress.socket() else { return nil }
        guard unsafe UnixAddress.apply(bind, to: descriptor, Self.name(of: run)), listen(descriptor, 8) == 0
        else {
            close(descriptor)
            return nil
        }
        self.descriptor = descriptor
        DetachedThread.start { Self.accept(descriptor, requests) }
    }

    /// The run is over, so no more connections are accepted.
    package func end() { shutdown(descriptor, Int32(SHUT_RDWR)) }

    private static func accept(_ descriptor: Int32, _ requests: AsyncStream<MarkRequest>.Continuation) {
        while true {
            let peer = Glibc.accept(descriptor, nil, nil)
            guard peer >= 0 else {
                if errno == EINTR || errno == ECONNABORTED { continue }
                close(descriptor)
                return
            }
            _ = fcntl(peer, F_SETFD, FD_CLOEXEC)
            let reply: @Sendable (String?) -> Void = { problem in
                write(
                    Array(
                        JSON.object(JSON.Object(["problem": problem.map { .text($0) } ?? .null])).encoded()
                            + [0x0A]), to: peer)
                close(peer)
            }
            guard isOurs(peer), let line = readLine(from: peer) else {
                close(peer)
                continue
            }
            guard let request = MarkRequest(line, reply: reply) else {
                reply("this is no mark")
                continue
            }
            if case .terminated = requests.yield(request) { reply("the run is over") }
        }
    }

    /// Whether the program at the other end belongs to the same user or to root.
    private static func isOurs(_ peer: Int32) -> Bool {
        // The process, user and group at the other end.
        var who: [UInt32] = [0, .max, 0]
        var size = socklen_t(12)
        return unsafe getsockopt(peer, SOL_SOCKET, SO_PEERCRED, &who, &size) == 0
            && (who[1] == geteuid() || who[1] == 0)
    }
}

extension MarkSocket {
    /// Connects to a run in progress.
    ///
    /// - Returns: a descriptor; `nil` if there is no such run.
    package static func connect(to run: String) -> Int32? {
        guard let descriptor = UnixAddress.socket() else { return nil }
        guard unsafe UnixAddress.apply(Glibc.connect, to: descriptor, name(of: run)) else {
            close(descriptor)
            return nil
        }
        return descriptor
    }

    /// How a run answered.
    package enum Answer: Hashable, Sendable {
        case kept
        case refused(String)
        /// The run ended, or did not answer within ten seconds.
        case none
    }

    /// Requests a mark, and closes the connection.
    package static func ask(_ descriptor: Int32, for request: MarkRequest) -> Answer {
        defer { close(descriptor) }
        write(request.line, to: descriptor)
        guard let line = readLine(from: descriptor), let answer = try? JSON(parsing: line) else {
            return .none
        }
        return answer["problem"]?.text.map { .refused($0) } ?? .kept
    }

    /// One line of at most 8 KB, without its end; `nil` if it does not come within ten seconds.
    private static func readLine(from peer: Int32) -> [UInt8]? {
        var limit = timeval(tv_sec: 10, tv_usec: 0)
        _ = unsafe setsockopt(
            peer, SOL_SOCKET, SO_RCVTIMEO, &limit, socklen_t(MemoryLayout<timeval>.size))
        var line: [UInt8] = []
        var buffer = [UInt8](repeating: 0, count: 4096)
        while line.count <= 8192 {
            let count = unsafe read(peer, &buffer, buffer.count)
            if count < 0, errno == EINTR { continue }
            guard count > 0 else { return nil }
            line += buffer[..<count]
            if let end = line.firstIndex(of: 0x0A) { return Array(line[..<end]) }
        }
        return nil
    }

    private static func write(_ bytes: [UInt8], to peer: Int32) {
        var written = 0
        while written < bytes.count {
            let count = unsafe bytes[written...].withUnsafeBytes {
                unsafe send(peer, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL))
            }
            guard count > 0 || errno == EINTR else { return }
            written += max(count, 0)
        }
    }

    /// A first byte of zero makes it an abstract name, not a path. All users of the machine see such names, so it says
    /// neither what it is nor whose.
    fileprivate static func name(of run: String) -> [UInt8] {
        [0] + Array(SHA256.hexadecimal(of: "entrain-marks-\(run)").utf8)
    }
}

extension MarkRequest {
    fileprivate init?(_ line: [UInt8], reply: @escaping @Sendable (String?) -> Void) {
        guard let wire = try? JSON(parsing: line), let kind = wire["kind"]?.text.flatMap(RunMark.Kind.init),
            kind.isAskedFor,
            let text = wire["text"]?.text, let pressed = wire["pressed"]?.integer
        else { return nil }
        self.init(
            kind, wire["severity"]?.text.flatMap(RunMark.Severity.init),
            control: wire["control"]?.text.flatMap(RunMark.Control.init), text: text,
            by: wire["by"]?.text, pressed: Int64(pressed), reply: reply)
    }

    fileprivate var line: [UInt8] {
        let wire = JSON.members([
            "by": author.map { .text($0) }, "control": control.map { .text($0.rawValue) },
            "kind": .text(kind.rawValue), "text": .text(text), "pressed": .integer(Int(pressed)),
            "severity": severity.map { .text($0.rawValue) },
        ])
        return wire.encoded() + [0x0A]
    }
}
