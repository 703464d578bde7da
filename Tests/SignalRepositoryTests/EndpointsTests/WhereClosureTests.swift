import Foundation
import SignalRepository
import Signals
import SignalsTesting
import Testing

@Suite("Conditions in closures", .timeLimit(.minutes(10))) struct WhereClosureTests {
    private static let films = (1...12).map { Film.numbered($0, studio: $0 % 3 == 0 ? nil : "Studio \($0 % 3)") }
    /// What every closure here says.
    private static let condition: Condition<Film> = \.boxOffice > 4 && \.studio != nil
    private static let passing = films.filter { $0.boxOffice > 4 && $0.studio != nil }

    private func run(_ kind: StoreKind, _ body: (SQLiteRepository) async throws -> Void) async throws {
        try await withRepository(kind) { repository async throws in
            try await repository.insert(Self.films).value()
            try await body(repository)
        }
    }

    @Test("A closure counts, adds up and compares what its condition does", arguments: StoreKind.allCases)
    func aggregates(kind: StoreKind) async throws {
        try await run(kind) { repository async throws in
            let (gross, number) = (\Film.boxOffice, Self.passing.count)
            let amounts = Self.passing.map(\.boxOffice)
            let total = amounts.reduce(0, +)
            let count = try await repository.count(Film.self, where: { $0.boxOffice > 4 && $0.studio != nil }).value()
            #expect(count == number)
            let lines = try await repository.count(Film.self) {
                $0.boxOffice > 4
                $0.studio != nil
            }.value()
            #expect(lines == number)
            let sum = try await repository.sum(of: gross, where: { $0.boxOffice > 4 && $0.studio != nil }).value()
            #expect(sum == total)
            let average = try await repository.average(of: gross) { $0.boxOffice > 4 && $0.studio != nil }.value()
            #expect(average == total / Decimal(number))
            let least = try await repository.min(of: gross) { $0.boxOffice > 4 && $0.studio != nil }.value()
            let greatest = try await repository.max(of: gross) { $0.boxOffice > 4 && $0.studio != nil }.value()
            #expect(least == amounts.min() && greatest == amounts.max())
            let summary = try await repository.aggregate(of: gross) { $0.boxOffice > 4 && $0.studio != nil }.value()
            #expect(try await repository.aggregate(of: gross, where: Self.condition).value() == summary)
            let values = try await repository.aggregate(.count, of: \Film.studio) { $0.boxOffice > 4 }.value()
            #expect(values == Self.films.count { $0.boxOffice > 4 && $0.studio != nil })
        }
    }

    @Test("A closure makes the groups that its condition does", arguments: StoreKind.allCases)
    func groups(kind: StoreKind) async throws {
        try await run(kind) { repository async throws in
            let (gross, studio, some) = (\Film.boxOffice, \Film.studio, Self.condition)
            let counts = try await repository.count(
                Film.self, where: { $0.boxOffice > 4 && $0.studio != nil }, groupedBy: studio
            ).value()
            #expect(counts.map(\.key) == ["Studio 1", "Studio 2"])
            #expect(try await repository.count(Film.self, where: some, groupedBy: studio).value() == counts)
            let sums = try await repository.sum(
                of: gross, where: { $0.boxOffice > 4 && $0.studio != nil }, groupedBy: studio
            ).value()
            #expect(try await repository.sum(of: gross, where: some, groupedBy: studio).value() == sums)
            let averages = try await repository.average(
                of: gross, where: { $0.boxOffice > 4 && $0.studio != nil }, groupedBy: studio
            ).value()
            #expect(try await repository.average(of: gross, where: some, groupedBy: studio).value() == averages)
            let least = try await repository.min(
                of: gross, where: { $0.boxOffice > 4 && $0.studio != nil }, groupedBy: studio
            ).value()
            #expect(try await repository.min(of: gross, where: some, groupedBy: studio).value() == least)
            let greatest = try await repository.max(
                of: gross, where: { $0.boxOffice > 4 && $0.studio != nil }, groupedBy: studio
            ).value()
            #expect(try await repository.max(of: gross, where: some, groupedBy: studio).value() == greatest)
            let summaries = try await repository.aggregate(
                of: gross, where: { $0.boxOffice > 4 && $0.studio != nil }, groupedBy: studio
            ).value()
            #expect(try await repository.aggregate(of: gross, where: some, groupedBy: studio).value() == summaries)
            let values = try await repository.aggregate(
                .sum, of: gross, where: { $0.boxOffice > 4 && $0.studio != nil }, groupedBy: studio
            ).value()
            #expect(values == sums)
        }
    }

    @Test("R4 A live result follows the condition of its closure", arguments: StoreKind.allCases)
    func live(kind: StoreKind) async throws {
        try await run(kind) { repository async throws in
            let gross = \Film.boxOffice
            let count = repository.countSubscription(Film.self) { $0.boxOffice > 10 }.record()
            let sum = repository.sumSubscription(of: gross) { $0.boxOffice > 10 }.record()
            let average = repository.averageSubscription(of: gross) { $0.boxOffice > 10 }.record()
            let least = repository.minSubscription(of: gross) { $0.boxOffice > 10 }.record()
            let greatest = repository.maxSubscription(of: gross) { $0.boxOffice > 10 }.record()
            let summary = repository.aggregateSubscription(of: gross) { $0.boxOffice > 10 }.record()
            let total = repository.aggregateSubscription(.sum, of: gross) { $0.boxOffice > 10 }.record()
            let groups = repository.countSubscription(
                Film.self, where: { $0.boxOffice > 10 }, groupedBy: \.studio
            ).record()
            #expect(await count.values(1) == [2])
            #expect(await sum.values(1) == [23])
            #expect(await total.values(1) == [23])
            #expect(await average.values(1) == [11.5])
            #expect(await least.values(1) == [11])
            #expect(await greatest.values(1) == [12])
            #expect(await summary.values(1).map(\.sum) == [23])
            #expect(await groups.values(1).first?.map(\.key) == [nil, "Studio 2"])
            // The first passes nothing.
            try await repository.create([Film.numbered(13, boxOffice: 10), Film.numbered(14, boxOffice: 7)]).value()
            try await repository.create(Film.numbered(15, boxOffice: 13)).value()
            #expect(await count.values(2) == [2, 3])
            #expect(await sum.values(2) == [23, 36])
            #expect(await total.values(2) == [23, 36])
            #expect(await average.values(2) == [11.5, 12])
            #expect(await greatest.values(2) == [12, 13])
            #expect(await summary.values(2).map(\.sum) == [23, 36])
            #expect(await groups.values(2).last?.map(\.value) == [2, 1])
            for token in [count, sum, average, least, greatest, summary, total, groups] as [any Ending] {
                token.cancel()
            }
        }
    }

    @Test("A closure deletes and changes what its condition does", arguments: StoreKind.allCases)
    func writes(kind: StoreKind) async throws {
        try await run(kind) { repository async throws in
            let rename = [Assignment<Film>.set(\.title, to: "late")]
            // No closure stands in a macro: the compiler takes it for the next one of the function.
            let count = try await repository.update(Film.self, set: rename) { $0.boxOffice > 10 }.value()
            #expect(count == 2)
            let ids = try await repository.updateReturningIDs(Film.self, set: rename) { $0.boxOffice > 9 }.value()
            #expect(Set(ids) == Set((10...12).map { Film.id($0) }))
            let late = try await repository.count(Film.self) { $0.title == "late" }.value()
            #expect(late == 3)
            let deleted = try await repository.delete(Film.self) { $0.title == "late" && $0.studio == nil }.value()
            #expect(deleted == 1)
            let gone = try await repository.deleteReturningIDs(Film.self) { $0.title == "late" }.value()
            #expect(Set(gone) == Set([10, 11].map { Film.id($0) }))
            #expect(try await repository.fetch(Film.all).value() == Array(Self.films.prefix(9)))
        }
    }

    @Test("Inside a transaction a closure does the same", arguments: StoreKind.allCases)
    func inside(kind: StoreKind) async throws {
        try await run(kind) { repository async throws in
            try await repository.transaction { store in
                let (gross, studio, some) = (\Film.boxOffice, \Film.studio, \Film.boxOffice > 8)
                try expectSame(store.count(Film.self) { $0.boxOffice > 8 }, store.count(Film.self, where: some))
                try expectSame(store.sum(of: gross) { $0.boxOffice > 8 }, store.sum(of: gross, where: some))
                try expectSame(store.average(of: gross) { $0.boxOffice > 8 }, store.average(of: gross, where: some))
                try expectSame(store.min(of: gross) { $0.boxOffice > 8 }, store.min(of: gross, where: some))
                try expectSame(store.max(of: gross) { $0.boxOffice > 8 }, store.max(of: gross, where: some))
                try expectSame(store.aggregate(of: gross) { $0.boxOffice > 8 }, store.aggregate(of: gross, where: some))
                try expectSame(
                    store.aggregate(.max, of: gross) { $0.boxOffice > 8 }, store.aggregate(.max, of: gross, where: some)
                )
                try expectSame(
                    store.count(Film.self, where: { $0.boxOffice > 8 }, groupedBy: studio),
                    store.count(Film.self, where: some, groupedBy: studio))
                try expectSame(
                    store.sum(of: gross, where: { $0.boxOffice > 8 }, groupedBy: studio),
                    store.sum(of: gross, where: some, groupedBy: studio))
                try expectSame(
                    store.average(of: gross, where: { $0.boxOffice > 8 }, groupedBy: studio),
                    store.average(of: gross, where: some, groupedBy: studio))
                try expectSame(
                    store.min(of: gross, where: { $0.boxOffice > 8 }, groupedBy: studio),
                    store.min(of: gross, where: some, groupedBy: studio))
                try expectSame(
                    store.max(of: gross, where: { $0.boxOffice > 8 }, groupedBy: studio),
                    store.max(of: gross, where: some, groupedBy: studio))
                try expectSame(
                    store.aggregate(of: gross, where: { $0.boxOffice > 8 }, groupedBy: studio),
                    store.aggregate(of: gross, where: some, groupedBy: studio))
                try expectSame(
                    store.aggregate(.min, of: gross, where: { $0.boxOffice > 8 }, groupedBy: studio),
                    store.aggregate(.min, of: gross, where: some, groupedBy: studio))
                let rename = [Assignment<Film>.set(\.title, to: "late")]
                try expectSame(store.update(Film.self, set: rename) { $0.boxOffice > 10 }, 2)
                try expectSame(store.updateReturningIDs(Film.self, set: rename) { $0.boxOffice > 11 }, [Film.id(12)])
                try expectSame(store.deleteReturningIDs(Film.self) { $0.boxOffice > 11 }, [Film.id(12)])
                try expectSame(store.delete(Film.self) { $0.title == "late" }, 1)
            }.value()
            #expect(try await repository.count(Film.self, where: nil).value() == 10)
        }
    }
}

/// Something that is recorded.
private protocol Ending {
    func cancel()
}

extension Recorder: Ending {}

private func expectSame<Value: Equatable>(
    _ left: Value, _ right: Value, sourceLocation: SourceLocation = #_sourceLocation
) {
    #expect(left == right, sourceLocation: sourceLocation)
}
