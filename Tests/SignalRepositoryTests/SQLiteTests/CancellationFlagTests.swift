import Dispatch
import Testing

@testable import RepositoryCore
@testable import SignalRepository

@Suite("Cancelling") struct CancellationFlagTests {
    private static let endless =
        "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) SELECT count(*) FROM n"

    @Test("R10 an endless statement stops soon after another thread raises the flag")
    func stops() throws {
        let connection = try Memory(Box<Int>.self).connection
        let flag = CancellationFlag()
        let statement = try connection.prepare(Self.endless)
        DispatchQueue.global().async { flag.cancel() }
        let error = try thrown { () throws(RepositoryError) in
            try connection.withCancellation(flag) { () throws(RepositoryError) in try statement.step() }
        }
        guard case .cancelled = error else { return #expect(Bool(false), "\(error)") }
        #expect(try connection.integer("SELECT 5") == 5)
    }

    @Test("R10 a raised flag stops its own work and no later work")
    func ownWorkOnly() throws {
        let connection = try Memory(Box<Int>.self).connection
        let flag = CancellationFlag()
        flag.cancel()
        _ = try thrown { () throws(RepositoryError) in
            try connection.withCancellation(flag) { () throws(RepositoryError) in
                try connection.integer(Self.endless)
            }
        }
        let sql = "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n LIMIT 100000) SELECT count(*) FROM n"
        #expect(try connection.integer(sql) == 100_000)
    }

    @Test("R10 the flag of cancelled work does not stop the rollback")
    func rollback() throws {
        let connection = try Memory(Box<Int>.self).connection
        let flag = CancellationFlag()
        try connection.withCancellation(flag) { () throws(RepositoryError) in
            try connection.begin(.write)
            try connection.execute("INSERT INTO Box VALUES (1, 1)")
            flag.cancel()
            try connection.rollback()
        }
        #expect(!connection.isInTransaction)
        #expect(try connection.integer("SELECT count(*) FROM Box") == 0)
    }

    @Test("R10 a cancel ends the wait for another connection's lock, long before the timeout")
    func busy() throws {
        let folder = try TemporaryFolder()
        let store = try OpenedStore(.file(folder.file()), entities: [Box<Int>.self])
        let writer = try #require(store.writer)
        let other = try RawDatabase(folder.file())
        try other.run("BEGIN IMMEDIATE")
        let flag = CancellationFlag()
        DispatchQueue.global().async { flag.cancel() }
        let error = try thrown { () throws(RepositoryError) in
            try writer.withCancellation(flag) { () throws(RepositoryError) in try writer.begin(.write) }
        }
        guard case .busy = error else { return #expect(Bool(false), "\(error)") }
        try other.run("ROLLBACK")
        try writer.begin(.write)
        try writer.rollback()
    }
}
