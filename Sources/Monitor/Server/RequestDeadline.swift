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
    private let pending: PendingConnections
    private var isNewcomer = false
    private var deadline: NIODeadline?
    private var timer: Scheduled<Void>?

    init(limits: Limits, pending: PendingConnections) {
        self.limits = limits
        self.pending = pending
    }

    func handlerAdded(context: ChannelHandlerContext) {
        if context.channel.isActive { welcome(context) }
        allow(.seconds(limits.headerSeconds), context)
    }

    func handlerRemoved(context: ChannelHandlerContext) {
        know(context)
        forget()
    }

    func channelActive(context: ChannelHandlerContext) {
        welcome(context)
        context.fireChannelActive()
    }

    func channelInactive(context: ChannelHandlerContext) {
        know(context)
        forget()
        context.fireChannelInactive()
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        switch unwrapInboundIn(data) {
        case .head:
            know(context)
            allow(.seconds(limits.bodySeconds), context)
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

    private func welcome(_ context: ChannelHandlerContext) {
        guard !isNewcomer else { return }
        isNewcomer = true
        pending.add(context.channel)
    }

    private func know(_ context: ChannelHandlerContext) {
        guard isNewcomer else { return }
        isNewcomer = false
        pending.remove(context.channel)
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
