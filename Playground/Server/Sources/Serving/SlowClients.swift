import NIOCore
import NIOHTTPTypes

/// Closes the connection of a client that sends its request too slowly or does not read the response.
///
/// It passes on one request at a time: the next one waits for the end of the previous response. Otherwise the responses
/// to a client that sends a thousand requests at once would fill the event loop, and every other client would wait.
/// It reports to `OpenConnections` when the connection waits for its client.
/// It also closes a connection after a response that says so, which the framework does not.
final class SlowClients: ChannelDuplexHandler, RemovableChannelHandler {
    typealias InboundIn = HTTPRequestPart
    typealias InboundOut = HTTPRequestPart
    typealias OutboundIn = HTTPResponsePart
    typealias OutboundOut = HTTPResponsePart

    private let connections: OpenConnections
    private let (arrival, unread): (TimeAmount, TimeAmount)
    private var entry: OpenConnections.Entry?
    private var (arriving, waiting): (Scheduled<Void>?, Scheduled<Void>?)
    private var isLast = false
    /// Parts of requests that wait for an earlier response, and events that came after those parts.
    private var held = CircularBuffer<HTTPRequestPart>()
    private var heldEvents: [(ChannelHandlerContext) -> Void] = []
    /// The number of whole requests without a whole response; negative if a response came first.
    private var unanswered = 0

    init(_ connections: OpenConnections, arrival: Duration, unread: Duration) {
        self.connections = connections
        (self.arrival, self.unread) = (TimeAmount(arrival), TimeAmount(unread))
    }

    func handlerAdded(context: ChannelHandlerContext) {
        entry = OpenConnections.Entry(context.channel, in: connections)
        // One read has a few dozen small requests at most.
        guard let options = context.channel.syncOptions else { return }
        try? options.setOption(.recvAllocator, value: FixedSizeRecvByteBufferAllocator(capacity: 4096))
        try? options.setOption(.maxMessagesPerRead, value: 1)
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        let part = unwrapInboundIn(data)
        guard held.isEmpty, unanswered <= 0 else {
            // At the end of a connection everything that has arrived is passed on, however much that is.
            guard held.count < Self.mostHeld else {
                held.removeAll()
                return context.close(promise: nil)
            }
            return held.append(part)
        }
        pass(part, context)
    }

    /// A limit above the number of parts in one read.
    private static let mostHeld = 2_000

    func read(context: ChannelHandlerContext) { inOrder(context) { $0.read() } }

    func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
        switch event {
        case ChannelEvent.inputClosed, is ChannelShouldQuiesceEvent:
            inOrder(context) { $0.fireUserInboundEventTriggered(event) }
        default: context.fireUserInboundEventTriggered(event)
        }
    }

    func errorCaught(context: ChannelHandlerContext, error: any Error) {
        inOrder(context) { $0.fireErrorCaught(error) }
    }

    /// Passes on an event, after the parts that are held.
    private func inOrder(_ context: ChannelHandlerContext, _ event: @escaping (ChannelHandlerContext) -> Void) {
        if held.isEmpty { event(context) } else { heldEvents.append(event) }
    }

    /// Passes on the next request, if the previous one has its response.
    private func passNext(_ context: ChannelHandlerContext) {
        guard unanswered <= 0, !held.isEmpty else { return }
        while unanswered <= 0, let part = held.popFirst() { pass(part, context) }
        context.fireChannelReadComplete()
        guard held.isEmpty else { return }
        let events = heldEvents
        heldEvents.removeAll()
        for event in events { event(context) }
    }

    private func pass(_ part: HTTPRequestPart, _ context: ChannelHandlerContext) {
        switch part {
        case .head: replace(&arriving, by: close(context.channel, after: arrival))
        case .body: break
        case .end:
            replace(&arriving, by: nil)
            unanswered += 1
            if unanswered > 0, context.channel.isWritable { entry?.work() }
        }
        context.fireChannelRead(wrapInboundOut(part))
    }

    func write(context: ChannelHandlerContext, data: NIOAny, promise: EventLoopPromise<Void>?) {
        switch unwrapOutboundIn(data) {
        case .head(let head):
            isLast = head.headerFields[.connection] == "close"
            context.write(data, promise: promise)
        case .end where isLast:
            context.writeAndFlush(data, promise: promise)
            context.close(promise: nil)
        case .body: context.write(data, promise: promise)
        case .end:
            context.write(data, promise: promise)
            unanswered -= 1
            if unanswered <= 0 { entry?.wait() }
            passNext(context)
        }
    }

    func channelWritabilityChanged(context: ChannelHandlerContext) {
        let isRead = context.channel.isWritable
        replace(&waiting, by: isRead ? nil : close(context.channel, after: unread))
        if !isRead { entry?.wait() } else if unanswered > 0, context.channel.isActive { entry?.work() }
        context.fireChannelWritabilityChanged()
    }

    func handlerRemoved(context: ChannelHandlerContext) {
        replace(&arriving, by: nil)
        replace(&waiting, by: nil)
        entry?.leave()
        entry = nil
        held.removeAll()
        heldEvents.removeAll()
    }

    private func replace(_ task: inout Scheduled<Void>?, by next: Scheduled<Void>?) {
        task?.cancel()
        task = next
    }

    private func close(_ channel: any Channel, after time: TimeAmount) -> Scheduled<Void> {
        channel.eventLoop.scheduleTask(in: time) { channel.close(promise: nil) }
    }
}
