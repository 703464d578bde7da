import Foundation
import SignalRepository
import Signals
import Testing

@Suite("count, sum, average, min, max", .timeLimit(.minutes(10))) struct AggregateTests {
    @Test("R15 Every function agrees with plain Swift over random rows", arguments: StoreKind.allCases, 0..<6)
    func random(kind: StoreKind, seed: Int) async throws {
        var random = SeededGenerator(seed: UInt64(seed))
        let rows = (0..<200).map { Measure.random($0, &random) }
        try await withRepository(kind, [Measure.self]) { repository in
            _ = try await repository.insert(rows).first()
            let limit = Int.random(in: -25...25, using: &random)
            let some = rows.filter { $0.whole > limit }
            let condition: Condition<Measure> = \.whole > limit
            #expect(try await repository.count(Measure.self, where: condition).first() == some.count)

            let wholes = some.map(\.whole)
            #expect(try await repository.sum(of: \.whole, where: condition).first() == wholes.reduce(0, +))
            let mean = wholes.isEmpty ? nil : Double(wholes.reduce(0, +)) / Double(wholes.count)
            #expect(try await repository.average(of: \.whole, where: condition).first() == mean)
            #expect(try await repository.min(of: \.whole, where: condition).first() == wholes.min())
            #expect(try await repository.max(of: \.whole, where: condition).first() == wholes.max())

            let smalls = some.compactMap(\.small)
            #expect(
                try await repository.sum(of: \.small, where: condition).first() == smalls.reduce(0) { $0 + Int($1) })
            #expect(try await repository.max(of: \.small, where: condition).first() == smalls.max())

            let reals = some.compactMap(\.maybeReal)
            #expect(try await repository.sum(of: \.maybeReal, where: condition).first() == reals.reduce(0, +))
            let realMean = reals.isEmpty ? nil : reals.reduce(0, +) / Double(reals.count)
            #expect(try await repository.average(of: \.maybeReal, where: condition).first() == realMean)

            let prices = some.compactMap(\.maybePrice)
            let total = prices.reduce(0, +)
            #expect(try await repository.sum(of: \.maybePrice, where: condition).first() == total)
            let priceMean = prices.isEmpty ? nil : total / Decimal(prices.count)
            let summary = try await repository.aggregate(of: \.maybePrice, where: condition).first()
            #expect(summary.count == prices.count && summary.sum == total && summary.average == priceMean)
            #expect(summary.min == prices.min() && summary.max == prices.max())

            #expect(try await repository.min(of: \.date, where: condition).first() == some.map(\.date).min())
            #expect(try await repository.max(of: \.date, where: condition).first() == some.map(\.date).max())
        }
    }

    @Test("R15 groupedBy gives every group, in order, nil first", arguments: StoreKind.allCases, 0..<4)
    func groups(kind: StoreKind, seed: Int) async throws {
        var random = SeededGenerator(seed: UInt64(seed))
        let rows = (0..<150).map { Measure.random($0, &random) }
        let groups = Dictionary(grouping: rows, by: \.kind)
        let keys = groups.keys.sorted { left, right in
            guard let left, let right else { return left == nil && right != nil }
            return left.utf8.lexicographicallyPrecedes(right.utf8)
        }
        func expected<Value>(_ value: ([Measure]) -> Value) -> [Grouped<String?, Value>] {
            keys.map { Grouped(key: $0, value: value(groups[$0] ?? [])) }
        }
        try await withRepository(kind, [Measure.self]) { repository in
            _ = try await repository.insert(rows).first()
            let counts = try await repository.count(Measure.self, groupedBy: \.kind).first()
            #expect(counts == expected(\.count))
            let sums = try await repository.sum(of: \.price, groupedBy: \Measure.kind).first()
            #expect(sums == expected { $0.reduce(0) { $0 + $1.price } })
            let greatest = try await repository.max(of: \.small, groupedBy: \Measure.kind).first()
            #expect(greatest == expected { $0.compactMap(\.small).max() })
            let least = try await repository.min(of: \.whole, groupedBy: \Measure.kind).first()
            #expect(least == expected { $0.map(\.whole).min() })
            let means = try await repository.average(of: \.whole, groupedBy: \Measure.kind).first()
            #expect(means == expected { Double($0.reduce(0) { $0 + $1.whole }) / Double($0.count) })
            let whole = try await repository.aggregate(of: \.price, groupedBy: \Measure.kind).first()
            #expect(whole.map(\.value.sum) == sums.map(\.value))
            let byBool = try await repository.count(Measure.self, where: \.whole > 0, groupedBy: \.isDone).first()
            #expect(byBool.map(\.key) == [false, true])
            let byScale = try await repository.count(Measure.self, groupedBy: \.maybePrice).first()
            #expect(byScale.map(\.key) == Set(rows.map(\.maybePrice)).sorted { ($0 ?? -999) < ($1 ?? -999) })
        }
    }

    @Test("R15 Of nothing: the sum is 0, the others are nil", arguments: StoreKind.allCases)
    func nothing(kind: StoreKind) async throws {
        try await withRepository(kind, [Measure.self]) { repository in
            #expect(try await repository.count(Measure.self).first() == 0)
            #expect(try await repository.sum(of: \Measure.whole).first() == 0)
            #expect(try await repository.sum(of: \Measure.real).first() == 0)
            #expect(try await repository.sum(of: \Measure.maybePrice).first() == 0)
            #expect(try await repository.average(of: \Measure.whole).first() == nil)
            #expect(try await repository.average(of: \Measure.price).first() == nil)
            #expect(try await repository.min(of: \Measure.text).first() == nil)
            #expect(try await repository.max(of: \Measure.maybeReal).first() == nil)
            let summary = try await repository.aggregate(of: \Measure.price).first()
            #expect(summary.count == 0 && summary.sum == 0 && summary.average == nil && summary.min == nil)
            #expect(try await repository.sum(of: \Measure.whole, groupedBy: \.kind).first().isEmpty)
        }
    }

    @Test("R15 A sum that does not fit is an error; one that fits in the end is exact", arguments: StoreKind.allCases)
    func overflow(kind: StoreKind) async throws {
        try await withRepository(kind, [Extreme.self]) { repository in
            let extremes = [Int.max, 1, Int.max, -1, .min, .min].enumerated().map {
                Extreme(id: $0.offset, whole: $0.element, price: $0.offset < 3 ? Extreme.largest : 0, real: 0)
            }
            _ = try await repository.insert(extremes).first()
            #expect(try await repository.sum(of: \Extreme.whole).first() == -2)
            #expect(try await repository.average(of: \Extreme.whole).first() == -2.0 / 6)
            await expectFailure(\.isOverflow) { try await repository.sum(of: \Extreme.whole, where: \.id < 3).first() }
            await expectFailure(\.isOverflow) { try await repository.sum(of: \Extreme.whole, where: \.id >= 3).first() }
            #expect(try await repository.average(of: \Extreme.whole, where: \.id < 3).first() == 0x1p63 * 2 / 3)
            #expect(try await repository.sum(of: \Extreme.price).first() == Extreme.largest * 3)
            #expect(try await repository.average(of: \Extreme.price, where: \.id < 3).first() == Extreme.largest)
        }
    }

    @Test("R15 Infinities of both signs have no sum", arguments: StoreKind.allCases)
    func infinities(kind: StoreKind) async throws {
        try await withRepository(kind, [Extreme.self]) { repository in
            let reals: [Double] = [.infinity, 1, -.infinity]
            _ = try await repository.insert(
                reals.enumerated().map { Extreme(id: $0.offset, whole: 0, price: 0, real: $0.element) }
            ).first()
            #expect(try await repository.sum(of: \Extreme.real, where: \.id < 2).first() == .infinity)
            await expectFailure(\.isOverflow) { try await repository.sum(of: \Extreme.real).first() }
        }
    }

    @Test("Inside transactions the verbs do the same, and see what was written before", arguments: StoreKind.allCases)
    func inside(kind: StoreKind) async throws {
        try await withRepository(kind) { repository in
            try await repository.transaction { store in
                try store.insert((1...4).map { Film.numbered($0, studio: $0 > 2 ? "A" : nil) })
                #expect(try store.count(Film.self) == 4)
                #expect(try store.count(Film.all.limit(3)) == 3)
                #expect(try store.sum(of: \Film.boxOffice) == 10)
                #expect(try store.average(of: \Film.boxOffice) == Decimal(string: "2.5"))
                #expect(try store.min(of: \Film.title) == "Film 1")
                #expect(try store.max(of: \Film.boxOffice, where: \.studio == nil) == 2)
                #expect(try store.aggregate(of: \Film.boxOffice).count == 4)
                #expect(try store.aggregate(.max, of: \Film.id) == Film.id(4))
                #expect(try store.count(Film.self, groupedBy: \.studio).map(\.value) == [2, 2])
                #expect(try store.sum(of: \Film.boxOffice, groupedBy: \.studio).map(\.value) == [3, 7])
                #expect(try store.average(of: \Film.boxOffice, groupedBy: \.studio).count == 2)
                #expect(try store.min(of: \Film.boxOffice, groupedBy: \.studio).map(\.value) == [1, 3])
                #expect(try store.max(of: \Film.boxOffice, groupedBy: \.studio).map(\.value) == [2, 4])
                #expect(try store.aggregate(of: \Film.boxOffice, groupedBy: \.studio).map(\.value.count) == [2, 2])
            }.first()
        }
    }
}

private struct Extreme: Entity {
    let id: Int
    let whole: Int
    let price: Decimal
    let real: Double

    static let largest = Decimal(Int.max) / 100

    static let schema = Schema(
        Column("id", \Extreme.id), Column("whole", \.whole), Column("price", \.price, .scale(2)),
        Column("real", \.real), make: Extreme.init)
}
