import CLoaded
import Glibc
import Synchronization

/// The thread that runs libcurl's transfers. It ends some time after `stop`.
@safe final class TransferThread: Sendable {
    enum Command: Sendable {
        case begin(Int64, HTTPRequest, AsyncStream<HTTPEvent>.Continuation)
        case cancel(Int64)
        case stop
    }

    private struct State {
        var commands: [Command] = []
        var count: Int64 = 0
        /// Whether the memory of the transfers has been freed.
        var isOver = false
    }

    // SAFETY: only the thread touches what is behind it, except for waking it, which the lock keeps off its end.
    nonisolated(unsafe) private let transfers: OpaquePointer
    private let state = Mutex(State())
    private let registry: TransferRegistry

    init() throws(HTTPFailure) {
        if let problem = unsafe entrain_transfer_load() {
            throw .noLibrary(unsafe String(cString: problem))
        }
        let registry = TransferRegistry()
        let made = unsafe entrain_transfers_create(
            { context, number, isHead, bytes, count in
                guard let context = unsafe context, let bytes = unsafe bytes else { return true }
                let heard = unsafe Array(UnsafeRawBufferPointer(start: bytes, count: count))
                return unsafe Unmanaged<TransferRegistry>.fromOpaque(context).takeUnretainedValue()
                    .take(heard, isHead: isHead, of: number)
            }, unsafe Unmanaged.passUnretained(registry).toOpaque())
        guard let transfers = unsafe made else { throw .noLibrary("no memory") }
        unsafe self.transfers = transfers
        self.registry = registry
        DetachedThread.start { [self] in turn() }
    }

    /// - Returns: the exchange's number, for cancelling it.
    func begin(_ request: HTTPRequest, telling sink: AsyncStream<HTTPEvent>.Continuation) -> Int64 {
        state.withLock { state in
            state.count += 1
            send(.begin(state.count, request, sink), in: &state)
            return state.count
        }
    }

    func cancel(_ number: Int64) { state.withLock { send(.cancel(number), in: &$0) } }

    func stop() { state.withLock { send(.stop, in: &$0) } }

    private func send(_ command: Command, in state: inout State) {
        guard !state.isOver else { return }
        state.commands.append(command)
        unsafe entrain_transfers_wake(transfers)
    }

    private func turn() {
        while perform(
            state.withLock { state in
                defer { state.commands = [] }
                return state.commands
            })
        {
            unsafe entrain_transfers_turn(transfers)
            var end = entrain_transfer_end()
            while unsafe entrain_transfers_ended(transfers, &end) { registry.close(end) }
        }
    }

    /// - Returns: whether there is more to do.
    private func perform(_ commands: [Command]) -> Bool {
        for command in commands {
            switch command {
            case .begin(let number, let request, let sink):
                registry.open(number, telling: sink, sizeLimit: request.sizeLimit)
                if let failure = begin(request, as: number) { registry.close(number, failure) }
            case .cancel(let number):
                unsafe entrain_transfers_cancel(transfers, number)
                registry.close(number, nil)
            case .stop:
                state.withLock { state in
                    state.isOver = true
                    unsafe entrain_transfers_free(transfers)
                }
                registry.closeAll()
                return false
            }
        }
        return true
    }

    /// - Returns: why it cannot begin; `nil` if it began.
    private func begin(_ request: HTTPRequest, as number: Int64) -> HTTPFailure? {
        var file: Int32 = -1
        var status = stat()
        if let path = request.file {
            file = unsafe open(path, O_RDONLY | O_CLOEXEC)
            guard file >= 0, unsafe fstat(file, &status) == 0 else {
                if file >= 0 { close(file) }
                return .badRequest("cannot read \(path)")
            }
        }
        var headers: [UnsafePointer<CChar>?] = unsafe request.headers.map { header in
            unsafe UnsafePointer(
                strdup(header.value.isEmpty ? header.name + ";" : "\(header.name): \(header.value)"))
        }
        unsafe headers.append(nil)
        defer { unsafe headers.forEach { unsafe free(UnsafeMutableRawPointer(mutating: $0)) } }
        // An empty body is posted too, and an empty array has no address.
        let body = request.body.map { $0.isEmpty ? [0] : $0 }
        let hasBegun = unsafe request.url.withCString { url in
            unsafe agent.withCString { agent in
                unsafe headers.withUnsafeBufferPointer { headers in
                    let send = { (body: UnsafeRawPointer?) in
                        var asked = unsafe entrain_request(
                            number: number, url: url, agent: agent, headers: headers.baseAddress, body: body,
                            body_count: request.body?.count ?? 0, file: file,
                            file_size: Int64(status.st_size), is_head: request.isHead,
                            connect_limit: request.connectionLimit.wholeMilliseconds,
                            limit: request.limit.map(\.wholeMilliseconds) ?? 0,
                            silence_limit: request.silenceLimit.map { max($0.wholeMilliseconds / 1000, 1) }
                                ?? 0)
                        return unsafe entrain_transfers_begin(self.transfers, &asked)
                    }
                    guard let body else { return send(nil) }
                    return unsafe body.withUnsafeBytes { unsafe send($0.baseAddress) }
                }
            }
        }
        return hasBegun ? nil : .broken("no memory")
    }
}

private let agent = "entrain"

extension Duration {
    /// At least one.
    fileprivate var wholeMilliseconds: Int { max(Int(self / .milliseconds(1)), 1) }
}

/// The exchanges that are going on.
private final class TransferRegistry: Sendable {
    private let exchanges = Mutex<[Int64: Exchange]>([:])

    func open(_ number: Int64, telling sink: AsyncStream<HTTPEvent>.Continuation, sizeLimit: Int?) {
        exchanges.withLock { $0[number] = Exchange(sink: sink, sizeLimit: sizeLimit) }
    }

    /// - Returns: whether there may be more.
    func take(_ bytes: [UInt8], isHead: Bool, of number: Int64) -> Bool {
        exchanges.withLock { exchanges in
            guard isHead else { return exchanges[number]?.take(body: bytes) == true }
            exchanges[number]?.take(line: String(decoding: bytes, as: UTF8.self))
            return true
        }
    }

    func close(_ end: entrain_transfer_end) {
        close(end.number, end.code == 0 ? nil : HTTPFailure(code: end.code, words: end.text))
    }

    func close(_ number: Int64, _ failure: HTTPFailure?) {
        exchanges.withLock { $0.removeValue(forKey: number) }?.close(failure)
    }

    func closeAll() {
        for number in exchanges.withLock({ Array($0.keys) }) { close(number, .cancelled) }
    }
}

/// One exchange of a request for an answer.
struct Exchange {
    /// How many parts of an endless answer may wait to be read.
    static let room = 256

    let sink: AsyncStream<HTTPEvent>.Continuation
    let sizeLimit: Int?
    private var received = 0
    private var head: HTTPHead?
    private var isHeadTold = false
    private var failure: HTTPFailure?

    init(sink: AsyncStream<HTTPEvent>.Continuation, sizeLimit: Int?) {
        self.sink = sink
        self.sizeLimit = sizeLimit
    }

    /// A line of the head: the status, a header, or the empty line at its end. If there are several heads, the last
    /// one counts.
    mutating func take(line: String) {
        let line = line.filter { !$0.isNewline }
        if line.hasPrefix("HTTP/") {
            let status = line.split(separator: " ").dropFirst().first.flatMap { Int($0) }
            head = HTTPHead(status: status ?? 0, headers: [])
        } else if let colon = line.firstIndex(of: ":") {
            var value = line[line.index(after: colon)...].drop { $0.isWhitespace }
            while value.last?.isWhitespace == true { value.removeLast() }
            head?.headers.append(HTTPHeader(String(line[..<colon]), String(value)))
        } else if line.isEmpty, let head, head.status >= 200, !(300..<400).contains(head.status) {
            tellHead()
        }
    }

    /// - Returns: whether there may be more.
    mutating func take(body: [UInt8]) -> Bool {
        received += body.count
        if let sizeLimit, received > sizeLimit {
            failure = .tooLarge(sizeLimit)
            return false
        }
        tellHead()
        // The last places are kept for the event that says how it ends.
        if case .enqueued(let left) = sink.yield(.bytes(body)), left < 8 {
            failure = .broken("the server sends faster than its answer can be read")
            return false
        }
        return true
    }

    consuming func close(_ failure: HTTPFailure?) {
        if let failure = self.failure ?? failure {
            sink.yield(.failed(failure))
        } else {
            tellHead()
        }
        sink.finish()
    }

    private mutating func tellHead() {
        guard let head, !isHeadTold else { return }
        isHeadTold = true
        sink.yield(.head(head))
    }
}

extension HTTPFailure {
    /// - Parameter code: libcurl's.
    fileprivate init(code: Int32, words: String) {
        self =
            switch code {
            case 3: .badRequest(words)
            case 5, 6, 7, 35, 60, 77: .unreachable(words)
            case 28: .tooSlow(words)
            default: .broken(words)
            }
    }
}

extension entrain_transfer_end {
    fileprivate var text: String {
        unsafe withUnsafeBytes(of: words) { bytes in
            unsafe String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self)
        }
    }
}
