import Signals
import SignalsTesting
import Testing

@testable import RepositoryCore
@testable import SignalRepository

@Suite("Queries as values") struct RepositoryQueryTests {
    struct Sale: Entity, Equatable {
        let id: Int
        var title: String
        var gross: Int
        static let schema = Schema(
            Column("id", \Sale.id), Column("title", \.title), Column("gross", \.gross), make: Sale.init)

        static func numbered(_ number: Int) -> Sale {
            Sale(id: number, title: String(repeating: "x", count: number), gross: number * 3 % 7)
        }
    }

    /// A custom query.
    struct LongTitles: LiveRepositoryQuery {
        let length: Int

        func answer(in store: ReadTransaction) throws(RepositoryError) -> [String] {
            try store.fetch(Sale.all).map(\.title).filter { $0.count >= length }
        }
    }

    @Test("Each kind of query is answered once, in a transaction and live", arguments: StoreKind.allCases)
    func forms(kind: StoreKind) async throws {
        try await withRepository(kind, [Sale.self]) { repository async throws in
            let sales = (1...7).map(Sale.numbered)
            try await repository.insert(sales.dropLast()).value()
            let query = Sale.where { $0.gross > 2 }.sorted(by: \.gross)
            let after = sales.filter { $0.gross > 2 }.sorted { $0.gross < $1.gross }
            let before = after.filter { $0.id != sales[6].id }
            try await expectAnswers(
                repository, sales[6],
                [
                    Followed(query, before, after), Followed(query.first, before.first, after.first),
                    Followed(query.last, before.last, after.last),
                    Followed(query.limit(2).last, before.prefix(2).last, after.prefix(2).last),
                    Followed(query.count, before.count, after.count),
                    Followed(query.limit(2).count, 2, 2), Followed(query.exists, true, true),
                    Followed(query.sum(of: \.gross), before.map(\.gross).reduce(0, +), after.map(\.gross).reduce(0, +)),
                    Followed(query.min(of: \.gross), before.first?.gross, after.first?.gross),
                    Followed(query.max(of: \.gross), before.last?.gross, after.last?.gross),
                    Followed(
                        query.average(of: \.gross),
                        Double(before.map(\.gross).reduce(0, +)) / Double(before.count),
                        Double(after.map(\.gross).reduce(0, +)) / Double(after.count)),
                    Followed(query.select(\.title), before.map(\.title), after.map(\.title)),
                    Followed(query.select(\.title).first, before.first?.title, after.first?.title),
                    Followed(
                        LongTitles(length: 3), sales.dropLast().map(\.title).filter { $0.count >= 3 },
                        sales.map(\.title).filter { $0.count >= 3 }),
                ])
        }
    }

    @Test("The last item is followed even if others are equal to it, and reported once", arguments: StoreKind.allCases)
    func lasts(kind: StoreKind) async throws {
        try await withRepository(kind, [Sale.self]) { repository async throws in
            try await repository.insert((1...30).map { Sale(id: $0, title: "x", gross: 1) }).value()
            let all = repository.follow(Sale.all.last).record()
            let equal = repository.follow(Sale.all.sorted(by: \.gross).last).record()
            let part = repository.follow(Sale.all.sorted(by: \.id).limit(2).last).record()
            for recorder in [all, equal, part] { _ = await recorder.values(1) }
            var sales = [Sale(id: 31, title: "y", gross: 1), Sale(id: 31, title: "z", gross: 1)]
            try await repository.create(sales[0]).value()
            for recorder in [all, equal] { #expect(await recorder.values(2).last == sales[0]) }
            // A change of the first item does not change the last.
            try await repository.update(Sale(id: 1, title: "y", gross: 1)).value()
            try await repository.update(sales[1]).value()
            for recorder in [all, equal] { #expect(await recorder.values(3).last == sales[1]) }
            sales.append(Sale(id: 2, title: "last", gross: 1))
            try await repository.update(sales[2]).value()
            #expect(await part.values(2).last == sales[2])
            for recorder in [all, equal, part] { recorder.cancel() }
        }
    }

    @Test("An aggregate of a query with a limit or an offset is refused", arguments: [StoreKind.memory, .postgres])
    func parts(kind: StoreKind) async throws {
        try await withRepository(kind, [Sale.self]) { repository async throws in
            let part = Sale.all.limit(2)
            await expectFailure(\.isMisuse) { try await repository.fetch(part.sum(of: \.gross)).value() }
            await expectFailure(\.isMisuse) { try await repository.follow(part.max(of: \.gross)).value() }
            await expectFailure(\.isMisuse) {
                try await repository.read { store in try store.fetch(Sale.all.offset(1).average(of: \.gross)) }.value()
            }
        }
    }

    /// The answers of a query before and after an item is stored.
    private struct Followed: Sendable {
        let check: @Sendable (any Repository, Sale) async throws -> (@Sendable () async throws -> Void)

        init<Query: LiveRepositoryQuery>(
            _ query: Query, _ before: Query.Answer, _ after: Query.Answer, at line: SourceLocation = #_sourceLocation
        ) where Query.Answer: Equatable {
            check = { repository, sale in
                let answer = try await repository.fetch(query).value()
                #expect(answer == before, sourceLocation: line)
                let recorder = repository.follow(query).record()
                let first = await recorder.values(1)
                #expect(first == [before], sourceLocation: line)
                return {
                    let answer = try await repository.fetch(query).value()
                    #expect(answer == after, sourceLocation: line)
                    let stored = try await repository.read { store in try store.fetch(query) }.value()
                    #expect(stored == after, sourceLocation: line)
                    let last = await recorder.last(where: { $0 == after })
                    #expect(last == after, sourceLocation: line)
                    recorder.cancel()
                }
            }
        }
    }

    private func expectAnswers(_ repository: any Repository, _ sale: Sale, _ all: [Followed]) async throws {
        var checks: [@Sendable () async throws -> Void] = []
        for followed in all { checks.append(try await followed.check(repository, sale)) }
        try await repository.create(sale).value()
        for check in checks { try await check() }
    }
}
