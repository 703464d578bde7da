import NIOCore
import NIOHTTPTypes

/// Closes the connection of a client that sends its request too slowly or does not read the response, and tells the
/// others when it waits for its client.
///
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
    private var (isLast, isAnswering) = (false, false)

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
            isAnswering = true
            place?.work()
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
            isAnswering = false
            place?.wait()
        }
    }

    func channelWritabilityChanged(context: ChannelHandlerContext) {
        let isRead = context.channel.isWritable
        replace(&waiting, by: isRead ? nil : close(context.channel, after: unread))
        if !isRead { place?.wait() } else if isAnswering { place?.work() }
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
