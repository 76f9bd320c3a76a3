import Glibc
import Platform
import Synchronization

/// A server on the loopback interface that answers what it was told to.
package final class ScriptedServer: Sendable {
    /// What it does with one connection.
    package struct Answer: Sendable {
        /// Sent as soon as the request is whole.
        package var bytes: [UInt8]
        /// Whether the connection stays open until the other side closes it.
        package var isHeld = false

        package init(_ text: String, isHeld: Bool = false) {
            bytes = Array(text.utf8)
            self.isHeld = isHeld
        }

        /// A head of a status, and a body.
        package static func status(_ status: Int, _ body: String = "", headers: [String] = []) -> Answer {
            let head = ["HTTP/1.1 \(status) Such", "Content-Length: \(body.utf8.count)", "Connection: close"]
            return Answer((head + headers).joined(separator: "\r\n") + "\r\n\r\n" + body)
        }
    }

    package let port: UInt16
    /// Yields whenever the other side closed a connection that was held.
    package let closings: AsyncStream<Void>
    /// Yields at each request.
    package let arrivals: AsyncStream<Void>
    private let arrivalSink: AsyncStream<Void>.Continuation
    private let closingSink: AsyncStream<Void>.Continuation
    private let listener: Int32
    private let script: Mutex<[Answer]>
    private let heard = Mutex<[String]>([])

    /// - Parameter answers: one per connection; the last one again and again.
    package init(_ answers: [Answer]) {
        script = Mutex(answers)
        (closings, closingSink) = AsyncStream.makeStream(of: Void.self)
        (arrivals, arrivalSink) = AsyncStream.makeStream(of: Void.self)
        let listener = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_addr.s_addr = UInt32(0x7f00_0001).bigEndian
        var length = socklen_t(MemoryLayout<sockaddr_in>.size)
        let isListening = unsafe withUnsafeMutablePointer(to: &address) { pointer in
            unsafe pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { pointer in
                unsafe bind(listener, pointer, length) == 0 && listen(listener, 16) == 0
                    && getsockname(listener, pointer, &length) == 0
            }
        }
        precondition(isListening, "no server for the test")
        self.listener = listener
        port = UInt16(bigEndian: address.sin_port)
        DetachedThread.start { [self] in serve() }
    }

    package func stop() { shutdown(listener, Int32(SHUT_RDWR)) }

    package func url(_ path: String = "/") -> String { "http://127.0.0.1:\(port)\(path)" }

    /// The requests so far, head and body.
    package var requests: [String] { heard.withLock { $0 } }

    private func serve() {
        while true {
            let connection = accept(listener, nil, nil)
            guard connection >= 0 else { break }
            let answer = script.withLock { script in
                script.count > 1 ? script.removeFirst() : script.first
            }
            DetachedThread.start { [self] in
                serve(connection, answer)
                close(connection)
            }
        }
        close(listener)
    }

    private func serve(_ connection: Int32, _ answer: Answer?) {
        guard let request = Self.request(from: connection), let answer else { return }
        heard.withLock { $0.append(request) }
        arrivalSink.yield()
        var sent = 0
        while sent < answer.bytes.count {
            let count = unsafe answer.bytes.withUnsafeBytes { bytes in
                unsafe send(
                    connection, bytes.baseAddress?.advanced(by: sent), bytes.count - sent,
                    Int32(MSG_NOSIGNAL))
            }
            guard count > 0 else { return }
            sent += count
        }
        guard answer.isHeld else { return }
        var byte: UInt8 = 0
        while unsafe recv(connection, &byte, 1, 0) > 0 {}
        closingSink.yield()
    }

    private static func request(from connection: Int32) -> String? {
        var text: [UInt8] = []
        var buffer = [UInt8](repeating: 0, count: 1 << 20)
        while true {
            let count = unsafe recv(connection, &buffer, buffer.count, 0)
            guard count > 0 else { return nil }
            text += buffer[..<count]
            let end = Array("\r\n\r\n".utf8)
            let start = text.prefix(4096).indices.first { text[$0...].starts(with: end) }
            guard let start else { continue }
            let length = String(decoding: text[..<start], as: UTF8.self).split(separator: "\r\n")
                .first { $0.lowercased().hasPrefix("content-length:") }
                .flatMap { Int($0.drop { $0 != ":" }.dropFirst().filter { $0 != " " }) }
            if text.count - start - end.count >= length ?? 0 { return String(decoding: text, as: UTF8.self) }
        }
    }
}
