import SignalRepository
import Signals
import Synchronization
import Testing

@Suite("The statement log", .timeLimit(.minutes(10))) struct StatementLogTests {
    /// The reports of a log, and a way to wait for them.
    private final class Reports: Sendable {
        let stream: AsyncStream<StatementReport>
        let add: @Sendable (StatementReport) -> Void

        init() {
            let (stream, continuation) = AsyncStream<StatementReport>.makeStream()
            self.stream = stream
            add = { continuation.yield($0) }
        }

        func first(where isWanted: (StatementReport) -> Bool) async -> StatementReport? {
            for await report in stream where isWanted(report) { return report }
            return nil
        }
    }

    @Test("The log reports text, time and rows, and never a value", arguments: StoreKind.allCases)
    func reports(kind: StoreKind) async throws {
        let reports = Reports()
        var configuration = RepositoryConfiguration()
        configuration.statementLog = StatementLog { reports.add($0) }
        try await withRepository(kind, configuration: configuration) { repository in
            try await repository.insert((0..<7).map { Film.numbered($0, title: "secret") }).value()
            #expect(try await repository.fetch(Film.where { $0.title == "secret" }).value().count == 7)
            let report = await reports.first { $0.sql.hasPrefix("SELECT \"") && $0.rows == 7 }
            let found = try #require(report)
            let place = kind == .postgres ? "$1" : "?"
            #expect(found.sql.contains("\"title\" = \(place)") && !found.sql.contains("secret"), "\(found.sql)")
            #expect(found.duration >= .zero && found.duration < .seconds(60))
        }
    }

    @Test("Faster statements are not reported", arguments: StoreKind.allCases)
    func threshold(kind: StoreKind) async throws {
        let count = Atomic(0)
        var configuration = RepositoryConfiguration()
        configuration.statementLog = StatementLog(slowerThan: .seconds(3600)) { _ in
            count.wrappingAdd(1, ordering: .relaxed)
        }
        try await withRepository(kind, configuration: configuration) { repository in
            try await repository.insert((0..<7).map { Film.numbered($0) }).value()
        }
        #expect(count.load(ordering: .relaxed) == 0)
    }
}
