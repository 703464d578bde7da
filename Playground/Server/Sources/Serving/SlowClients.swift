import NIOCore
import NIOHTTPTypes

/// Closes the connection of a client that sends its request too slowly or does not read the response.
///
/// It reports to `OpenConnections` when the connection waits for its client.
/// It also closes a connection after a response that says so, which the framework does not.
final class SlowClients: ChannelDuplexHandler, RemovableChannelHandler {
    typealias InboundIn = HTTPRequestPart
    typealias InboundOut = HTTPRequestPart
    typealias OutboundIn = HTTPResponsePart
    typealias OutboundOut = HTTPResponsePart

    private let connections: OpenConnections
    private let (arrival, unread): (TimeAmount, TimeAmount)
    private var place: OpenConnections.Place?
    private var (arriving, waiting): (Scheduled<Void>?, Scheduled<Void>?)
    private var isLast = false
    /// How many whole requests have no whole response; less than 0 when a response came first.
    private var unanswered = 0

    init(_ connections: OpenConnections, arrival: Duration, unread: Duration) {
        self.connections = connections
        (self.arrival, self.unread) = (TimeAmount(arrival), TimeAmount(unread))
    }

    func handlerAdded(context: ChannelHandlerContext) {
        place = OpenConnections.Place(context.channel, in: connections)
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        switch unwrapInboundIn(data) {
        case .head: replace(&arriving, by: close(context.channel, after: arrival))
        case .body: break
        case .end:
            replace(&arriving, by: nil)
            unanswered += 1
            if unanswered > 0, context.channel.isWritable { place?.work() }
        }
        context.fireChannelRead(data)
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
            if unanswered <= 0 { place?.wait() }
        }
    }

    func channelWritabilityChanged(context: ChannelHandlerContext) {
        let isRead = context.channel.isWritable
        replace(&waiting, by: isRead ? nil : close(context.channel, after: unread))
        if !isRead { place?.wait() } else if unanswered > 0, context.channel.isActive { place?.work() }
        context.fireChannelWritabilityChanged()
    }

    func handlerRemoved(context: ChannelHandlerContext) {
        replace(&arriving, by: nil)
        replace(&waiting, by: nil)
        place?.leave()
        place = nil
    }

    private func replace(_ task: inout Scheduled<Void>?, by next: Scheduled<Void>?) {
        task?.cancel()
        task = next
    }

    private func close(_ channel: any Channel, after time: TimeAmount) -> Scheduled<Void> {
        channel.eventLoop.scheduleTask(in: time) { channel.close(promise: nil) }
    }
}
