import FilmServer
import Foundation
import Logging
import MetricsTestKit
import ServiceLifecycle
import SignalRepository
import SignalRepositoryLifecycle
import SignalRepositoryLogging
import SignalRepositoryMetrics
import Testing

@Suite("Adapters for logs, metrics and shutdowns") struct AdapterTests {
    private static let film = Film(id: UUID(), title: "secret", boxOffice: 1)

    @Test("Statements are logged and measured, without values")
    func statements() async throws {
        let (lines, metrics) = (Lines(), TestMetrics())
        let logger = lines.logger()
        var configuration = RepositoryConfiguration()
        configuration.statementLog = .recording(as: "films", factory: metrics).and(.logging(to: logger))
        let repository = try SQLiteRepository(.inMemory, entities: Film.self, configuration: configuration)
        try await repository.create(Self.film).value()
        let hits = try await repository.fetch(Film.where { $0.title == "secret" }).value()
        #expect(hits.count == 1)
        let (selected, isReported) = AsyncStream<Void>.makeStream()
        // Not a statement of the opening. The statements that stored the film were reported before this one.
        lines.whenNext({ $0.metadata["sql"]?.contains(#"FROM "Film" WHERE"#) == true && $0.metadata["rows"] == "1" }) {
            isReported.yield()
        }
        await selected.first { _ in true }
        #expect(lines.all.allSatisfy { $0.message == "statement" && $0.level == .debug })
        #expect(lines.all.contains { $0.metadata["sql"]?.contains("INSERT") == true })
        #expect(lines.all.allSatisfy { $0.metadata["milliseconds"].flatMap(Int.init) != nil })
        #expect(!"\(lines.all)".contains("secret"))
        #expect(try metrics.expectTimer("films.statement.duration").values.count >= lines.all.count)
        #expect(try metrics.expectCounter("films.statement.rows").values.contains(1))
        await repository.close().value()
    }

    @Test("The state of live queries is recorded")
    func statistics() async throws {
        let metrics = TestMetrics()
        let repository = try SQLiteRepository(.inMemory, entities: Film.self)
        var counts = repository.countSubscription(Film.self).values.makeAsyncIterator()
        #expect(try await counts.next() == 0)
        try await repository.create(Self.film).value()
        #expect(try await counts.next() == 1)
        repository.statistics.record(as: "films", factory: metrics)
        for (name, value) in [
            ("subscriptions", 1.0), ("queries", 1), ("firstReads", 1), ("updatedInPlace", 1), ("reread", 0),
        ] {
            #expect(try metrics.expectGauge("films.live.\(name)").values == [value], "\(name)")
        }
        await repository.close().value()
    }

    @Test("A signal is logged when it is attached, ends, fails and is cancelled, each time, without its values")
    func signals() throws {
        struct Odd: Error {}
        let lines = Lines()
        let finished = Signal<String, Never>.sequence(["secret", "secret"]).log("a", to: lines.logger(), level: .info)
        for _ in 0..<2 { finished.sink { _ in }.cancel() }
        _ = Signal<Int, Odd>.fail(Odd()).log("b", to: lines.logger()).sink(onValue: { _ in }, onCompletion: { _ in })
        Signal<Int, Never>.never().log("c", to: lines.logger()).sink { _ in }.cancel()
        let told = lines.all.map {
            "\($0.level) \($0.metadata["signal"] ?? "") \($0.message) \($0.metadata["values"] ?? "")"
        }
        #expect(
            told == [
                "info a attached ", "info a finished 2", "info a attached ", "info a finished 2", "debug b attached ",
                "error b failed 0", "debug c attached ", "debug c cancelled 0",
            ])
        #expect(lines.all.first { $0.message == "failed" }?.metadata["error"] == "Odd()")
        #expect(!"\(lines.all)".contains("secret"))
    }

    @Test("A repository is closed when its group shuts down, after its users; a signal is followed until then")
    func lifecycle() async throws {
        let repository = try SQLiteRepository(.inMemory, entities: Film.self)
        let (heard, isReported) = AsyncStream<Int>.makeStream()
        let follower = SignalService(repository.countSubscription(Film.self)) { count in isReported.yield(count) }
        let group = ServiceGroup(services: [RepositoryService(repository), follower], logger: Lines().logger())
        try await withThrowingTaskGroup(of: Void.self) { tasks in
            tasks.addTask { try await group.run() }
            var counts = heard.makeAsyncIterator()
            #expect(await counts.next() == 0)
            try await repository.create(Self.film).value()
            #expect(await counts.next() == 1)
            await group.triggerGracefulShutdown()
            try await tasks.waitForAll()
        }
        await #expect(throws: RepositoryError.closed) { try await repository.count(Film.self).value() }
    }

    @Test("A signal that fails ends its group; one that finishes waits for the shutdown")
    func ends() async throws {
        struct Odd: Error {}
        let failing = ServiceGroup(
            services: [SignalService(Signal<Int, Odd>.fail(Odd())) { _ in }], logger: Lines().logger())
        await #expect(throws: Odd.self) { try await failing.run() }
        let (heard, isReported) = AsyncStream<Int>.makeStream()
        let finishing = ServiceGroup(
            services: [SignalService(Signal<Int, Never>.just(1)) { isReported.yield($0) }], logger: Lines().logger())
        try await withThrowingTaskGroup(of: Void.self) { tasks in
            tasks.addTask { try await finishing.run() }
            #expect(await heard.first { _ in true } == 1)
            await finishing.triggerGracefulShutdown()
            try await tasks.waitForAll()
        }
    }
}
