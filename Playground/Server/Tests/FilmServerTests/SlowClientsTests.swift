import HTTPTypes
import NIOCore
import NIOEmbedded
import NIOHTTPTypes
import NIOPosix
import Testing

@testable import Serving

@Suite("W4 The requests of a connection are handled one at a time") struct SlowClientsTests {
    /// A connection without a network.
    private struct Connection {
        let channel = EmbeddedChannel()

        init() throws {
            let clients = SlowClients(OpenConnections(most: 10), arrival: .seconds(20), unread: .seconds(20))
            try channel.pipeline.syncOperations.addHandler(clients)
        }

        func receive(_ parts: [HTTPRequestPart]) throws { for part in parts { try channel.writeInbound(part) } }

        func request(_ path: String) throws {
            try receive([
                .head(HTTPRequest(method: .post, scheme: "http", authority: "a", path: path)),
                .body(ByteBuffer(string: path)), .end(nil),
            ])
        }

        func respond() throws {
            try channel.writeOutbound(HTTPResponsePart.head(HTTPResponse(status: .ok)))
            try channel.writeOutbound(HTTPResponsePart.end(nil))
        }

        /// The paths, bodies and ends that the server has received since the last call.
        func passed() throws -> [String] {
            var passed: [String] = []
            while let part = try channel.readInbound(as: HTTPRequestPart.self) {
                switch part {
                case .head(let head): passed.append(head.path ?? "")
                case .body(let body): passed.append(String(buffer: body))
                case .end: passed.append("end")
                }
            }
            return passed
        }
    }

    @Test("The next request waits for the end of the previous response")
    func pipelined() throws {
        let connection = try Connection()
        for number in 0..<600 { try connection.request("\(number)") }
        for number in 0..<600 {
            #expect(try connection.passed() == ["\(number)", "\(number)", "end"])
            try connection.respond()
        }
        #expect(try connection.passed().isEmpty)
        try connection.request("last")
        #expect(try connection.passed() == ["last", "last", "end"])
        _ = try connection.channel.finish()
    }

    @Test("A response before the end of its request lets the rest of that request pass, and then the next")
    func early() throws {
        let connection = try Connection()
        try connection.receive([
            .head(HTTPRequest(method: .post, scheme: "http", authority: "a", path: "early"))
        ])
        try connection.respond()
        try connection.receive([.body(ByteBuffer(string: "rest")), .end(nil)])
        try connection.request("next")
        #expect(try connection.passed() == ["early", "rest", "end", "next", "next", "end"])
        _ = try connection.channel.finish()
    }

    @Test("The client's half close, a shutdown and an error are passed on after the earlier requests")
    func order() throws {
        let connection = try Connection()
        let events = Events()
        try connection.channel.pipeline.syncOperations.addHandler(events)
        let pipeline = connection.channel.pipeline
        for path in ["a", "b"] { try connection.request(path) }
        pipeline.fireUserInboundEventTriggered(ChannelEvent.inputClosed)
        pipeline.fireUserInboundEventTriggered(ChannelShouldQuiesceEvent())
        pipeline.fireErrorCaught(ChannelError.inputClosed)
        #expect(events.names == ["end"])
        try connection.respond()
        #expect(events.names == ["end", "end", "closed", "shutdown", "error"])
    }

    @Test("More requests than one read can have end the connection")
    func most() throws {
        let connection = try Connection()
        try connection.channel.connect(to: SocketAddress(ipAddress: "127.0.0.1", port: 1)).wait()
        for number in 0...667 { try connection.request("\(number)") }
        #expect(!connection.channel.isActive)
    }

    /// The ends of requests, and the events, that reach the server.
    private final class Events: ChannelInboundHandler {
        typealias InboundIn = HTTPRequestPart
        var names: [String] = []

        func channelRead(context: ChannelHandlerContext, data: NIOAny) {
            if case .end = unwrapInboundIn(data) { names.append("end") }
        }

        func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
            names.append(event is ChannelShouldQuiesceEvent ? "shutdown" : "closed")
        }

        func errorCaught(context: ChannelHandlerContext, error: any Error) { names.append("error") }
    }

    @Test("While nearly all connections are being answered, a new one is not closed for the next one")
    func newcomers() throws {
        let connections = OpenConnections(most: 12)
        let channels = try (0..<16).map { _ in
            let channel = EmbeddedChannel()
            try channel.connect(to: SocketAddress(ipAddress: "127.0.0.1", port: 1)).wait()
            return channel
        }
        var entries: [OpenConnections.Entry] = []
        for (number, channel) in channels.enumerated() {
            entries.append(OpenConnections.Entry(channel, in: connections))
            if number < 12 { entries[number].work() }
            for channel in channels { channel.embeddedEventLoop.run() }
            // A quarter of the connections may wait for their first request.
            #expect(channels.map(\.isActive) == channels.indices.map { $0 != 12 || number < 15 })
        }
        for entry in entries { entry.leave() }
    }

    @Test("A connection whose request has arrived is spared once, and the next one is closed instead")
    func spared() throws {
        let channels = try (0..<5).map { _ in
            let channel = EmbeddedChannel()
            try channel.connect(to: SocketAddress(ipAddress: "127.0.0.1", port: 1)).wait()
            return channel
        }
        let busy = ObjectIdentifier(channels[0])
        let connections = OpenConnections(most: 2) { ObjectIdentifier($0) == busy }
        var entries: [OpenConnections.Entry] = []
        let closed: [Set<Int>] = [[], [], [1], [1, 2], [0, 1, 2]]
        for (number, channel) in channels.enumerated() {
            entries.append(OpenConnections.Entry(channel, in: connections))
            for channel in channels { channel.embeddedEventLoop.run() }
            #expect(Set(channels.indices.filter { !channels[$0].isActive }) == closed[number])
        }
        for entry in entries { entry.leave() }
    }

    @Test("A socket has unread bytes from their arrival until they are read")
    func unread() async throws {
        let group = MultiThreadedEventLoopGroup.singleton
        let (accepted, accept) = AsyncStream<any Channel>.makeStream()
        let server = try await ServerBootstrap(group: group).childChannelOption(.autoRead, value: false)
            .childChannelInitializer { channel in
                accept.yield(channel)
                return channel.eventLoop.makeSucceededVoidFuture()
            }
            .bind(host: "127.0.0.1", port: 0).get()
        let address = try #require(server.localAddress)
        let client = try await ClientBootstrap(group: group).connect(to: address).get()
        let channel = try #require(await accepted.first { _ in true })
        func hasUnread() async throws -> Bool {
            try await channel.eventLoop.submit { OpenConnections.hasUnread(channel) }.get()
        }
        #expect(try await !hasUnread())
        // Over the loopback interface, bytes that were sent have arrived.
        try await client.writeAndFlush(ByteBuffer(string: "GET")).get()
        #expect(try await hasUnread())
        channel.close(promise: nil)
        try await channel.closeFuture.get()
        #expect(try await !hasUnread())
        client.close(promise: nil)
        try await server.close().get()
    }
}
