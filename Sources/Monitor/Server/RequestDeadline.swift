import HTTPTypes
import NIOCore
import NIOHTTPTypes

/// Closes connections that take too long for a header, a body or a response, or that stay idle.
///
/// Event streams may last; their listeners are watched by the feed's buffer. One timer per connection, moved
/// only when it goes off, so that a quick request costs no timer.
final class RequestDeadline: ChannelDuplexHandler, RemovableChannelHandler {
    typealias InboundIn = HTTPRequestPart
    typealias InboundOut = HTTPRequestPart
    typealias OutboundIn = HTTPResponsePart
    typealias OutboundOut = HTTPResponsePart

    private let limits: Limits
    private var deadline: NIODeadline?
    private var timer: Scheduled<Void>?

    init(limits: Limits) { self.limits = limits }

    func handlerAdded(context: ChannelHandlerContext) {
        allow(.seconds(limits.headerSeconds), context)
    }

    func handlerRemoved(context: ChannelHandlerContext) { forget() }

    func channelInactive(context: ChannelHandlerContext) {
        forget()
        context.fireChannelInactive()
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        switch unwrapInboundIn(data) {
        case .head: allow(.seconds(limits.bodySeconds), context)
        case .body: break
        case .end: allow(.seconds(limits.responseSeconds), context)
        }
        context.fireChannelRead(data)
    }

    func write(context: ChannelHandlerContext, data: NIOAny, promise: EventLoopPromise<Void>?) {
        switch unwrapOutboundIn(data) {
        case .head(let head):
            if head.headerFields[.contentType] == EventStream.contentType { deadline = nil }
        case .body: break
        case .end: allow(.seconds(limits.idleSeconds), context)
        }
        context.write(data, promise: promise)
    }

    private func allow(_ time: TimeAmount, _ context: ChannelHandlerContext) {
        let deadline = NIODeadline.now() + time
        self.deadline = deadline
        if timer == nil { schedule(at: deadline, context) }
    }

    private func schedule(at deadline: NIODeadline, _ context: ChannelHandlerContext) {
        timer = context.eventLoop.assumeIsolated().scheduleTask(deadline: deadline) { [weak self] in
            self?.wake(context)
        }
    }

    private func wake(_ context: ChannelHandlerContext) {
        timer = nil
        guard let deadline else { return }
        if deadline <= .now() { context.close(promise: nil) } else { schedule(at: deadline, context) }
    }

    private func forget() {
        deadline = nil
        timer?.cancel()
        timer = nil
    }
}

@available(*, unavailable)
extension RequestDeadline: Sendable {}
