import CPostgres
import Foundation

// Connecting to a server, and checking whether it answers.
extension PostgresConnection {
    /// Connects to a server.
    ///
    /// Connecting to an address fails after ten seconds. An open connection fails if nothing arrives from the server's
    /// machine for twenty seconds, not even answers to TCP keepalive probes. `parameters` can change both limits, and
    /// the environment variable `PGCONNECT_TIMEOUT` the first one.
    static func connected(_ parameters: String, isReplicating: Bool = false) -> OpaquePointer? {
        withOptions(parameters, isReplicating: isReplicating) { names, values in PQconnectdbParams(names, values, 1) }
    }

    /// Whether the server of a connection answers a ping; false if the server or the network is frozen.
    static func answers(_ parameters: String, asOf handle: OpaquePointer) -> Bool {
        // The parameters may name several servers, so the ping goes to the address of this connection.
        let address = [("host", PQhost(handle)), ("hostaddr", PQhostaddr(handle)), ("port", PQport(handle))]
        let own = address.compactMap { name, value in value.map { (name, String(cString: $0)) } }
        return ping(parameters, own) != PQPING_NO_RESPONSE
    }

    /// Whether a server that has refused a connection accepts connections at present.
    static func accepts(_ parameters: String) -> Bool { ping(parameters) == PQPING_OK }

    private static func ping(_ parameters: String, _ address: [(String, String)] = []) -> PGPing {
        withOptions(parameters, address) { names, values in PQpingParams(names, values, 1) }
    }

    private typealias Words = [UnsafePointer<CChar>?]

    private static func withOptions<Output>(
        _ parameters: String, _ address: [(String, String)] = [], isReplicating: Bool = false,
        _ body: (Words, Words) -> Output
    ) -> Output {
        // The connection string, passed as `dbname`, can override the options before it.
        var options = [
            ("keepalives_idle", "10"), ("keepalives_interval", "5"), ("keepalives_count", "2"),
            ("tcp_user_timeout", "20000"), ("dbname", parameters),
        ]
        if ProcessInfo.processInfo.environment["PGCONNECT_TIMEOUT"] == nil {
            options.insert(("connect_timeout", "10"), at: 0)
        }
        options += address
        // A stream sends texts in the encoding of its connection, which no statement can set.
        if isReplicating { options += [("replication", "database"), ("client_encoding", "UTF8")] }
        let (names, values) = (options.map { strdup($0.0) }, options.map { strdup($0.1) })
        defer { for text in names + values { free(text) } }
        return body(names.map { UnsafePointer($0) } + [nil], values.map { UnsafePointer($0) } + [nil])
    }

    static func address(of handle: OpaquePointer?) -> String {
        func text(_ value: UnsafeMutablePointer<CChar>?) -> String { value.map { String(cString: $0) } ?? "" }
        guard let handle else { return "PostgreSQL" }
        let (host, port, name) = (text(PQhost(handle)), text(PQport(handle)), text(PQdb(handle)))
        return "postgresql://\(host):\(port)/\(name)"
    }
}
