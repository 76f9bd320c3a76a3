import MonitorInterface
import NIOCore
import ServiceLifecycle
import Synchronization
import TextFormat

/// Sends new records to all listeners.
///
/// Whoever listens to everything gets at most ten messages a second, each of all that came meanwhile: each message wakes
/// a browser several times, and forty rooms send forty readings a second. What comes after a pause goes out at once.
///
/// A listener that falls behind by more than its buffer is dropped. It returns with the number of the last record
/// that it saw, and misses nothing.
final class Feed: Service {
    /// A message to a listener.
    enum Message: Sendable {
        /// Bytes of one or more events, and the number of the last record among them.
        case frames(ByteBuffer, last: Int64)
        /// Bytes of an event that is not a record.
        case notice(ByteBuffer)
    }

    private struct Listener {
        var selection: Selection
        /// The hash of the token that opened the stream; `nil` if none was needed.
        var token: String?
        var stream: AsyncStream<Message>.Continuation
        var drop: @Sendable () -> Void
    }

    private struct State {
        var next = 0
        var listeners: [Int: Listener] = [:]
        var isClosed = false
        /// What those who listen to everything have not got yet, and the number of the last record in it.
        var pending = ByteBuffer()
        var last: Int64 = 0
    }

    /// The time between two messages to those who listen to everything.
    private static let pace = Duration.milliseconds(100)
    /// What tells a listener that nothing is new, rather than that nothing can be heard.
    private static let alive = ByteBuffer(string: "event: alive\ndata: {}\n\n")

    private let limits: Limits
    private let state = Mutex(State())
    /// Has an element when something is pending.
    private let news: AsyncStream<Void>
    private let bell: AsyncStream<Void>.Continuation

    init(limits: Limits) {
        self.limits = limits
        (news, bell) = AsyncStream.makeStream(of: Void.self, bufferingPolicy: .bufferingNewest(1))
    }

    /// Adds a listener, from now on.
    ///
    /// - Parameters:
    ///   - token: the hash of the token that opened the stream, if one was needed.
    ///   - drop: ends the connection of a listener that is too slow, or whose token was revoked.
    func listen(
        to selection: Selection, token: String? = nil, drop: @escaping @Sendable () -> Void
    ) throws(Refusal) -> AsyncStream<Message> {
        let (messages, stream) = AsyncStream.makeStream(
            of: Message.self, bufferingPolicy: .bufferingOldest(limits.streamBuffer))
        let number: Int? = state.withLock { state in
            guard !state.isClosed, state.listeners.count < limits.streams else { return nil }
            state.next += 1
            state.listeners[state.next] = Listener(
                selection: selection, token: token, stream: stream, drop: drop)
            return state.next
        }
        guard let number else { throw Refusal(.unavailable, "too many event streams are open") }
        stream.onTermination = { [weak self] _ in
            self?.state.withLock { $0.listeners[number] = nil }
        }
        return messages
    }

    /// Whether anybody listens with a token.
    var hasTokens: Bool { state.withLock { $0.listeners.values.contains { $0.token != nil } } }

    /// Ends the streams of all tokens but these.
    func keepOnly(tokens: Set<String>) {
        for listener in state.withLock({ $0.listeners }).values {
            guard let token = listener.token, !tokens.contains(token) else { continue }
            listener.stream.finish()
            listener.drop()
        }
    }

    /// How many listeners there are.
    var listenerCount: Int { state.withLock { $0.listeners.count } }

    func publish(_ records: [Record]) {
        let listeners = state.withLock { $0.listeners }
        guard !listeners.isEmpty, let last = records.last?.number else { return }
        var everything = ByteBuffer()
        var bySource: [String?: ByteBuffer] = [:]
        var bySession: [String: ByteBuffer] = [:]
        let wanted = Set(listeners.values.map(\.selection))
        for record in records {
            let frame = record.frame
            if wanted.contains(.all) { everything.writeBytes(frame) }
            guard let session = record.session else { continue }
            if wanted.contains(.session(session)) {
                bySession[session, default: ByteBuffer()].writeBytes(frame)
            }
            for case .readings(let source) in wanted where Sender.isSession(session, of: source) {
                bySource[source, default: ByteBuffer()].writeBytes(frame)
            }
        }
        if everything.readableBytes > 0 {
            state.withLock { state in
                state.pending.writeBuffer(&everything)
                state.last = last
            }
            bell.yield()
        }
        for (number, listener) in listeners {
            let bytes: ByteBuffer? =
                switch listener.selection {
                case .all: nil
                case .readings(let source): bySource[source]
                case .session(let session): bySession[session]
                case .requests: nil
                }
            guard let bytes, bytes.readableBytes > 0 else { continue }
            send(.frames(bytes, last: last), to: listener, number)
        }
    }

    /// Sends those who listen to everything what is pending.
    private func flush() {
        let (listeners, bytes, last) = state.withLock { state in
            defer { state.pending = ByteBuffer() }
            return (state.listeners, state.pending, state.last)
        }
        guard bytes.readableBytes > 0 else { return }
        for (number, listener) in listeners where listener.selection == .all {
            send(.frames(bytes, last: last), to: listener, number)
        }
    }

    private func flushAtPace() async {
        for await _ in news {
            flush()
            do { try await Task.sleep(for: Self.pace) } catch { return }
        }
    }

    /// Sends the listeners of a session, or of all sessions, a message that is not a record.
    func notify(_ name: String, _ value: JSON, of session: String) {
        let bytes = ByteBuffer(string: "event: \(name)\ndata: \(value.string)\n\n")
        for (number, listener) in state.withLock({ $0.listeners })
        where [.all, .session(session)].contains(listener.selection) {
            send(.notice(bytes), to: listener, number)
        }
    }

    /// Tells a run what an experimenter wants of it.
    ///
    /// - Returns: whether the run listens.
    func tell(_ run: String, _ request: JSON) -> Bool {
        let bytes = ByteBuffer(string: "event: \(MonitorPath.request)\ndata: \(request.string)\n\n")
        let listeners = state.withLock { $0.listeners }.filter { $0.value.selection == .requests(run: run) }
        for (number, listener) in listeners { send(.notice(bytes), to: listener, number) }
        return !listeners.isEmpty
    }

    private func send(_ message: Message, to listener: Listener, _ number: Int) {
        switch listener.stream.yield(message) {
        case .enqueued: break
        case .dropped:
            listener.stream.finish()
            listener.drop()
        case .terminated: state.withLock { $0.listeners[number] = nil }
        @unknown default: break
        }
    }

    /// Sends listeners a sign of life every two seconds until told to stop, and then ends their streams.
    func run() async throws {
        await withGracefulShutdownHandler {
            await cancelWhenGracefulShutdown {
                await withTaskGroup { tasks in
                    tasks.addTask { await self.beat() }
                    tasks.addTask { await self.flushAtPace() }
                }
            }
        } onGracefulShutdown: {
            self.close()
        }
    }

    private func beat() async {
        while true {
            do { try await Task.sleep(for: .seconds(2)) } catch { return }
            for (number, listener) in state.withLock({ $0.listeners }) {
                send(.notice(Self.alive), to: listener, number)
            }
        }
    }

    /// Ends all streams.
    func close() {
        flush()
        let listeners = state.withLock { state in
            state.isClosed = true
            return state.listeners.values
        }
        for listener in listeners { listener.stream.finish() }
    }
}
