import Foundation
import Signals
import SignalsTesting
import Testing

@testable import RepositoryCore
@testable import SignalRepository

@Suite("Aggregates that are updated in place", .timeLimit(.minutes(10))) struct GroupsMaintainerTests {
    @Test("R4 After a failed read, an aggregate takes in no rows until it has been read")
    func unread() throws {
        let memory = try Memory<Box<Int>>()
        try memory.insert(Box(id: 1, value: 7))
        let session = Session(memory.connection)
        let aggregation = Result { () throws(RepositoryError) in
            try Aggregation(AggregateFunction<Int, Int>.sum, of: \Box<Int>.value, over: Box.all)
        }
        let query = LiveQuery { store in try aggregation.get().value(in: store) }.following(aggregation)
        let maintainer = try #require(query.maintainer?(StoreRules(isSQLite: true)))
        #expect(try maintainer.fill(in: ReadTransaction(session, CancellationFlag())) == 7)
        let layout = try #require(try memory.connection.tableLayouts()["Box"])
        let changes = TableChanges(
            layout,
            [
                RowChange(
                    key: .value(.integer(2)), old: nil, new: [.integer(2), .integer(3)], ids: RowIDs(old: 2, new: 2))
            ])
        let cancelled = CancellationFlag()
        cancelled.cancel()
        #expect(throws: RepositoryError.self) { try maintainer.fill(in: ReadTransaction(session, cancelled)) }
        #expect(maintainer.apply(changes) == .needsReread)
        #expect(try maintainer.fill(in: ReadTransaction(session, CancellationFlag())) == 7)
        #expect(maintainer.apply(changes) == .updatedInPlace)
        #expect(try maintainer.output() == 10)
    }

    @Test(
        "R4 R15 Live averages and sums of large numbers are as exact as fresh ones", arguments: StoreKind.allCases)
    func large(kind: StoreKind) async throws {
        try await withRepository(kind, [Measure.self]) { repository in
            let numbers = [Int.max, .max - 1, -.max, 1 << 53 + 1, -3, .min, 7]
            try await repository.insert(
                numbers.indices.map { number in
                    var row = Measure.numbered(number)
                    row.whole = numbers[number]
                    return row
                }
            ).value()
            let averages = Measure.all.aggregate { ($0.whole.average(), ($0.whole / 4).sum()) }
            let term = repository.firstSubscription(averages).map { $0?.0 }.record()
            let column = repository.averageSubscription(of: \Measure.whole).record()
            for id in 0..<6 {
                let left = numbers[id...].map { Int128($0) }
                let average = Double(left.reduce(0, +)) / Double(left.count)
                await term.values { $0 == average }
                await column.values { $0 == average }
                #expect(term.values.last == average && column.values.last == average)
                let fresh = try await repository.first(averages).value()
                #expect(fresh?.0 == average && fresh?.1 == numbers[id...].reduce(0) { $0 + $1 / 4 })
                #expect(try await repository.average(of: \Measure.whole).value() == average)
                try await repository.delete(Measure.self, id: id).value()
            }
            #expect(repository.statistics.updatedInPlace > 0)
            term.cancel()
            column.cancel()
        }
    }

    @Test(
        "V7 Averages of groups whose numbers add up to more than 2^53 are not read again", arguments: StoreKind.allCases
    )
    func largeAverages(kind: StoreKind) async throws {
        try await withRepository(kind, [Measure.self]) { repository in
            let large = (0..<8).map { number in
                var row = Measure.numbered(number)
                row.whole = 1 << 52 + number
                return row
            }
            try await repository.insert(large).value()
            let groups = repository.fetchSubscription(
                Measure.all.grouped { $0.whole % 2 }.aggregate { $0.whole.average() }
            ).map { (rows: [(Int, Double?)]) in rows.map { $0.1 ?? 0 } }.record()
            func average(_ parity: Int, _ last: Int) -> Double {
                let numbers = (large.dropLast().map(\.whole) + [last]).filter { $0 % 2 == parity }
                return Double(numbers.reduce(Int128(0)) { $0 + Int128($1) }) / Double(numbers.count)
            }
            _ = await groups.values(1)
            let before = repository.statistics
            for change in 1...20 {
                var row = large[7]
                row.whole = 1 << 52 + 7 + 2 * change
                try await repository.update(row).value()
                await groups.reaches { $0 == [average(0, row.whole), average(1, row.whole)] }
            }
            let after = repository.statistics
            #expect(after.reread == before.reread && after.updatedInPlace > before.updatedInPlace)
            groups.cancel()
        }
    }

    @Test(
        "R20 If a sum overflows in the commit that removes the last known extreme, the query fails as .overflow",
        arguments: StoreKind.allCases)
    func overflowOnRefill(kind: StoreKind) async throws {
        try await withRepository(kind, [Measure.self]) { repository async throws in
            try await repository.insert((1...3).map { Measure.numbered($0) }).value()
            let query = Measure.all.aggregate { ($0.id.min(), $0.whole.sum()) }
            let totals = repository.fetchSubscription(query).map { rows in rows.map { $0.0 } }.record()
            #expect(await totals.values(1) == [[1]])
            try await repository.transaction { store in
                try store.delete(Measure.self, id: 1)
                for id in 2...3 {
                    var large = Measure.numbered(id)
                    large.whole = .max
                    try store.update(large)
                }
            }.value()
            await expectFailure(\.isOverflow) { try await repository.fetch(query).value() }
            guard case .failure(.overflow) = await totals.end() else {
                return #expect(Bool(false), "\(totals.history)")
            }
        }
    }

    @Test("R4 Many groups come, go and lose their extremes in one commit", arguments: StoreKind.allCases)
    func manyGroups(kind: StoreKind) async throws {
        try await withRepository(kind, [Measure.self]) { repository async throws in
            @Sendable func rows(_ numbers: StrideTo<Int>, by size: Int) -> [Measure] {
                numbers.map { number in
                    var row = Measure.numbered(number)
                    (row.whole, row.small) = (number / size, Int8(number % size))
                    return row
                }
            }
            try await repository.insert(rows(stride(from: 0, to: 120, by: 1), by: 3)).value()
            let query = Measure.all.grouped { $0.whole }.aggregate { ($0.id.count(), $0.small.min(), $0.small.max()) }
            let groups = repository.fetchSubscription(query).map { rows in rows.map { [$0.0, $0.1, Int($0.2 ?? 0)] } }
                .record()
            _ = await groups.values(1)
            let commits: [@Sendable (WriteTransaction) throws -> Void] = [
                { try $0.delete(Measure.self) { $0.small == 0 } },
                { store in
                    try store.delete(Measure.self) { $0.whole < 10 || $0.whole > 30 }
                    try store.insert(rows(stride(from: 200, to: 260, by: 1), by: 2))
                    try store.insert(rows(stride(from: 0, to: 12, by: 1), by: 2))
                },
                { try $0.delete(Measure.self) { $0.small == 2 && $0.whole < 15 } },
                { try $0.delete(Measure.self) { _ in .true } },
                { try $0.insert(rows(stride(from: 3, to: 9, by: 1), by: 3)) },
            ]
            for commit in commits {
                try await repository.transaction(commit).value()
                let fresh = try await repository.fetch(query).value().map { [$0.0, $0.1, Int($0.2 ?? 0)] }
                await groups.values { $0 == fresh }
                #expect(groups.values.last == fresh)
            }
            #expect(repository.statistics.updatedInPlace > 0)
            groups.cancel()
        }
    }
}
