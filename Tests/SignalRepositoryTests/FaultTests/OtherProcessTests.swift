import Foundation
import SignalRepository
import Signals
import SignalsTesting
import TestTraits
import Testing

@testable import SignalRepositoryPostgres

/// Several repositories on one store of a server, in one process and in two.
@Suite("R12 R14 R16 Other processes of a server", .timeLimit(.minutes(10))) struct OtherProcessTests {
    @Test("Two repositories in one process each have a slot, and receive every commit of both with its author")
    func two() async throws {
        let server = try TestServer(durableWith: "")
        let store = try server.store()
        let repositories = try (0..<2).map { _ in
            try PostgresRepository(store, entities: Film.self, liveSource: .replication)
        }
        for repository in repositories { await repository.streaming() }
        let plain = try PostgresConnection(store)
        let slots = "SELECT DISTINCT slot_name FROM pg_replication_slots WHERE temporary AND slot_name LIKE "
        #expect(try plain.rows(slots + "'signal_repository_\(getpid())_%'").count == 2)
        let changes = repositories.map { $0.changes(of: Film.self).record() }
        let sums = repositories.map { $0.sumSubscription(of: \Film.boxOffice).record() }
        for sum in sums { _ = await sum.values(1) }
        try await withThrowingTaskGroup(of: Void.self) { group in
            for (index, repository) in repositories.enumerated() {
                group.addTask {
                    for number in 0..<50 {
                        let film = Film.numbered(100 * index + number)
                        try await repository.authored(by: "\(index)").create(film).value()
                    }
                }
            }
            try await group.waitForAll()
        }
        for (sum, change) in zip(sums, changes) {
            #expect(await sum.last(where: { $0 == 7_450 }) == 7_450)
            let sets = await change.values(100)
            for index in 0..<2 {
                let films = try sets.filter { $0.author == "\(index)" }.flatMap { try $0.inserted(of: Film.self) }
                #expect(films == (0..<50).map { Film.numbered(100 * index + $0) })
            }
        }
        plain.close()
        for repository in repositories { await closed(repository) }
        #expect(try server.isLeft())
    }

    #if os(Linux)
        @Test(
            "A suspended process does not hold up the server; once it continues, it shows the current values",
            .prompt, .serialized, arguments: [false, true])
        func stopped(isEnded: Bool) async throws {
            let server = try TestServer(durableWith: isEnded ? "wal_sender_timeout = 1s" : "")
            let store = try server.store()
            let repository = try PostgresRepository(store, entities: Film.self, liveSource: .replication)
            await repository.streaming()
            let sums = repository.sumSubscription(of: \Film.boxOffice).record()
            let watched = repository.changes(of: Film.self).filter { $0.author == "watcher" }.record()
            try store.write(toFile: Watcher.path(getpid()), atomically: true, encoding: .utf8)
            defer { try? FileManager.default.removeItem(atPath: Watcher.path(getpid())) }
            let ended = Counter()
            async let other: Void = Self.watch(then: ended)
            await sums.values(until: { $0 == 1 })
            #expect(await watched.values(1).count == 1)
            let plain = try PostgresConnection(store)
            let slots = "SELECT split_part(slot_name, '_', 3)::bigint FROM pg_replication_slots WHERE active"
            let numbers = try plain.rows(slots).flatMap { $0 }.filter { $0 != .integer(Int64(getpid())) }
            guard case .integer(let number)? = numbers.first, numbers.count == 1 else {
                return #expect(Bool(false), "\(numbers)")
            }
            #expect(kill(pid_t(number), SIGSTOP) == 0)
            // Continues the process, so that it ends even if the test fails here.
            defer { kill(pid_t(number), SIGCONT) }
            for _ in 0..<10 {
                try plain.run(
                    "INSERT INTO \"Film\" SELECT gen_random_uuid(), repeat('x', 200), 0, 10000 "
                        + "FROM generate_series(1, 5000)")
                try plain.run("CHECKPOINT")
            }
            // The server drops a client that does not answer, and is not held up by it.
            while isEnded, try plain.rows(slots).contains([.integer(number)]) { await Task.yield() }
            #expect(await sums.last(where: { $0 == 50_001 }) == 50_001)
            try plain.run("CHECKPOINT")
            #expect(kill(pid_t(number), SIGCONT) == 0)
            try await repository.authored(by: "main").create(Film.numbered(2, title: "go on")).value()
            await sums.values(until: { $0 == 50_006 })
            #expect(await watched.values(2).count == 2)
            try await repository.authored(by: "main").create(Film.numbered(4)).value()
            #expect(await watched.values(3).count == 3)
            // Sooner or later, it receives changed rows again.
            var next = 100
            while ended.value == 0 {
                next += 1
                try await repository.authored(by: "main").create(Film.numbered(next)).value()
            }
            await other
            plain.close()
            await closed(repository)
            #expect(try server.isLeft())
        }

        private static func watch(then ended: Counter) async {
            await #expect(processExitsWith: .success) { try await Watcher().run() }
            ended.add()
        }
    #endif
}

/// The other process, which follows a store and reports its progress by creating films.
private struct Watcher {
    /// The file in which the parent process names the store.
    static func path(_ process: pid_t) -> String {
        FileManager.default.temporaryDirectory.appendingPathComponent("watched-\(process)").path
    }

    func run() async throws {
        let store = try String(contentsOfFile: Self.path(getppid()), encoding: .utf8)
        let repository = try PostgresRepository(store, entities: Film.self, liveSource: .replication)
        await repository.streaming()
        let sums = repository.sumSubscription(of: \Film.boxOffice).record()
        let goesOn = repository.countSubscription(Film.self) { $0.title == "go on" }.record()
        let changes = repository.changes(of: Film.self).record()
        _ = await (sums.values(1), goesOn.values(1))
        try await repository.authored(by: "watcher").create(Film.numbered(1)).value()
        // The process is suspended here.
        await goesOn.values(until: { $0 == 1 })
        #expect(await sums.last(where: { $0 == 50_003 }) == 50_003)
        await repository.streaming()
        try await repository.authored(by: "watcher").create(Film.numbered(3)).value()
        #expect(await sums.last(where: { $0 == 50_010 }) == 50_010)
        try await repository.authored(by: "watcher").create(Film.numbered(5)).value()
        func isTold(_ changes: ChangeSet) -> Bool { changes.author == "main" && changes.extent == .rows }
        #expect(await changes.values(until: isTold).contains(where: isTold))
        #expect(sums.breaches.isEmpty)
        #expect(changes.breaches.isEmpty)
        #expect(!changes.isEnded)
        await closed(repository)
    }
}
