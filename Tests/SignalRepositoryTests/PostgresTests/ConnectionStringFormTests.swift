import SignalRepository
import Testing

@testable import SignalRepositoryPostgres

/// The connection strings that are accepted, without a server.
@Suite("The forms of a connection string") struct ConnectionStringFormTests {
    @Test(
        "Each form of an address is accepted",
        arguments: [
            "", "host=films.example", "host=one,two port=5432,", "port=65535", "port=,1", "hostaddr=::1",
            "hostaddr=127.0.0.1", "host=fe80::1%eth0", "host=/a:b@c", "host=films.example,/tmp",
            "postgresql://films.example", "postgres://", "postgresql:///films", "postgresql://me@films.example/films",
            "postgresql://me@films.example/films?application_name=a@b",
        ])
    func taken(text: String) {
        #expect(throws: Never.self) { try ConnectionString(text) }
    }

    @Test(
        "An invalid port, and a host with an invalid character, are refused",
        arguments: ["port=0", "port=65536", "port=-1", "port=1,0", "host=me@films", "host=films.example:5432"])
    func refused(text: String) throws {
        let error = try thrown { () throws(RepositoryError) in try ConnectionString(text) }
        guard case .cannotOpen(_, let reason) = error else { return #expect(Bool(false), "\(error)") }
        #expect(reason.hasPrefix("the connection string is not valid: "), "\(reason)")
    }
}
