import Foundation
import Testing

@testable import RepositoryCore
@testable import SignalRepository

@Suite("The writer") struct SQLiteWriterTests {
    private final class Reader: LogReader {
        func wake() {}
        func logClosed() {}
    }

    private struct Stop: Error {}

    @Test("The captured rows of a rolled-back transaction are released")
    func discarded() throws {
        let log = CommitLog()
        let reader = Reader()
        #expect(log.subscribe(reader, capturing: .all))
        let connection = try Memory(Film.self).connection
        let writer = SQLiteWriter(connection, checkpointBound: nil, now: { Date() })
        let transaction = WriteTransaction(writer.session, CancellationFlag(), author: nil)
        var captured = 0
        let result = writer.perform(transaction, log: log) { store in
            try store.insert((0..<10).map { Film.numbered($0) })
            captured = Self.captured(by: connection)
            throw Stop()
        }
        guard case .failure(.rolledBack) = result else { return #expect(Bool(false), "\(result)") }
        #expect(captured == 10)
        #expect(Self.captured(by: connection) == 0)
        writer.close()
    }

    private static func captured(by connection: Connection) -> Int {
        let capture = connection.hooks as? ChangeCapture
        return capture?.rows.journal.net()["Film"]?.changes.count ?? 0
    }
}
