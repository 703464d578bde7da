import Foundation
import SignalRepository
import Signals
import SignalsTesting
import TestTraits
import Testing

@testable import SignalRepositoryPostgres

/// A server that goes away, ends connections, or is full.
@Suite("R12 A server that fails", .timeLimit(.minutes(10))) struct ServerFaultTests {
    @Test(
        "R4 R12 R14 While a server is stopped, work fails as .io; once it has started, live signals go on",
        arguments: [LiveSource.replication, .notifications])
    func restart(_ source: LiveSource) async throws {
        let server = try TestServer(durableWith: "")
        let store = try server.store()
        let repository = try PostgresRepository(store, entities: Film.self, liveSource: source)
        let reader = try PostgresRepository(
            store, entities: Film.self, liveSource: source, configuration: RepositoryConfiguration(access: .readOnly))
        let counts = repository.countSubscription(Film.self).record()
        let received = reader.countSubscription(Film.self).record()
        _ = await (counts.values(1), received.values(1))
        try await repository.create(Film.numbered(0)).value()
        #expect(try await repository.count(Film.self).value() == 1)
        for (index, mode) in ["fast", "immediate", "fast"].enumerated() {
            try server.stop(mode)
            await expectFailure(\.isIO) { try await repository.create(Film.numbered(90)).value() }
            await expectFailure(\.isIO) {
                try await repository.transaction { try $0.create(Film.numbered(91)) }.value()
            }
            await expectFailure(\.isIO) { try await repository.count(Film.self).value() }
            await expectFailure(\.isIO) { try await repository.stream(Film.all).value() }
            let late = repository.countSubscription(Film.self).record()
            try server.start()
            // The first request on each connection succeeds at once.
            #expect(try await reader.count(Film.self).value() == index + 1)
            #expect(try await repository.count(Film.self).value() == index + 1)
            try await repository.transaction { try $0.create(Film.numbered(index + 1)) }.value()
            await counts.values(until: { $0 == index + 2 })
            await received.values(until: { $0 == index + 2 })
            await late.values(until: { $0 == index + 2 })
            late.cancel()
        }
        #expect(counts.values == [0, 1, 2, 3, 4] && received.values.last == 4)
        #expect(!counts.isEnded && !received.isEnded && counts.breaches.isEmpty && received.breaches.isEmpty)
        await closed(repository)
        await closed(reader)
        #expect(try server.isLeft())
    }

    @Test(
        "R4 R12 R14 If connections of three writers end at random, nothing is lost and nothing is done twice",
        arguments: [LiveSource.replication, .notifications])
    func terminated(_ source: LiveSource) async throws {
        let server = try TestServer(durableWith: "")
        let store = try server.store()
        let repositories = try (0..<3).map { _ in
            try PostgresRepository(
                store, entities: Film.self, Box<Int>.self, liveSource: source, configuration: Self.patient)
        }
        try await repositories[0].create(Box(id: 1, value: 0)).value()
        let sums = repositories.map { $0.sumSubscription(of: \Film.boxOffice).record() }
        for sum in sums { _ = await sum.values(1) }
        try await withThrowingTaskGroup(of: Void.self) { group in
            for (index, repository) in repositories.enumerated() {
                group.addTask {
                    for number in 0..<40 {
                        try await Self.store(Film.numbered(index * 100 + number), in: repository)
                        if number % 3 == index { try? server.endSomeConnection() }
                    }
                }
            }
            try await group.waitForAll()
        }
        let numbers = (0..<3).flatMap { index in (0..<40).map { index * 100 + $0 } }
        let total = Decimal(numbers.reduce(0, +))
        let films = try await repositories[1].fetch(Film.all.sorted(by: \.id)).value()
        #expect(films == numbers.map { Film.numbered($0) })
        // Each film was counted in its own transaction.
        #expect(try await repositories[2].read(Box<Int>.self, id: 1).value().value == numbers.count)
        for (sum, repository) in zip(sums, repositories) {
            await sum.values(until: { $0 == total })
            #expect(sum.values.last == total && sum.breaches.isEmpty && !sum.isEnded)
            await closed(repository)
        }
        #expect(try server.isLeft())
    }

    private static var patient: RepositoryConfiguration {
        var configuration = RepositoryConfiguration()
        configuration.lockTimeout = .seconds(60)
        return configuration
    }

    /// Stores a film and counts it, however many connections are lost; reads the film if the outcome is unknown.
    private static func store(_ film: Film, in repository: PostgresRepository) async throws {
        var isStored = false
        while !isStored {
            let error = await Self.error { try await Self.count(film, in: repository) }
            if let error, !error.isIO, !error.isOutcomeUnknown { throw error }
            isStored = error == nil
            while error?.isOutcomeUnknown == true {
                guard let count = try? await repository.count(Film.where { $0.id == film.id }).value() else { continue }
                isStored = count == 1
                break
            }
        }
    }

    private static func increment(in repository: PostgresRepository) async throws {
        try await repository.transaction { store in
            let count = try store.read(Box<Int>.self, id: 1).value
            try store.update(Box(id: 1, value: count + 1))
        }.value()
    }

    private static func count(_ film: Film, in repository: PostgresRepository) async throws {
        try await repository.transaction { store in
            try store.create(film)
            let count = try store.read(Box<Int>.self, id: 1).value
            try store.update(Box(id: 1, value: count + 1))
        }.value()
    }

    /// Returns the error of the work; `nil` if it succeeds.
    private static func error(_ body: () async throws -> Void) async -> RepositoryError? {
        do {
            try await body()
            return nil
        } catch {
            return error as? RepositoryError
        }
    }

    @Test("R12 A full server refuses opening and reading with typed errors, and works once it has free connections")
    func full() async throws {
        let server = try TestServer(durableWith: "max_connections = 8\nsuperuser_reserved_connections = 1")
        let store = try server.store()
        var others = Self.fill(server)
        let error = try thrown { () throws(RepositoryError) in try PostgresRepository(store, entities: Film.self) }
        #expect(error.isCannotOpen, "\(error)")
        others.removeLast(2)
        var opened: PostgresRepository?
        while opened == nil { opened = try? PostgresRepository(store, entities: Film.self) }
        let repository = try #require(opened)
        others += Self.fill(server)
        // The writer has its connection, and a reader gets none.
        try await repository.create(Film.numbered(1)).value()
        await expectFailure(\.isIO) { try await repository.count(Film.self).value() }
        let counts = repository.countSubscription(Film.self).record()
        others = []
        // A server notices a moment later that a connection was closed.
        var count: Int?
        while count == nil { count = try? await repository.count(Film.self).value() }
        #expect(count == 1)
        #expect(await counts.values(1) == [1])
        await closed(repository)
        #expect(try server.isLeft())
    }

    /// Takes every free connection.
    private static func fill(_ server: TestServer) -> [PostgresConnection] {
        var connections: [PostgresConnection] = []
        while let connection = try? PostgresConnection(server.parameters) { connections.append(connection) }
        return connections
    }

    @Test("R12 R16 Ten writers that change one row: each succeeds, or fails as .busy")
    func conflict() async throws {
        let store = try TestServer.shared.get().store()
        let repositories = try (0..<10).map { _ in
            try PostgresRepository(store, entities: Box<Int>.self, configuration: Self.patient)
        }
        try await repositories[0].create(Box(id: 1, value: 0)).value()
        let done = Counter()
        try await withThrowingTaskGroup(of: Void.self) { group in
            for repository in repositories {
                group.addTask {
                    for _ in 0..<10 {
                        let error = await Self.error { try await Self.increment(in: repository) }
                        if case nil = error { done.add() }
                        if let error, case .busy = error { continue }
                        if let error { throw error }
                    }
                }
            }
            try await group.waitForAll()
        }
        #expect(try await repositories[3].read(Box<Int>.self, id: 1).value().value == done.value)
        #expect(done.value > 0)
        for repository in repositories { await closed(repository) }
    }

    #if os(Linux)
        @Test(
            "R11 R12 Restarts and lost connections leak no descriptors and no threads",
            .prompt)
        func resources() async {
            await #expect(processExitsWith: .exitCode(7)) { try await Self.comeAndGo() }
        }
    #endif

    /// Opens, disturbs and closes repositories in its own process, and counts the resources that are left.
    private static func comeAndGo() async throws {
        let server = try TestServer(durableWith: "")
        let store = try server.store()
        var held = try HeldByProcess.now()
        for round in 0..<12 {
            let repository = try PostgresRepository(store, entities: Film.self)
            let counts = repository.countSubscription(Film.self).record()
            _ = await counts.values(1)
            for number in 0..<3 {
                _ = try? await repository.upsert(Film.numbered(number)).value()
                _ = try? await repository.count(Film.self).value()
                try server.endSomeConnection()
            }
            if round % 4 == 1 {
                try server.stop("immediate")
                _ = try? await repository.count(Film.self).value()
                // Every other one is closed while the server is stopped.
                if round % 8 == 1 { try server.start() }
            }
            await closed(repository)
            counts.cancel()
            if round % 8 == 5 { try server.start() }
            guard try server.isLeft() else { _exit(2) }
            if round == 1 { held = try .now() }
        }
        let left = try HeldByProcess.now()
        guard left.descriptors <= held.descriptors else { _exit(3) }
        // System threads come and go; one leaked thread per repository would be ten.
        guard left.threads < held.threads + 8 else { _exit(4) }
        _exit(7)
    }
}
