import Hummingbird
import HummingbirdCore
import Logging
import NIOCore
import ServiceLifecycle

/// The limits of a server, whatever its clients do.
public struct ServerLimits: Sendable {
    /// The maximum number of open connections, never more than a third of the process's limit of open files.
    ///
    /// One more replaces the connection that has waited longest for its client. While all are being answered, half as
    /// many more are accepted.
    public var connections = 200
    /// The maximum number of event streams, never more than half of the connections; more are refused with 503.
    public var streams = 100
    /// How long a client may be silent before or within a request.
    public var silence = Duration.seconds(20)
    /// How long a whole request may take to arrive.
    public var arrival = Duration.seconds(120)
    /// How long a client may leave a full buffer unread.
    public var unread = Duration.seconds(30)
    /// How long a shutdown may take.
    public var shutdown = Duration.seconds(5)

    /// Creates limits for a server with a few dozen users.
    public init() {}

    /// Creates a server with some routes; `started` receives its port as soon as it listens.
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

    /// Limits the shutdown of a group of services.
    ///
    /// Open requests are cancelled shortly before the limit, and `overtime` is called at the limit if that was not
    /// enough.
    public func bound(_ configuration: inout ServiceGroupConfiguration, overtime: @escaping @Sendable () -> Void) {
        configuration.services.append(.init(service: ShutdownLimit(shutdown, overtime: overtime)))
        configuration.maximumGracefulShutdownDuration = shutdown * 0.8
    }
}
