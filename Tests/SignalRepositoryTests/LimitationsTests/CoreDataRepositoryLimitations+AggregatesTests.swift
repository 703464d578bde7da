import Foundation
import SignalRepository
import Signals
import SignalsTesting
import Testing

/// Counts, sums, averages, minima and maxima.
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
            let live = repository.aggregateSubscription(.sum, of: \Film.boxOffice, groupedBy: \.studio).record()
            #expect(await live.values(1) == [[]])
            try await repository.insert(films).value()
            let keys: [String?] = [nil, "S1", "S2"]
            let sums = keys.map { key in
                Grouped(key: key, value: films.filter { $0.studio == key }.reduce(0) { $0 + $1.boxOffice })
            }
            #expect(await live.values(2).last == sums)
            #expect(try await repository.aggregate(.sum, of: \Film.boxOffice, groupedBy: \.studio).value() == sums)
            let counts = try await repository.fetch(Film.all.count(groupedBy: \.studio)).value()
            #expect(counts == keys.map { Grouped(key: $0, value: 10) })
            live.cancel()
        }
    }

    @Test("R18 limitation 10: a live aggregate is computed in SQL, and decodes no item", arguments: StoreKind.allCases)
    func noItems(kind: StoreKind) async throws {
        try await withRepository(kind, [Measure.self]) { repository in
            let counts = repository.countSubscription(Measure.self).record()
            let summaries = repository.aggregateSubscription(.summary, of: \Measure.whole).record()
            _ = await (counts.values(1), summaries.values(1))
            // This row cannot be decoded, so a query that decoded it would fail.
            try await repository.transaction { store in
                try store.create(Measure.numbered(7))
                try store.execute(Measure.spoil, 7)
            }.value()
            #expect(await counts.values(2) == [0, 1])
            #expect(await summaries.values(2).last?.sum == 7)
            await expectFailure(\.isDecoding) { try await repository.fetch(Measure.all).value() }
            try await repository.create(Measure.numbered(3)).value()
            #expect(await counts.values(3) == [0, 1, 2])
            #expect(await summaries.values(3).last?.sum == 10)
            counts.cancel()
            summaries.cancel()
        }
    }

    @Test("R18 limitation 11: a count is exact, even zero; an overflow is an error", arguments: StoreKind.allCases)
    func exact(kind: StoreKind) async throws {
        try await withRepository(kind, [Measure.self]) { repository in
            let none = repository.countSubscription(Measure.self) { $0.whole > 100 }.record()
            let sums = repository.sumSubscription(of: \Measure.whole).record()
            _ = await (none.values(1), sums.values(1))
            try await repository.insert(measures([1, 2, 3])).value()
            _ = await sums.values(2)
            try await repository.delete(Measure.self, id: 0).value()
            _ = await sums.values(3)
            let large = measures([0, 0, 0, .max, .max]).suffix(2)
            try await repository.insert(Array(large)).value()
            #expect(await none.values(2) == [0, 2])
            #expect(sums.values == [0, 6, 5])
            let end = await sums.end()
            guard case .failure(.overflow(entity: "Measure", column: "whole", _))? = end else {
                return #expect(Bool(false), "\(String(describing: end))")
            }
            await expectFailure(\.isOverflow) { try await repository.sum(of: \Measure.whole).value() }
            #expect(try await repository.count(Measure.self).value() == 4)
            none.cancel()
        }
    }

    @Test("R18 limitation 12: an average is a Double, or a Decimal for Decimals", arguments: StoreKind.allCases)
    func averages(kind: StoreKind) async throws {
        try await withRepository(kind, [Measure.self]) { repository in
            try await repository.insert(measures([1, 2])).value()
            let whole: Double? = try await repository.average(of: \Measure.whole).value()
            let price: Decimal? = try await repository.average(of: \Measure.price).value()
            #expect(whole == 1.5)
            #expect(price == Decimal(string: "1.5"))
            let live = repository.averageSubscription(of: \Measure.whole).record()
            _ = await live.values(1)
            try await repository.delete(Measure.self, id: 0).value()
            #expect(await live.values(2) == [1.5, 2])
            live.cancel()
        }
    }

    @Test("R18 limitation 13: minimum, maximum and average of no rows are nil", arguments: StoreKind.allCases)
    func nothing(kind: StoreKind) async throws {
        try await withRepository(kind, [Measure.self]) { repository in
            #expect(try await repository.min(of: \Measure.whole).value() == nil)
            #expect(try await repository.max(of: \Measure.text).value() == nil)
            #expect(try await repository.average(of: \Measure.price).value() == nil)
            let live = repository.maxSubscription(of: \Measure.whole).record()
            #expect(await live.values(1) == [nil])
            try await repository.insert(measures([4])).value()
            _ = await live.values(2)
            try await repository.delete(Measure.self, id: 0).value()
            #expect(await live.values(3) == [nil, 4, nil])
            live.cancel()
        }
    }

    @Test("R18 limitation 20: one engine serves every function, once and live", arguments: StoreKind.allCases)
    func oneEngine(kind: StoreKind) async throws {
        try await withRepository(kind, [Measure.self]) { repository in
            try await repository.insert(measures([3, -1, 7, 7])).value()
            let price = \Measure.price
            #expect(try await repository.aggregate(.sum, of: price).value() == 16)
            #expect(try await repository.aggregate(.average, of: price).value() == 4)
            #expect(try await repository.aggregate(.min, of: price).value() == -1)
            #expect(try await repository.aggregate(.max, of: price).value() == 7)
            let summary = try await repository.aggregate(.summary, of: price).value()
            #expect(try await repository.aggregate(.summary, of: price).value() == summary)
            #expect(try await repository.sum(of: price).value() == summary.sum)
            #expect(try await repository.average(of: price).value() == summary.average)
            #expect(try await repository.min(of: price).value() == summary.min)
            #expect(try await repository.max(of: price).value() == summary.max)
            #expect(try await repository.aggregateSubscription(.summary, of: price).value() == summary)
            let groups = try await repository.aggregate(.sum, of: price, groupedBy: \.isDone).value()
            #expect(try await repository.aggregateSubscription(.sum, of: price, groupedBy: \.isDone).value() == groups)
        }
    }
}
