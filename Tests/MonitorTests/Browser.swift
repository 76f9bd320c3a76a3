import HTTPTypes
import NIOCore
import NIOHTTP1
import NIOPosix
import Results
import Testing
import TextFormat

/// Asks a monitor of this machine, each time over a connection of its own. What comes and goes must be as the monitor
/// describes it.
struct Browser: Sendable {
    let port: Int

    /// What the monitor answered.
    struct Answer: Sendable {
        var status: HTTPResponse.Status
        var headers: HTTPFields
        var body: [UInt8]

        var text: String { String(decoding: body, as: UTF8.self) }
        var json: JSON {
            get throws { try JSON(parsing: body) }
        }
    }

    func get(_ path: String, headers: HTTPFields = [:]) async throws -> Answer {
        try await ask(.get, path, headers: headers)
    }

    func post(_ path: String, _ body: String, headers: HTTPFields = [:]) async throws -> Answer {
        try await ask(.post, path, Array(body.utf8), headers: headers)
    }

    /// - Parameter path: is sent as it is, whatever it holds.
    func ask(
        _ method: HTTPRequest.Method, _ path: String, _ body: [UInt8] = [], headers: HTTPFields = [:]
    ) async throws -> Answer {
        let promise = MultiThreadedEventLoopGroup.singleton.any().makePromise(of: Answer.self)
        let bootstrap = ClientBootstrap(group: MultiThreadedEventLoopGroup.singleton)
            .channelInitializer { channel in
                channel.eventLoop.makeCompletedFuture {
                    try channel.pipeline.syncOperations.addHTTPClientHandlers()
                    try channel.pipeline.syncOperations.addHandler(AnswerCollector(promise))
                }
            }
        do {
            let channel = try await bootstrap.connect(host: "127.0.0.1", port: port).get()
            var head = HTTPRequestHead(version: .http1_1, method: .init(rawValue: method.rawValue), uri: path)
            head.headers = [
                "host": "127.0.0.1:\(port)", "connection": "close", "content-length": "\(body.count)",
            ]
            for field in headers { head.headers.add(name: field.name.rawName, value: field.value) }
            channel.write(HTTPClientRequestPart.head(head), promise: nil)
            channel.write(HTTPClientRequestPart.body(.byteBuffer(ByteBuffer(bytes: body))), promise: nil)
            // A monitor may answer, and close, before it has read everything.
            channel.writeAndFlush(HTTPClientRequestPart.end(nil), promise: nil)
        } catch {
            promise.fail(error)
        }
        let answer = try await promise.futureResult.get()
        for fault in try Description.served.get().faults(method, path, body, answer) {
            Issue.record("\(fault)")
        }
        return answer
    }
}

/// Puts the parts of one answer together.
private final class AnswerCollector: ChannelInboundHandler {
    typealias InboundIn = HTTPClientResponsePart

    private let promise: EventLoopPromise<Browser.Answer>
    private var answer = Browser.Answer(status: .ok, headers: [:], body: [])

    init(_ promise: EventLoopPromise<Browser.Answer>) { self.promise = promise }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        switch unwrapInboundIn(data) {
        case .head(let head):
            answer.status = HTTPResponse.Status(code: Int(head.status.code))
            for (name, value) in head.headers {
                HTTPField.Name(name).map { answer.headers.append(HTTPField(name: $0, value: value)) }
            }
        case .body(let bytes): answer.body += Array(bytes.readableBytesView)
        case .end: promise.succeed(answer)
        }
    }

    func errorCaught(context: ChannelHandlerContext, error: any Error) {
        promise.fail(error)
        context.close(promise: nil)
    }

    func channelInactive(context: ChannelHandlerContext) { promise.fail(ChannelError.eof) }
}
