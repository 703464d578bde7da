import Foundation
import TestTraits
import Testing

@testable import RepositoryCore
@testable import SignalRepository

@Suite("Transactions of a connection") struct ConnectionTransactionsTests {
    @Test("Rolling back a savepoint undoes only its own part")
    func savepoints() throws {
        let connection = try Memory(Box<Int>.self).connection
        try connection.begin(.write)
        try connection.execute("INSERT INTO Box VALUES (1, 1)")
        try connection.savepoint(.begin, depth: 1)
        try connection.execute("INSERT INTO Box VALUES (2, 2)")
        try connection.savepoint(.rollback, depth: 1)
        try connection.savepoint(.begin, depth: 1)
        try connection.execute("INSERT INTO Box VALUES (3, 3)")
        try connection.savepoint(.release, depth: 1)
        try connection.commit()
        #expect(try connection.rows("SELECT id FROM Box") == [[.integer(1)], [.integer(3)]])
        #expect(!connection.isInTransaction)
    }

    @Test("A read transaction keeps the state that it began with")
    func snapshot() throws {
        let folder = try TemporaryFolder()
        let store = try OpenedStore(.file(folder.file()), entities: [Box<Int>.self])
        let writer = try #require(store.writer)
        let reader = try store.makeReader()
        try reader.begin(.read)
        #expect(try reader.integer("SELECT count(*) FROM Box") == 0)
        let version = try reader.dataVersion()
        try writer.execute("INSERT INTO Box VALUES (1, 1)")
        #expect(try reader.integer("SELECT count(*) FROM Box") == 0)
        try reader.rollback()
        #expect(try reader.integer("SELECT count(*) FROM Box") == 1)
        #expect(try reader.dataVersion() != version)
    }

    @Test("A commit that a foreign key refuses is a constraint error, and no transaction stays open")
    func refusedCommit() throws {
        let connection = try Connection(path: ":memory:", options: ConnectionOptions())
        try connection.execute("CREATE TABLE P (id INTEGER PRIMARY KEY)")
        try connection.execute("CREATE TABLE C (p REFERENCES P DEFERRABLE INITIALLY DEFERRED)")
        try connection.begin(.write)
        try connection.execute("INSERT INTO C VALUES (1)")
        let error = try thrown { () throws(RepositoryError) in try connection.commit() }
        guard case .constraint(.foreignKey, _, _, _) = error else { return #expect(Bool(false), "\(error)") }
        #expect(!connection.isInTransaction)
        #expect(try connection.integer("SELECT count(*) FROM C") == 0)
    }

    @Test("A connection that is released during a transaction rolls it back")
    func released() throws {
        let folder = try TemporaryFolder()
        do {
            let store = try OpenedStore(.file(folder.file()), entities: [Box<Int>.self])
            let writer = try #require(store.writer)
            try writer.begin(.write)
            try writer.execute("INSERT INTO Box VALUES (1, 1)")
        }
        let store = try OpenedStore(.file(folder.file()), entities: [Box<Int>.self])
        #expect(try store.writer?.integer("SELECT count(*) FROM Box") == 0)
    }

    @Test("R12 a commit that the system cannot finish has an unknown outcome", .prompt)
    func unknownOutcome() async {
        await #expect(processExitsWith: .success) {
            // In a separate process, because the limit on file sizes applies to a whole process.
            let folder = try TemporaryFolder()
            let store = try OpenedStore(.file(folder.file()), entities: [Box<Data>.self])
            let writer = try #require(store.writer)
            limitFileSize(to: 100_000)
            try writer.begin(.write)
            try writer.execute("INSERT INTO Box VALUES (1, zeroblob(500000))")
            let error = try thrown { () throws(RepositoryError) in try writer.commit() }
            guard case .commitOutcomeUnknown(let diagnosis) = error else { return #expect(Bool(false), "\(error)") }
            #expect(diagnosis.resultCode != diagnosis.resultCode?.primary)
            #expect(!writer.isInTransaction)
            limitFileSize(to: 1_000_000_000)
            #expect(try writer.integer("SELECT count(*) FROM Box") == 0)
            try writer.execute("INSERT INTO Box VALUES (2, zeroblob(500000))")
        }
    }
}
