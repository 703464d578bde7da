import Foundation
import SignalRepository
import Signals
import SignalsTesting
import Testing

/// Tests which live queries are updated in place by changed rows, and which are read; the random histories test their
/// values.
@Suite("Live queries that are updated in place", .timeLimit(.minutes(10))) struct MaintainedTests {
    /// Attaches live queries, makes commits, and returns how often the store was read after their first values.
    private func reads<Value: Sendable & Equatable>(
        _ kind: StoreKind,
        _ signal: (any Repository) -> Signal<Value, RepositoryError>,
        commits: [@Sendable (WriteTransaction) throws -> Void], first: Value, last: Value
    ) async throws -> (read: Int, updatedInPlace: Int) {
        var counts = (read: 0, updatedInPlace: 0)
        try await withRepository(kind, [Measure.self]) { repository in
            var random = SeededGenerator(seed: 1)
            let rows = (1...20).map { number in
                var row = Measure.random(number, &random)
                (row.whole, row.small, row.kind) = (number, Int8(number), number.isMultiple(of: 2) ? "even" : "odd")
                return row
            }
            try await repository.insert(rows).value()
            let recorder = signal(repository).record()
            #expect(await recorder.values(1) == [first])
            let before = repository.statistics
            for commit in commits {
                try await repository.transaction(commit).value()
                // A new query gets its first value after the pass that handles the commit.
                let pass = repository.follow(LiveQuery { try $0.count(Measure.self) }).record()
                _ = await pass.values(1)
                // It leaves before the next commit, which would otherwise have it read again.
                pass.cancel()
            }
            await closed(repository)
            _ = await recorder.end()
            #expect(recorder.values.last == last)
            let after = repository.statistics
            counts = (after.reads - before.reads - commits.count, after.updatedInPlace - before.updatedInPlace)
        }
        return counts
    }

    private static let changes: [@Sendable (WriteTransaction) throws -> Void] = [
        { store in
            var row = try store.read(Measure.self, id: 3)
            row.whole = 100
            try store.update(row)
        },
        { store in try store.delete(Measure.self, id: 4) },
        { store in
            var random = SeededGenerator(seed: 3)
            var row = Measure.random(30, &random)
            (row.whole, row.kind) = (7, "odd")
            try store.create(row)
        },
    ]

    @Test("R7 Counts, sums and averages are never read again", arguments: StoreKind.allCases)
    func sums(kind: StoreKind) async throws {
        let sum = try await reads(
            kind, { $0.sumSubscription(of: \Measure.whole) }, commits: Self.changes, first: 210, last: 310)
        #expect(sum.read == 0 && sum.updatedInPlace > 0)
        let some = try await reads(
            kind, { $0.countSubscription(Measure.self) { $0.whole > 6 } }, commits: Self.changes, first: 14, last: 16
        )
        #expect(some.read == 0 && some.updatedInPlace > 0)
        let average = try await reads(
            kind, { $0.averageSubscription(of: \Measure.whole) { $0.kind == "odd" } }, commits: Self.changes,
            first: 10, last: Double(100 - 3 + 100 + 7) / 11)
        #expect(average.read == 0 && average.updatedInPlace > 0)
    }

    @Test("R7 Groups come and go without a read", arguments: StoreKind.allCases)
    func groups(kind: StoreKind) async throws {
        let even = Grouped<String?, Int>(key: "even", value: 10)
        let odd = Grouped<String?, Int>(key: "odd", value: 10)
        let moves: [@Sendable (WriteTransaction) throws -> Void] = [
            { store in
                var row = try store.read(Measure.self, id: 2)
                row.kind = nil
                try store.update(row)
            },
            { store in for id in stride(from: 1, through: 19, by: 2) { try store.delete(Measure.self, id: id) } },
        ]
        let last = [Grouped<String?, Int>(key: nil, value: 1), Grouped(key: "even", value: 9)]
        let counts = try await reads(
            kind, { $0.follow(Measure.all.count(groupedBy: \.kind)) }, commits: moves, first: [even, odd],
            last: last)
        #expect(counts.read == 0 && counts.updatedInPlace > 0)
        let (evens, odds) = (
            Grouped<String?, Int>(key: "even", value: 110), Grouped<String?, Int>(key: "odd", value: 100)
        )
        let sums = try await reads(
            kind, { $0.aggregateSubscription(.sum, of: \Measure.whole, groupedBy: \.kind) }, commits: moves,
            first: [evens, odds],
            last: [Grouped(key: nil, value: 2), Grouped(key: "even", value: 108)])
        #expect(sums.read == 0 && sums.updatedInPlace > 0)
    }

    @Test("R7 The least value is read again only when its row goes", arguments: StoreKind.allCases)
    func least(kind: StoreKind) async throws {
        let others = try await reads(
            kind, { $0.minSubscription(of: \Measure.whole) }, commits: Self.changes, first: 1, last: 1)
        #expect(others.read == 0)
        let gone = try await reads(
            kind, { $0.minSubscription(of: \Measure.whole) },
            commits: [{ try $0.delete(Measure.self, id: 1) }], first: 1, last: 2)
        #expect(gone.read == 1)
        let later = try await reads(
            kind, { $0.minSubscription(of: \Measure.whole) },
            commits: [{ try $0.delete(Measure.self, id: 1) }] + Self.changes, first: 1, last: 2)
        #expect(later.read == 1)
    }

    @Test("R7 An item is read once, however it and others change", arguments: StoreKind.allCases)
    func item(kind: StoreKind) async throws {
        let title: @Sendable (any Repository) -> Signal<Int?, RepositoryError> = { repository in
            repository.readSubscription(Measure.self, id: 3).map { $0?.whole }
        }
        let counts = try await reads(kind, title, commits: Self.changes, first: 3, last: 100)
        #expect(counts.read == 0 && counts.updatedInPlace == 1)
        let gone = try await reads(
            kind, title, commits: Self.changes + [{ try $0.delete(Measure.self, id: 3) }], first: 3, last: nil)
        #expect(gone.read == 0 && gone.updatedInPlace == 2)
    }

    @Test("R7 Computed conditions and orders are never read again", arguments: StoreKind.allCases)
    func computed(kind: StoreKind) async throws {
        let count = try await reads(
            kind, { $0.countSubscription(Measure.self) { $0.whole * 2 + 1 > 13 } },
            commits: Self.changes, first: 14, last: 16)
        #expect(count.read == 0 && count.updatedInPlace > 0)
        let query = Measure.where { $0.whole % 2 == 0 && ($0.small ?? 0) > 2 }.sorted(.descending) { -$0.whole }
        let list = try await reads(
            kind, { $0.fetchSubscription(query.limit(3)).map { $0.map(\.id) } }, commits: Self.changes,
            first: [4, 6, 8], last: [6, 8, 10])
        #expect(list.read == 0 && list.updatedInPlace > 0)
        if kind == .postgres { return }
        let shouted = Condition<Measure> { ($0.kind ?? "").uppercased() == "ODD" && $0.date.year() == 2001 }
        let sum = try await reads(
            kind, { $0.sumSubscription(of: \Measure.whole) { _ in shouted } }, commits: Self.changes, first: 100,
            last: 204)
        #expect(sum.read == 0 && sum.updatedInPlace > 0)
    }

    @Test("R7 Aggregates of terms are never read again", arguments: StoreKind.allCases)
    func aggregates(kind: StoreKind) async throws {
        let totals = Measure.where { $0.whole > 6 }.aggregate {
            ($0.id.count(), ($0.whole * 2).sum(), $0.whole.average(where: $0.kind == "odd"))
        }
        let some = try await reads(
            kind,
            { $0.firstSubscription(totals).map { row in row.map { [Double($0.0), Double($0.1), $0.2 ?? 0] } ?? [] } },
            commits: Self.changes, first: [14, 378, 13], last: [16, 592, 22])
        #expect(some.read == 0 && some.updatedInPlace > 0)
        let kinds = Measure.all.grouped { $0.kind }
            .aggregate { ($0.id.count(where: $0.whole > 6), $0.whole.sum() / 2, $0.whole.max()) }
        let all = try await reads(
            kind, { $0.fetchSubscription(kinds).map { rows in rows.map { [$0.1, $0.2, $0.3 ?? 0] } } },
            commits: Self.changes, first: [[7, 55, 20], [7, 50, 19]], last: [[7, 53, 20], [9, 102, 100]])
        #expect(all.read == 0 && all.updatedInPlace > 0)
    }

    @Test(
        "R7 Only a query that may stop at its limit is read once more, to know all groups",
        arguments: StoreKind.allCases)
    func someGroups(kind: StoreKind) async throws {
        let parities = Measure.all.grouped { $0.whole % 2 }.having { $0.id.count() > 1 }
            .sorted(.descending) { $0.whole.max() }.aggregate { ($0.whole.min(), ($0.whole + 1).max()) }
        let groups = try await reads(
            kind, { $0.fetchSubscription(parities).map { rows in rows.map { [$0.0, $0.1 ?? 0, $0.2 ?? 0] } } },
            commits: Self.changes, first: [[0, 2, 21], [1, 1, 20]], last: [[0, 2, 101], [1, 1, 20]])
        #expect(groups.read == 0 && groups.updatedInPlace > 0)
        let first = Measure.all.grouped { $0.whole % 2 }.limit(1).aggregate { $0.whole.max() }
        let limited = try await reads(
            kind, { $0.fetchSubscription(first).map { rows in rows.map { [$0.0, $0.1 ?? 0] } } },
            commits: Self.changes, first: [[0, 20]], last: [[0, 100]])
        #expect(limited.read == 1 && limited.updatedInPlace > 0)
    }

    @Test("R7 A term's minimum is re-read only when its row goes, for its group alone", arguments: StoreKind.allCases)
    func leastTerms(kind: StoreKind) async throws {
        let leasts = Measure.all.grouped { $0.kind }.aggregate { ($0.whole + 1).min(where: $0.whole != 2) }
        let signal: @Sendable (any Repository) -> Signal<[Int?], RepositoryError> = { repository in
            repository.fetchSubscription(leasts).map { rows in rows.map { $0.1 } }
        }
        let others = try await reads(kind, signal, commits: Self.changes, first: [5, 2], last: [7, 2])
        // The row with 4 goes, which was the least value that counts.
        #expect(others.read == 1 && others.updatedInPlace > 0)
        let gone = try await reads(
            kind, signal, commits: [1, 3, 5].map { id in { try $0.delete(Measure.self, id: id) } }, first: [5, 2],
            last: [5, 8])
        #expect(gone.read == 1 && gone.updatedInPlace > 0)
    }

    @Test("R20 A live query fails like a fresh one when a computed number is too large", arguments: StoreKind.allCases)
    func overflow(kind: StoreKind) async throws {
        try await withRepository(kind, [Measure.self]) { repository async throws in
            try await repository.insert((1...3).map { Measure.numbered($0) }).value()
            let condition = Condition<Measure> { $0.whole * $0.whole > 3 }
            let count = repository.countSubscription(Measure.self) { _ in condition }.record()
            #expect(await count.values(1) == [2])
            var large = Measure.numbered(4)
            large.whole = .max
            try await repository.create(large).value()
            guard case .failure(.overflow) = await count.end() else {
                return #expect(Bool(false), "\(count.history)")
            }
            await expectFailure(\.isOverflow) { try await repository.count(Measure.self) { _ in condition }.value() }
        }
    }

    @Test("R20 A row beyond the limit whose condition overflows does not concern the query")
    func beyond() async throws {
        try await withRepository(.memory, [Measure.self]) { repository async throws in
            var rows = (1...3).map { Measure.numbered($0) }
            rows[2].whole = .max
            try await repository.insert(rows).value()
            let query = Measure.where { $0.whole * $0.whole > 0 }.sorted(by: \.id).limit(1)
            let live = repository.fetchSubscription(query).map { $0.map(\.id) }.record()
            #expect(await live.values(1) == [[1]])
            try await repository.delete(Measure.self, id: 1).value()
            #expect(await live.values(2) == [[1], [2]])
            try await repository.delete(Measure.self, id: 2).value()
            guard case .failure(.overflow) = await live.end() else {
                return #expect(Bool(false), "\(live.history)")
            }
        }
    }

    @Test("R7 Queries that rows cannot update are read: raw SQL, and any closure", arguments: StoreKind.allCases)
    func fallback(kind: StoreKind) async throws {
        let raw = try await reads(
            kind, { $0.countSubscription(Measure.self) { _ in .raw("whole > ?", 6) } }, commits: Self.changes,
            first: 14,
            last: 16)
        #expect(raw.read > 0 && raw.updatedInPlace == 0)
        let body = try await reads(
            kind, { $0.follow(LiveQuery { try $0.fetch(Measure.all.sum(of: \.whole)) }).map(\.value) },
            commits: Self.changes,
            first: 210, last: 310)
        #expect(body.read > 0 && body.updatedInPlace == 0)
    }

    @Test(
        "R17 A commit of more rows than the budget causes a read; later commits do not", arguments: StoreKind.allCases)
    func bulk(kind: StoreKind) async throws {
        let bulk: @Sendable (WriteTransaction) throws -> Void = { store in
            var random = SeededGenerator(seed: 2)
            for number in 100..<5_100 {
                var row = Measure.random(number, &random)
                row.whole = 1
                try store.create(row)
            }
        }
        let counts = try await reads(
            kind, { $0.sumSubscription(of: \Measure.whole) }, commits: [bulk] + Self.changes, first: 210, last: 5_310)
        #expect(counts.read == 1 && counts.updatedInPlace > 0)
    }

    @Test(
        "R15 A live sum that exceeds 64 bits on the way is exact from its first value on", arguments: StoreKind.allCases
    )
    func wide(kind: StoreKind) async throws {
        try await withRepository(kind, [Box<Int>.self]) { repository async throws in
            try await repository.insert([Int.max, Int.max, -Int.max].enumerated().map { Box(id: $0, value: $1) })
                .value()
            let sums = repository.sumSubscription(of: \Box<Int>.value).record()
            #expect(await sums.values(1) == [.max])
            try await repository.update(Box(id: 0, value: Int.min + 1)).value()
            #expect(await sums.values(2) == [.max, Int.min + 1])
            try await repository.delete(Box<Int>.self, id: 1).value()
            #expect(await sums.end().map { if case .failure(.overflow) = $0 { true } else { false } } == true)
        }
    }

    @Test("R14 After another program's commit, live queries are read, and not updated in place")
    func elsewhere() async throws {
        try await withFolder { folder in
            let path = folder + "/store.sqlite"
            let repository = try SQLiteRepository(.file(path), entities: Film.self)
            try await repository.create(Film.numbered(1)).value()
            let sums = repository.sumSubscription(of: \Film.boxOffice).record()
            let item = repository.readSubscription(Film.self, id: Film.id(1)).map { $0?.boxOffice }.record()
            #expect(await sums.values(1) == [1])
            #expect(await item.values(1) == [1])
            let raw = try RawDatabase(path)
            try raw.run("UPDATE Film SET boxOffice = 50000")
            #expect(await sums.values(2) == [1, 5])
            #expect(await item.values(2) == [1, 5])
            raw.close()
            await closed(repository)
        }
    }

    @Test(
        "R4 A row that cannot be decoded does not matter to a list that does not show it, live or not",
        arguments: StoreKind.allCases)
    func undecodable(kind: StoreKind) async throws {
        try await withRepository(kind, [Measure.self]) { repository async throws in
            try await repository.insert((1...9).map { Measure.numbered($0) }).value()
            let sorted = Measure.all.sorted(by: \.real)
            let queries = [sorted.limit(3), sorted.offset(2).limit(3)]
            var (before, between) = (Measure.numbered(101), Measure.numbered(102))
            (before.real, between.real) = (0, 7.5)
            let spoiled = [before, between]
            try await repository.transaction { store in
                try store.insert(spoiled)
                for row in spoiled { try store.execute(Measure.spoil, row.id) }
            }.value()
            let second = repository.fetchSubscription(queries[1]).record()
            #expect(await second.values(1) == [try await repository.fetch(queries[1]).value()])
            try await repository.delete(Measure.self, id: 101).value()
            let first = repository.fetchSubscription(queries[0]).record()
            #expect(await first.values(1) == [try await repository.fetch(queries[0]).value()])
            for id in 1...2 { try await repository.delete(Measure.self, id: id).value() }
            let (shown, after) = (
                try await repository.fetch(queries[0]).value(), try await repository.fetch(queries[1]).value()
            )
            await first.values { $0 == shown }
            await second.values { $0 == after }
            // Now the row is shown, and the live list fails as a fetch does.
            try await repository.delete(Measure.self, id: 5).value()
            await expectFailure(\.isDecoding) { try await repository.fetch(queries[1]).value() }
            guard case .failure(.decoding) = await second.end() else {
                return #expect(Bool(false), "\(second.history)")
            }
            first.cancel()
        }
    }
}
