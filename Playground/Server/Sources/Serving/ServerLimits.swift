import Hummingbird
import HummingbirdCore
import Logging
import NIOCore
import ServiceLifecycle

/// The bounds within which a server works, whatever its clients do.
public struct ServerLimits: Sendable {
    /// How many connections are open at once, and never more than a third of the process's limit of open files.
    ///
    /// Another one takes the place of the one that has waited longest for its client. While all are being answered,
    /// half as many more are accepted.
    public var connections = 200
    /// How many of them, and at most half, may be streams of events; other streams are refused with 503.
    public var streams = 100
    /// How long a connection may say nothing before a request, or within one.
    public var silence = Duration.seconds(20)
    /// How long a request may take to arrive as a whole.
    public var arrival = Duration.seconds(120)
    /// How long a client may leave a full buffer unread.
    public var unread = Duration.seconds(30)
    /// How long a shutdown may take.
    public var shutdown = Duration.seconds(5)

    /// Makes the limits of a server for some dozens of people.
    public init() {}

    /// Makes a server with some routes; `started` receives its port as soon as it listens.
    public func application<Context: RequestContext>(
        _ router: Router<Context>, at address: ServerAddress, logger: Logger? = nil,
        started: @escaping @Sendable (Int) -> Void = { _ in }
    ) -> some ApplicationProtocol where Context.Source == ApplicationRequestContextSource {
        let open = OpenConnections(most: connections)
        return Application(
            router: router,
            server: .http1(
                configuration: .init(
                    additionalChannelHandlers: [SlowClients(open, arrival: arrival, unread: unread)],
                    idleTimeout: TimeAmount(silence))),
            configuration: ApplicationConfiguration(
                address: .hostname(address.host, port: address.port),
                availableConnectionsDelegate: open.limit),
            onServerRunning: { channel in started(channel.localAddress?.port ?? address.port) }, logger: logger)
    }

    /// Adds to a group of services what ends its shutdown in time: open requests are cancelled shortly before the
    /// limit, and `overtime` is called at the limit if that was not enough.
    public func bound(_ configuration: inout ServiceGroupConfiguration, overtime: @escaping @Sendable () -> Void) {
        configuration.services.append(.init(service: ShutdownLimit(shutdown, overtime: overtime)))
        configuration.maximumGracefulShutdownDuration = shutdown * 0.8
    }
}
