import Foundation
import SignalRepository
import Signals
import SignalsTesting
import Testing

/// Counts, sums, averages, the least and the greatest.
extension CoreDataRepositoryLimitations {
    private func measures(_ wholes: [Int]) -> [Measure] {
        var random = SeededGenerator(seed: 18)
        return wholes.enumerated().map { place, whole in
            var measure = Measure.random(place, &random)
            (measure.whole, measure.price) = (whole, Decimal(whole % 1000))
            return measure
        }
    }

    @Test("R18 limitation 9: groupedBy gives every group, typed and in order", arguments: StoreKind.allCases)
    func groups(kind: StoreKind) async throws {
        try await withRepository(kind) { repository in
            let films = (1...30).map { Film.numbered($0, studio: $0 % 3 == 0 ? nil : "S\($0 % 3)") }
            let live = repository.sumSubscription(of: \Film.boxOffice, groupedBy: \.studio).record()
            #expect(await live.values(1) == [[]])
            _ = try await repository.insert(films).first()
            let keys: [String?] = [nil, "S1", "S2"]
            let sums = keys.map { key in
                Grouped(key: key, value: films.filter { $0.studio == key }.reduce(0) { $0 + $1.boxOffice })
            }
            #expect(await live.values(2).last == sums)
            #expect(try await repository.sum(of: \Film.boxOffice, groupedBy: \.studio).first() == sums)
            let counts = try await repository.count(Film.self, groupedBy: \.studio).first()
            #expect(counts == keys.map { Grouped(key: $0, value: 10) })
            live.cancel()
        }
    }

    @Test("R18 limitation 10: a live aggregate makes no item, it is SQL alone", arguments: StoreKind.allCases)
    func noItems(kind: StoreKind) async throws {
        try await withRepository(kind) { repository in
            let counts = repository.countSubscription(Film.self).record()
            let summaries = repository.aggregateSubscription(of: \Film.boxOffice).record()
            _ = await (counts.values(1), summaries.values(1))
            // A film that cannot be made of its row: whoever made one would fail.
            _ = try await repository.transaction { store in
                try store.execute("INSERT INTO Film VALUES (x'00', CAST(x'ff' AS TEXT), 0.0, 70000, NULL)")
            }.first()
            #expect(await counts.values(2) == [0, 1])
            #expect(await summaries.values(2).last?.sum == 7)
            await expectFailure(\.isDecoding) { try await repository.fetch(Film.all).first() }
            _ = try await repository.create(Film.numbered(3)).first()
            #expect(await counts.values(3) == [0, 1, 2])
            #expect(await summaries.values(3).last?.sum == 10)
            counts.cancel()
            summaries.cancel()
        }
    }

    @Test("R18 limitation 11: a count is exact, none too; what overflows is an error", arguments: StoreKind.allCases)
    func exact(kind: StoreKind) async throws {
        try await withRepository(kind, [Measure.self]) { repository in
            let none = repository.countSubscription(Measure.self, where: \.whole > 100).record()
            let sums = repository.sumSubscription(of: \Measure.whole).record()
            _ = await (none.values(1), sums.values(1))
            _ = try await repository.insert(measures([1, 2, 3])).first()
            _ = await sums.values(2)
            _ = try await repository.delete(Measure.self, id: 0).first()
            _ = await sums.values(3)
            let large = measures([0, 0, 0, .max, .max]).suffix(2)
            _ = try await repository.insert(Array(large)).first()
            #expect(await none.values(2) == [0, 2])
            #expect(sums.values == [0, 6, 5])
            let end = await sums.end()
            guard case .failure(.overflow(entity: "Measure", column: "whole", _))? = end else {
                return #expect(Bool(false), "\(String(describing: end))")
            }
            await expectFailure(\.isOverflow) { try await repository.sum(of: \Measure.whole).first() }
            #expect(try await repository.count(Measure.self).first() == 4)
            none.cancel()
        }
    }

    @Test("R18 limitation 12: an average is a Double, of Decimals a Decimal", arguments: StoreKind.allCases)
    func averages(kind: StoreKind) async throws {
        try await withRepository(kind, [Measure.self]) { repository in
            _ = try await repository.insert(measures([1, 2])).first()
            let whole: Double? = try await repository.average(of: \Measure.whole).first()
            let price: Decimal? = try await repository.average(of: \Measure.price).first()
            #expect(whole == 1.5)
            #expect(price == Decimal(string: "1.5"))
            let live = repository.averageSubscription(of: \Measure.whole).record()
            _ = await live.values(1)
            _ = try await repository.delete(Measure.self, id: 0).first()
            #expect(await live.values(2) == [1.5, 2])
            live.cancel()
        }
    }

    @Test("R18 limitation 13: of nothing the least, greatest and average are nil", arguments: StoreKind.allCases)
    func nothing(kind: StoreKind) async throws {
        try await withRepository(kind, [Measure.self]) { repository in
            #expect(try await repository.min(of: \Measure.whole).first() == nil)
            #expect(try await repository.max(of: \Measure.text).first() == nil)
            #expect(try await repository.average(of: \Measure.price).first() == nil)
            let live = repository.maxSubscription(of: \Measure.whole).record()
            #expect(await live.values(1) == [nil])
            _ = try await repository.insert(measures([4])).first()
            _ = await live.values(2)
            _ = try await repository.delete(Measure.self, id: 0).first()
            #expect(await live.values(3) == [nil, 4, nil])
            live.cancel()
        }
    }

    @Test("R18 limitation 20: one engine serves every function, once and live", arguments: StoreKind.allCases)
    func oneEngine(kind: StoreKind) async throws {
        try await withRepository(kind, [Measure.self]) { repository in
            _ = try await repository.insert(measures([3, -1, 7, 7])).first()
            let price = \Measure.price
            #expect(try await repository.aggregate(.sum, of: price).first() == 16)
            #expect(try await repository.aggregate(.average, of: price).first() == 4)
            #expect(try await repository.aggregate(.min, of: price).first() == -1)
            #expect(try await repository.aggregate(.max, of: price).first() == 7)
            let summary = try await repository.aggregate(.summary, of: price).first()
            #expect(try await repository.aggregate(of: price).first() == summary)
            #expect(try await repository.sum(of: price).first() == summary.sum)
            #expect(try await repository.average(of: price).first() == summary.average)
            #expect(try await repository.min(of: price).first() == summary.min)
            #expect(try await repository.max(of: price).first() == summary.max)
            #expect(try await repository.aggregateSubscription(.summary, of: price).first() == summary)
            let groups = try await repository.aggregate(.sum, of: price, groupedBy: \.isDone).first()
            #expect(try await repository.sum(of: price, groupedBy: \.isDone).first() == groups)
            #expect(try await repository.aggregateSubscription(.sum, of: price, groupedBy: \.isDone).first() == groups)
        }
    }
}
