import NIOCore
import NIOHTTPTypes

/// Closes the connection of a client that sends its request too slowly or does not read the response.
///
/// It also closes a connection after a response that says so, which the framework does not.
final class SlowClients: ChannelDuplexHandler, RemovableChannelHandler {
    typealias InboundIn = HTTPRequestPart
    typealias InboundOut = HTTPRequestPart
    typealias OutboundIn = HTTPResponsePart
    typealias OutboundOut = HTTPResponsePart

    private let (arrival, unread): (TimeAmount, TimeAmount)
    private var (arriving, waiting): (Scheduled<Void>?, Scheduled<Void>?)
    private var isLast = false

    init(arrival: Duration, unread: Duration) {
        (self.arrival, self.unread) = (TimeAmount(arrival), TimeAmount(unread))
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        switch unwrapInboundIn(data) {
        case .head: replace(&arriving, by: close(context.channel, after: arrival))
        case .body: break
        case .end: replace(&arriving, by: nil)
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
        case .body, .end: context.write(data, promise: promise)
        }
    }

    func channelWritabilityChanged(context: ChannelHandlerContext) {
        replace(&waiting, by: context.channel.isWritable ? nil : close(context.channel, after: unread))
        context.fireChannelWritabilityChanged()
    }

    func handlerRemoved(context: ChannelHandlerContext) {
        replace(&arriving, by: nil)
        replace(&waiting, by: nil)
    }

    private func replace(_ task: inout Scheduled<Void>?, by next: Scheduled<Void>?) {
        task?.cancel()
        task = next
    }

    private func close(_ channel: any Channel, after time: TimeAmount) -> Scheduled<Void> {
        channel.eventLoop.scheduleTask(in: time) { channel.close(promise: nil) }
    }
}
