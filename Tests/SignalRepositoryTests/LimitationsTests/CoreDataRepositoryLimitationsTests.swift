import Foundation
import SignalRepository
import Signals
import SignalsTesting
import Testing

/// None of CoreDataRepository's limitations exists here: a test for each states the rule that replaces it.
///
/// This file covers changes and the signals that report them.
@Suite("CoreDataRepositoryLimitations", .timeLimit(.minutes(10))) struct CoreDataRepositoryLimitations {
    @Test("R18 limitation 1: one endpoint follows a query with any condition", arguments: StoreKind.allCases)
    func anyCondition(kind: StoreKind) async throws {
        try await withRepository(kind, [Film.self, Measure.self]) { repository in
            try await repository.insert((1...4).map { Film.numbered($0, studio: "S\($0)") }).value()
            let done = Film.where {
                .raw(#"studio IN (SELECT text FROM "Measure" WHERE "isDone" <> 0)"#) && $0.boxOffice < 4
            }
            let films = repository.fetchSubscription(done.sorted(by: \.boxOffice, .descending).limit(1)).record()
            #expect(await films.values(1) == [[]])
            var random = SeededGenerator(seed: 18)
            for number in [2, 3, 4] {
                var measure = Measure.random(number, &random)
                (measure.text, measure.isDone) = ("S\(number)", true)
                try await repository.create(measure).value()
                if number < 4 { _ = await films.values(number) }
            }
            try await repository.delete(Measure.self, id: 3).value()
            let (two, three) = (Film.numbered(2, studio: "S2"), Film.numbered(3, studio: "S3"))
            #expect(await films.values(4) == [[], [two], [three], [two]])
            films.cancel()
        }
    }

    @Test("R18 limitation 2: a batch is one commit and one notification", arguments: StoreKind.allCases)
    func batches(kind: StoreKind) async throws {
        try await withRepository(kind) { repository in
            let films = repository.fetchSubscription(Film.where { $0.boxOffice > 0 }).map(\.count).record()
            let sums = repository.sumSubscription(of: \Film.boxOffice).record()
            _ = await (films.values(1), sums.values(1))
            try await repository.insert((1...3000).map { Film.numbered($0, boxOffice: 1) }).value()
            _ = await (films.values(2), sums.values(2))
            let early = Condition<Film> { $0.title < "Film 2" }
            let changed = try await repository.update(Film.self, set: [.set(\.boxOffice, to: 0)]) { _ in early }.value()
            _ = await (films.values(3), sums.values(3))
            try await repository.delete(Film.self) { _ in .true }.value()
            #expect(changed > 1000)
            #expect(await films.values(4) == [0, 3000, 3000 - changed, 0])
            #expect(await sums.values(4) == [0, 3000, Decimal(3000 - changed), 0])
            films.cancel()
            sums.cancel()
        }
    }

    @Test("R18 limitation 14: a value equal to the one before is not repeated", arguments: StoreKind.allCases)
    func repetition(kind: StoreKind) async throws {
        try await withRepository(kind) { repository in
            let films = repository.fetchSubscription(Film.where { $0.boxOffice < 5 }).record()
            let counts = repository.countSubscription(Film.self).record()
            _ = await (films.values(1), counts.values(1))
            for number in 10...15 {
                try await repository.create(Film.numbered(number)).value()
                _ = await counts.values(number - 8)
            }
            try await repository.update(Film.numbered(10, title: "Another")).value()
            try await repository.create(Film.numbered(1)).value()
            #expect(await films.values(2) == [[], [.numbered(1)]])
            #expect(await counts.values(8) == Array(0...7))
            films.cancel()
            counts.cancel()
        }
    }

    @Test("R18 limitation 15: nothing runs on the thread that attaches", arguments: StoreKind.allCases)
    func callersThread(kind: StoreKind) async throws {
        try await withRepository(kind) { repository in
            // On the attaching thread a body would wait forever: the gate opens only after the attach.
            let gate = Gate()
            let reading = repository.read { store in
                gate.wait()
                return try store.count(Film.self)
            }.record()
            let writing = repository.transaction { store in
                gate.wait()
                return try store.count(Film.self)
            }.record()
            let following = repository.follow(
                LiveQuery { store in
                    gate.wait()
                    return try store.count(Film.self)
                }
            ).map(\.value).record()
            #expect(reading.values.isEmpty && writing.values.isEmpty && following.values.isEmpty)
            for _ in 0..<3 { gate.open() }
            #expect(await reading.values(1) == [0])
            #expect(await writing.values(1) == [0])
            #expect(await following.values(1) == [0])
            following.cancel()
        }
    }

    @Test(
        "R18 limitation 16: readSubscription sends nil for a deleted item, and fails for one that cannot be decoded",
        arguments: StoreKind.allCases)
    func deletion(kind: StoreKind) async throws {
        try await withRepository(kind, [Measure.self]) { repository in
            let one = Measure.numbered(1)
            try await repository.create(one).value()
            let row = repository.readSubscription(Measure.self, id: 1).record()
            #expect(await row.values(1) == [one])
            try await repository.delete(Measure.self, id: 1).value()
            #expect(await row.values(2) == [one, nil])
            try await repository.create(one).value()
            #expect(await row.values(3) == [one, nil, one])
            try await repository.transaction { try $0.execute(Measure.spoil, 1) }.value()
            let end = await row.end()
            guard case .failure(.decoding(entity: "Measure", column: "small", _, _))? = end else {
                return #expect(Bool(false), "\(String(describing: end))")
            }
        }
    }

    @Test("R18 limitation 17: a slow sink has one value waiting, the latest", arguments: StoreKind.allCases)
    func slowSink(kind: StoreKind) async throws {
        try await withRepository(kind) { repository in
            let quick = repository.countSubscription(Film.self).record()
            let slow = repository.countSubscription(Film.self).record(demand: .max(1))
            _ = await (quick.values(1), slow.values(1))
            for number in 1...50 {
                try await repository.create(Film.numbered(number)).value()
                _ = await quick.values(number + 1)
            }
            // The pass that sent 50 to the quick sink may not have reached the slow one yet.
            slow.request(.unlimited)
            try await repository.create(Film.numbered(51)).value()
            await slow.values(until: { $0 == 51 })
            #expect(slow.values.first == 0 && slow.values.dropFirst().allSatisfy { $0 >= 49 })
            #expect(slow.breaches.isEmpty)
            quick.cancel()
            slow.cancel()
        }
    }

    @Test("R18 limitation 19: a commit by another connection is noticed")
    func others() async throws {
        let folder = try TemporaryFolder()
        var configuration = RepositoryConfiguration()
        configuration.watchInterval = .milliseconds(10)
        let repository = try SQLiteRepository(.file(folder.file()), entities: Film.self, configuration: configuration)
        let films = repository.fetchSubscription(Film.all).map { $0.map(\.title) }.record()
        let counts = repository.countSubscription(Film.self).record()
        let film = repository.readSubscription(Film.self, id: Film.id(1)).map { $0?.title }.record()
        _ = await (films.values(1), counts.values(1), film.values(1))
        let other = try RawDatabase(folder.file())
        let id = String(repeating: "0", count: 30) + "01"
        try other.run("INSERT INTO Film VALUES (x'\(id)', 'by another', 0.0, 10000, NULL)")
        #expect(await films.values(2) == [[], ["by another"]])
        #expect(await counts.values(2) == [0, 1])
        #expect(await film.values(2) == [nil, "by another"])
        other.close()
        await closed(repository)
    }

    @Test(
        "R18 limitation 21: a fetch needs no order, and bad input is a failure of the signal",
        arguments: StoreKind.allCases)
    func badInput(kind: StoreKind) async throws {
        try await withRepository(kind) { repository in
            try await repository.insert((1...3).map { Film.numbered($0) }).value()
            #expect(try await repository.fetch(Film.all).value().count == 3)
            let films = repository.fetchSubscription(Film.all).record()
            #expect(await films.values(1).map(\.count) == [3])
            films.cancel()
            let bad = Condition<Film>.raw("no such column")
            await expectFailure(\.isMisuse) { try await repository.fetch(Film.where(bad)).value() }
            await expectFailure(\.isMisuse) { try await repository.fetchSubscription(Film.where(bad)).value() }
            await expectFailure(\.isMisuse) { try await repository.countSubscription(Film.self) { _ in bad }.value() }
            await expectFailure(\.isMisuse) {
                try await repository.aggregateSubscription(.sum, of: \Film.boxOffice, groupedBy: \.studio) { _ in bad }
                    .value()
            }
            #expect(try await repository.count(Film.self).value() == 3)
        }
    }

    @Test("R18 limitation 22: every endpoint is a signal, on every platform that runs this test")
    func signals() async throws {
        try await withRepository(.file) { repository in
            let written: Signal<Film, RepositoryError> = repository.create(Film.numbered(1))
            let many: Signal<Int, RepositoryError> = repository.insert([Film.numbered(2), .numbered(3)])
            let counted: Signal<Int, RepositoryError> = repository.countSubscription(Film.self)
            let found: Signal<[Film], RepositoryError> = repository.fetch(Film.where { $0.boxOffice > 1 })
            let titles = written.flatMap { _ in many }.flatMap { _ in found }.map { $0.map(\.title).sorted() }
            let (first, text) = (try await titles.value(), counted.filter { $0 == 3 }.map { "\($0) films" })
            #expect(first == ["Film 2", "Film 3"])
            #expect(try await text.value() == "3 films")
        }
    }
}
