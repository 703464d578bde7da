import Foundation
import SignalRepository
import SignalsTesting
import Testing

/// Tests how live selections, counts and searches are brought up to date; the random histories test their values.
@Suite("Live selections, counts and searches are not read again", .timeLimit(.minutes(10))) struct SelectedLiveTests {
    private typealias Article = MatchTests.Article

    private static let changes: [@Sendable (WriteTransaction) throws -> Void] = [
        { try $0.update(Measure.self, id: 3, set: [.set(\.whole, to: 100), .set(\.kind, to: "prime")]) },
        { try $0.delete(Measure.self, id: 4) },
        { store in
            var row = Measure.numbered(30)
            (row.whole, row.kind) = (7, "odd")
            try store.create(row)
        },
        { try $0.update(Measure.self, set: [.set(\.kind, to: "even")]) { $0.kind == "prime" } },
    ]

    /// Follows a query through commits, compares each value with a fresh one, and returns what the values cost.
    private func costs<Query: LiveRepositoryQuery>(
        _ kind: StoreKind, _ query: Query, _ commits: [@Sendable (WriteTransaction) throws -> Void] = changes
    ) async throws -> (updatedInPlace: Int, rereadByKey: Int, reread: Int) {
        var costs = (updatedInPlace: 0, rereadByKey: 0, reread: 0)
        var configuration = RepositoryConfiguration()
        if kind != .postgres { configuration.collations = [.length] }
        try await withRepository(kind, [Measure.self, Article.self], configuration: configuration) { repository in
            let rows = (1...20).map { number in
                var row = Measure.numbered(number)
                (row.whole, row.kind) = (number, number.isMultiple(of: 2) ? "even" : "odd")
                return row
            }
            try await repository.insert(rows).value()
            try await repository.insert((1...9).map { Self.article($0, "the quick fox \($0)") }).value()
            let values = repository.follow(query).map { "\($0)" }.record()
            _ = await values.values(1)
            let before = repository.statistics
            for commit in commits {
                try await repository.transaction(commit).value()
                let fresh = "\(try await repository.fetch(query).value())"
                await values.values { $0 == fresh }
                // A new query gets its first value after the pass that handles the commit.
                _ = try await repository.readSubscription(Measure.self, id: 1).value()
            }
            let after = repository.statistics
            costs.updatedInPlace = after.updatedInPlace - before.updatedInPlace
            costs.rereadByKey = after.rereadByKey - before.rereadByKey
            costs.reread = after.reread + after.refilled - before.reread - before.refilled
            values.cancel()
        }
        return costs
    }

    private static func article(_ number: Int, _ title: String) -> Article {
        Article(id: "\(number)", title: title, body: nil, year: 1990 + number)
    }

    @Test("R7 Selections are updated in place", arguments: StoreKind.allCases)
    func selections(kind: StoreKind) async throws {
        let rows = Measure.where { $0.whole > 2 }.sorted(by: \.whole, .descending).select { ($0.kind, $0.whole * 2) }
        let all = try await costs(kind, rows)
        #expect(all.reread == 0 && all.updatedInPlace >= 3)
        let page = try await costs(kind, rows.limit(3).offset(1))
        #expect(page.reread == 0 && page.updatedInPlace >= 1)
        let distinct = try await costs(kind, Measure.all.select { ($0.kind, $0.whole > 10) }.distinct().limit(9))
        #expect(distinct.reread <= 1 && distinct.updatedInPlace >= 1)
        let last = try await costs(kind, Measure.all.sorted(by: \.whole).last)
        #expect(last.reread == 0 && last.updatedInPlace >= 1)
    }

    @Test("R7 Counts of distinct values, and counts with a limit or an offset", arguments: StoreKind.allCases)
    func counts(kind: StoreKind) async throws {
        let kinds = Measure.all.aggregate { ($0.kind.count(distinct: true), $0.whole.sum()) }
        let distinct = try await costs(kind, kinds)
        #expect(distinct.reread == 0 && distinct.updatedInPlace >= 3)
        let groups = Measure.all.grouped { $0.kind }.aggregate { $0.whole.count(distinct: true, where: $0.whole > 3) }
        let grouped = try await costs(kind, groups)
        #expect(grouped.reread == 0 && grouped.updatedInPlace >= 3)
        let some = try await costs(kind, Measure.where { $0.kind == "odd" }.offset(8).limit(5).count)
        #expect(some.reread == 0 && some.updatedInPlace >= 2)
        let exists = try await costs(kind, Measure.where { $0.kind == "odd" }.offset(9).exists)
        #expect(exists.reread == 0 && exists.updatedInPlace >= 2)
    }

    @Test("R7 Sums of floating-point numbers are not re-read", arguments: StoreKind.allCases)
    func reals(kind: StoreKind) async throws {
        let sum = Measure.all.aggregate { (($0.real * 0.5).sum(), $0.real.average(where: $0.whole > 3)) }
        let sums = try await costs(kind, sum)
        #expect(sums.reread == 0 && sums.updatedInPlace + sums.rereadByKey >= 2)
        let total = try await costs(kind, Measure.all.summary(of: \.real))
        #expect(total.reread == 0 && total.updatedInPlace >= 2)
        let groups = try await costs(kind, Measure.all.grouped { $0.kind }.aggregate { $0.real.sum() })
        #expect(groups.reread == 0 && groups.updatedInPlace >= 2)
    }

    @Test("R7 A live sum is exact, in whatever order a server adds", arguments: StoreKind.allCases)
    func exact(kind: StoreKind) async throws {
        try await withRepository(kind, [Measure.self]) { repository in
            for (number, real) in [(1, 1e16), (2, 1), (3, -1e16), (4, 1e16), (5, 0.25)] {
                var row = Measure.numbered(number)
                row.real = real
                try await repository.create(row).value()
            }
            let values = repository.follow(Measure.all.aggregate { $0.real.sum() }).record()
            #expect(await values.values(1) == [[1e16 + 2]])
            try await repository.delete(Measure.self, id: 4).value()
            #expect(await values.values { $0 == [1.25] }.last == [1.25])
            values.cancel()
        }
    }

    @Test("R7 Lists in the order of a language or a collation are updated in place", arguments: StoreKind.allCases)
    func orders(kind: StoreKind) async throws {
        let german = Measure.all.sorted { $0.kind.localized(Locale(identifier: "de_DE")) }.limit(7)
        let list = try await costs(kind, german)
        let rows = Measure.where { $0.whole > 2 }.sorted(.descending) { $0.text.localized() }.select { $0.kind }
        let selection = try await costs(kind, rows)
        // A server may compare texts by other rules than this program.
        guard kind != .postgres else { return #expect(list.reread > 0 && selection.reread > 0) }
        #expect(list.reread == 0 && list.updatedInPlace >= 3)
        #expect(selection.reread == 0 && selection.updatedInPlace >= 3)
        let collated = Measure.all.sorted(.descending) { $0.kind.collated(by: .length) }.limit(5).offset(1)
        let custom = try await costs(kind, collated)
        #expect(custom.reread == 0 && custom.updatedInPlace >= 3)
        // SQLite compares the whole key as it compares the first localized part.
        let nested = try await costs(kind, Measure.all.sorted { $0.kind.localized() ?? "a" })
        #expect(nested.reread == 0)
        let chosen = Measure.all.sorted { $0.whole.isIn([2, 5]) }.sorted {
            "a" + $0.kind.collated(by: .length) + $0.text
        }
        #expect(try await costs(kind, chosen).reread == 0)
    }

    @Test("R7 Groups in the order of a language or a collation are updated in place", arguments: StoreKind.allCases)
    func groupOrders(kind: StoreKind) async throws {
        let german = Measure.all.grouped { $0.id }.sorted { $0.text.min().localized(Locale(identifier: "de_DE")) }
            .aggregate { $0.whole.sum() }.limit(5)
        let groups = try await costs(kind, german)
        guard kind != .postgres else { return #expect(groups.reread > 0) }
        #expect(groups.reread == 0 && groups.updatedInPlace >= 3)
        let long = Measure.all.grouped { $0.id }.sorted(.descending) { $0.text.max().collated(by: .length) }
            .aggregate { $0.id.count() }
        #expect(try await costs(kind, long).reread == 0)
        // Equal keys and extreme values are known to the collation only.
        let same = Measure.all.grouped { $0.text.collated(by: .length) }.aggregate { $0.id.count() }
        #expect(try await costs(kind, same).reread > 0)
        let longest = Measure.all.aggregate { $0.text.collated(by: .length).max() }
        #expect(try await costs(kind, longest).reread > 0)
        _ = try await costs(kind, Measure.all.select { $0.text.localized() }.distinct())
        _ = try await costs(kind, Measure.all.grouped { $0.kind }.aggregate { $0.text.localized().min() })
    }

    @Test("R7 A condition on words asks the index about the changed rows only", arguments: StoreKind.allCases)
    func words(kind: StoreKind) async throws {
        let commits: [@Sendable (WriteTransaction) throws -> Void] = [
            { try $0.create(Self.article(10, "quick again")) },
            { try $0.update(Article.self, id: "3", set: [.set(\.title, to: "slow")]) },
            { try $0.delete(Article.self, id: "4") },
            { try $0.update(Article.self, id: "5", set: [.set(\.year, to: 1900)]) },
        ]
        let found = Article.where { $0.matches("quick") && $0.year < 2_000 }.sorted(by: \.year)
        let list = try await costs(kind, found, commits)
        #expect(list.reread == 0 && list.rereadByKey == 4)
        let count = try await costs(kind, found.count, commits)
        #expect(count.reread == 0 && count.rereadByKey == 4)
    }

    @Test(
        "R7 The store evaluates what cannot be evaluated in memory, for the changed rows only",
        arguments: StoreKind.allCases)
    func keyed(kind: StoreKind) async throws {
        let dates = Measure.where { $0.date.year() > 1_990 && $0.whole > 2 }.sorted { $0.date.month() }
        let years = try await costs(kind, dates)
        #expect(years.reread == 0 && years.updatedInPlace + years.rereadByKey >= 3)
        let sums = Measure.all.grouped { $0.date.year() }.aggregate { $0.whole.sum() }
        let sum = try await costs(kind, sums)
        #expect(sum.reread == 0 && sum.updatedInPlace + sum.rereadByKey >= 3)
    }
}
