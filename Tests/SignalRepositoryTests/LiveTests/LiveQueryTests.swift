import Foundation
import SignalRepository
import Signals
import SignalsTesting
import Testing

@Suite("Live signals", .timeLimit(.minutes(10))) struct LiveQueryTests {
    @Test("R3 R7 The first value comes once, then one for each change", arguments: StoreKind.allCases)
    func values(kind: StoreKind) async throws {
        try await withRepository(kind) { repository in
            try await repository.create(Film.numbered(1)).value()
            let films = repository.fetchSubscription(Film.where { $0.boxOffice < 5 }).record()
            #expect(await films.values(1) == [[.numbered(1)]])
            try await repository.create(Film.numbered(2)).value()
            _ = await films.values(2)
            try await repository.create(Film.numbered(7)).value()
            try await repository.update(Film.numbered(1)).value()
            try await repository.delete(Film.numbered(1)).value()
            #expect(await films.values(3) == [[.numbered(1)], [.numbered(1), .numbered(2)], [.numbered(2)]])
            #expect(films.breaches.isEmpty)
            films.cancel()
        }
    }

    @Test("R3 No change falls between the first value and the next", arguments: StoreKind.allCases)
    func noGap(kind: StoreKind) async throws {
        try await withRepository(kind) { repository in
            let total = 300
            let writes = Task {
                for number in 1...total { _ = try await repository.create(Film.numbered(number)).value() }
            }
            let counts = (0..<40).map { _ in repository.countSubscription(Film.self).record() }
            let last = repository.countSubscription(Film.self).filter { $0 == total }.prefix(1).record()
            try await writes.value
            _ = await last.end()
            for recorder in counts {
                await recorder.values(until: { $0 == total })
                #expect(recorder.values == recorder.values.sorted())
                #expect(Set(recorder.values).count == recorder.values.count)
                recorder.cancel()
            }
        }
    }

    @Test("R5 A roll-back emits nothing, and no state in between is ever seen", arguments: StoreKind.allCases)
    func rollBack(kind: StoreKind) async throws {
        struct Mine: Error {}
        try await withRepository(kind) { repository in
            let counts = repository.countSubscription(Film.self).record()
            _ = await counts.values(1)
            let failing: Signal<Void, RepositoryError> = repository.transaction { store in
                try store.insert((1...10).map { Film.numbered($0) })
                throw Mine()
            }
            await expectFailure({ if case .rolledBack = $0 { true } else { false } }) { try await failing.value() }
            await expectFailure(\.isConstraint) {
                try await repository.insert([Film.numbered(1), .numbered(1)]).value()
            }
            try await repository.transaction { store in
                for number in 1...10 { try store.create(Film.numbered(number)) }
                try store.delete(Film.self, id: Film.id(10))
                try? store.transaction { inner in
                    try inner.create(Film.numbered(11))
                    inner.cancel()
                }
            }.value()
            #expect(await counts.values(2) == [0, 9])
            counts.cancel()
        }
    }

    @Test("R13 A batch of any size is one value", arguments: StoreKind.allCases)
    func batch(kind: StoreKind) async throws {
        try await withRepository(kind) { repository in
            let counts = repository.countSubscription(Film.self).record()
            _ = await counts.values(1)
            try await repository.insert((1...20_000).map { Film.numbered($0) }).value()
            _ = await counts.values(2)
            try await repository.delete(Film.self, ids: (1...100).map(Film.id)).value()
            #expect(await counts.values(3) == [0, 20_000, 19_900])
            counts.cancel()
        }
    }

    @Test("R3 readSubscription reports that an item is created, updated and deleted", arguments: StoreKind.allCases)
    func readSubscription(kind: StoreKind) async throws {
        try await withRepository(kind) { repository in
            let film = repository.readSubscription(Film.self, id: Film.id(1)).record()
            #expect(await film.values(1) == [nil])
            try await repository.create(Film.numbered(2)).value()
            try await repository.create(Film.numbered(1)).value()
            _ = await film.values(2)
            try await repository.update(Film.numbered(1, title: "New")).value()
            _ = await film.values(3)
            try await repository.delete(Film.numbered(1)).value()
            #expect(await film.values(4) == [nil, .numbered(1), .numbered(1, title: "New"), nil])
            film.cancel()
        }
    }

    @Test("R15 Every aggregate is live", arguments: StoreKind.allCases)
    func aggregates(kind: StoreKind) async throws {
        try await withRepository(kind) { repository in
            let counts = repository.follow(Film.all.count(groupedBy: \.studio)).record()
            let sums = repository.sumSubscription(of: \Film.boxOffice).record()
            let averages = repository.averageSubscription(of: \Film.boxOffice).record()
            let least = repository.minSubscription(of: \Film.boxOffice).record()
            let greatest = repository.maxSubscription(of: \Film.boxOffice).record()
            let summaries = repository.aggregateSubscription(.summary, of: \Film.boxOffice).record()
            let groups = repository.aggregateSubscription(.sum, of: \Film.boxOffice, groupedBy: \.studio).record()
            _ = await (counts.values(1), sums.values(1), averages.values(1), least.values(1), greatest.values(1))
            _ = await (summaries.values(1), groups.values(1))
            try await repository.insert([Film.numbered(2, studio: "A"), .numbered(3), .numbered(4)]).value()
            #expect(await counts.values(2).last?.map(\.value) == [2, 1])
            #expect(await sums.values(2) == [0, 9])
            #expect(await averages.values(2) == [nil, 3])
            #expect(await least.values(2) == [nil, 2])
            #expect(await greatest.values(2) == [nil, 4])
            #expect(await summaries.values(2).last?.count == 3)
            #expect(await groups.values(2).last == [Grouped(key: nil, value: 7), Grouped(key: "A", value: 2)])
            try await repository.create(Film.numbered(0)).value()
            #expect(await least.values(3) == [nil, 2, 0])
            #expect(sums.values == [0, 9])
        }
    }

    @Test(
        "R8 A sink without demand gets the latest value when it requests one, unless it already has that value",
        arguments: StoreKind.allCases)
    func conflation(kind: StoreKind) async throws {
        try await withRepository(kind) { repository in
            let slow = repository.countSubscription(Film.self).record(demand: .max(1))
            let quick = repository.countSubscription(Film.self).record()
            #expect(await slow.values(1) == [0])
            #expect(await quick.values(1) == [0])
            for number in 1...5 {
                try await repository.create(Film.numbered(number)).value()
                _ = await quick.values(number + 1)
            }
            // A new query gets its first value once the pass that served the quick sink has served the slow one too.
            try await repository.countSubscription(Film.self).value()
            slow.request(.max(1))
            #expect(await slow.values(2) == [0, 5])
            try await repository.create(Film.numbered(6)).value()
            _ = await quick.values(7)
            try await repository.delete(Film.numbered(6)).value()
            _ = await quick.values(8)
            try await repository.countSubscription(Film.self).value()
            slow.request(.unlimited)
            try await repository.create(Film.numbered(7)).value()
            try await repository.create(Film.numbered(8)).value()
            await slow.values(until: { $0 == 7 })
            #expect(slow.values.prefix(2) == [0, 5] && !slow.values.dropFirst(2).contains(5))
            #expect(slow.breaches.isEmpty)
            slow.cancel()
            quick.cancel()
        }
    }

    @Test("R4 R6 Two live signals that report one commit agree, and numbers only rise", arguments: StoreKind.allCases)
    func agreement(kind: StoreKind) async throws {
        try await withRepository(kind) { repository in
            let counts = repository.follow(LiveQuery { try $0.count(Film.self) }).record()
            let sums = repository.follow(LiveQuery { try $0.fetch(Film.all.sum(of: \.boxOffice)) }).record()
            _ = await (counts.values(1), sums.values(1))
            for round in 0..<100 {
                try await repository.transaction { store in
                    try store.create(Film.numbered(round * 2, boxOffice: 1))
                    try store.create(Film.numbered(round * 2 + 1, boxOffice: 1))
                }.value()
            }
            await counts.values(until: { $0.value == 200 })
            await sums.values(until: { $0.value == 200 })
            let countAt = Dictionary(counts.values.map { ($0.commit, Decimal($0.value)) }) { first, _ in first }
            for sum in sums.values { #expect(countAt[sum.commit] ?? sum.value == sum.value) }
            let numbers = counts.values.map(\.commit)
            #expect(numbers == numbers.sorted() && Set(numbers).count == numbers.count)
            counts.cancel()
            sums.cancel()
        }
    }

    @Test("A commit runs only the queries whose tables it changed", arguments: StoreKind.allCases)
    func matching(kind: StoreKind) async throws {
        try await withRepository(kind, [Film.self, Measure.self]) { repository in
            let runs = Counter()
            let films = repository.follow(
                LiveQuery { store in
                    runs.add()
                    return try store.count(Film.self)
                }
            ).record()
            _ = await films.values(1)
            let measures = repository.countSubscription(Measure.self).record()
            _ = await measures.values(1)
            let before = runs.value
            var random = SeededGenerator(seed: 1)
            for number in 1...20 {
                try await repository.create(Measure.random(number, &random)).value()
                _ = await measures.values(number + 1)
            }
            try await repository.transaction { try $0.execute("UPDATE \"Film\" SET title = 'x'") }.value()
            try await repository.create(Measure.random(21, &random)).value()
            _ = await measures.values(22)
            #expect(runs.value == before)
            films.cancel()
            measures.cancel()
        }
    }

    @Test("R12 A decoding error ends a live signal with the typed failure", arguments: StoreKind.allCases)
    func failure(kind: StoreKind) async throws {
        try await withRepository(kind, [Measure.self]) { repository in
            var random = SeededGenerator(seed: 1)
            try await repository.create(Measure.random(1, &random)).value()
            let rows = repository.fetchSubscription(Measure.all).record()
            _ = await rows.values(1)
            try await repository.transaction { try $0.execute(Measure.spoil, 1) }.value()
            let end = await rows.end()
            guard case .failure(.decoding) = end else { return #expect(Bool(false), "\(String(describing: end))") }
        }
    }

    @Test("R12 A busy store never ends a live signal", arguments: StoreKind.allCases)
    func busy(kind: StoreKind) async throws {
        try await withRepository(kind) { repository in
            let runs = Counter()
            let counts = repository.follow(
                LiveQuery { store in
                    runs.add()
                    let isBusy = runs.value % 3 != 0
                    if isBusy { throw RepositoryError.busy(Diagnosis(engine: "SQLite", code: "5", message: "as if")) }
                    return try store.count(Film.self)
                }
            ).map(\.value).record()
            #expect(await counts.values(1) == [0])
            try await repository.create(Film.numbered(1)).value()
            #expect(await counts.values(2) == [0, 1])
            counts.cancel()
        }
    }

    @Test("A query whose tables depend on the rows follows the tables that it read last", arguments: StoreKind.allCases)
    func movingTables(kind: StoreKind) async throws {
        try await withRepository(kind, [Film.self, Measure.self]) { repository in
            let counts = repository.follow(
                LiveQuery { store in
                    try store.count(Film.self) == 0 ? -1 : store.count(Measure.self)
                }
            ).map(\.value).record()
            #expect(await counts.values(1) == [-1])
            try await repository.create(Film.numbered(1)).value()
            #expect(await counts.values(2) == [-1, 0])
            var random = SeededGenerator(seed: 1)
            try await repository.create(Measure.random(1, &random)).value()
            #expect(await counts.values(3) == [-1, 0, 1])
            counts.cancel()
        }
    }
}
