import Foundation
import Signals
import SignalsTesting
import Testing

@testable import RepositoryCore
@testable import SignalRepository

/// Conditions in closures mean what they say, and each endpoint takes one without a type annotation.
@Suite("Conditions in closures", .timeLimit(.minutes(10))) struct ConditionBuilderTests {
    private static let films = (1...12).map { Film.numbered($0, studio: $0 % 3 == 0 ? nil : "Studio \($0 % 3)") }

    private func withFilms(_ kind: StoreKind, _ body: (any Repository) async throws -> Void) async throws {
        try await withRepository(kind) { repository async throws in
            try await repository.insert(Self.films).value()
            try await body(repository)
        }
    }

    @Test("All lines of a closure must hold", arguments: [nil, "Studio 2"], [[], [1], [1, 2]])
    func lines(studio: String?, numbers: [Int]) async throws {
        try await withFilms(.memory) { repository async throws in
            func expect(_ condition: Condition<Film>, _ test: (Film) -> Bool) async throws {
                let found = try await repository.fetch(Film.where(condition)).value()
                #expect(found == Self.films.filter(test))
            }
            try await expect(Condition { $0.boxOffice > 4 && $0.studio != nil }) {
                $0.boxOffice > 4 && $0.studio != nil
            }
            let lines = Condition<Film> {
                $0.boxOffice > 4
                $0.studio == nil || $0.title < "Film 6"
                !$0.title.hasSuffix("2")
            }
            try await expect(lines) {
                $0.boxOffice > 4 && ($0.studio == nil || $0.title < "Film 6") && !$0.title.hasSuffix("2")
            }
            let perhaps = Condition<Film> {
                if let studio { $0.studio == studio }
                $0.boxOffice < 9
            }
            try await expect(perhaps) { (studio == nil || $0.studio == studio) && $0.boxOffice < 9 }
            try await expect(Condition { if studio == nil { $0.boxOffice < 4 } else { $0.boxOffice > 4 } }) {
                studio == nil ? $0.boxOffice < 4 : $0.boxOffice > 4
            }
            let others = Condition<Film> { film in
                for number in numbers { film.title != "Film \(number)" }
            }
            try await expect(others) { film in !numbers.contains { film.title == "Film \($0)" } }
            let isBelow = { (limit: Decimal) in Condition<Film> { $0.boxOffice < limit } }
            try await expect(Condition { isBelow(8) && !isBelow(4) || $0.studio == nil }) {
                $0.boxOffice < 8 && $0.boxOffice >= 4 || $0.studio == nil
            }
        }
    }

    @Test("Joins and searches take conditions in closures too")
    func rows() throws {
        let pairs = Striker.joined(to: Club.self)
        let inCities = pairs.where(Condition { player, team in player.goals > 2 && team.city != nil })
        try expectSame(inCities.condition, pairs.where { $0.goals > 2 && $1.city != nil }.condition)
        let outer = Striker.leftJoined(to: Club.self)
        try expectSame(outer.where(Condition { $1.id == nil }).condition, outer.where { $1.id == nil }.condition)
        try expectSame(
            StrikerInfo.all.where(Condition { $0.player.goals > 2 && $0.coach.id > 1 }).condition,
            StrikerInfo.where { $0.player.goals > 2 && $0.coach.id > 1 }.condition)
        let found = MatchTests.Article.matching("fox")
        try expectSame(found.where(Condition { $0.year < 1991 }).condition, found.where { $0.year < 1991 }.condition)
        let teams = Club.all.including(many: Striker.all, by: \.teamID)
        try expectSame(
            teams.where(Condition { $0.city != nil }).query.condition, teams.where { $0.city != nil }.query.condition)
    }

    @Test("Aggregates take a condition in a closure", arguments: StoreKind.allCases)
    func aggregates(kind: StoreKind) async throws {
        try await withFilms(kind) { repository async throws in
            let gross = \Film.boxOffice
            let passing = Self.films.filter { $0.boxOffice > 4 && $0.studio != nil }
            let (amounts, number) = (passing.map(\.boxOffice), passing.count)
            let total = amounts.reduce(0, +)
            let count = repository.count(Film.self) { $0.boxOffice > 4 && $0.studio != nil }
            #expect(try await count.value() == number)
            let lines = repository.count(
                Film.self
            ) {
                $0.boxOffice > 4
                $0.studio != nil
            }
            #expect(try await lines.value() == number)
            let sum = repository.sum(of: gross) { $0.boxOffice > 4 && $0.studio != nil }
            #expect(try await sum.value() == total)
            let average = repository.average(of: gross) { $0.boxOffice > 4 && $0.studio != nil }
            #expect(try await average.value() == total / Decimal(number))
            let least = repository.min(of: gross) { $0.boxOffice > 4 && $0.studio != nil }
            #expect(try await least.value() == amounts.min())
            let greatest = repository.max(of: gross) { $0.boxOffice > 4 && $0.studio != nil }
            #expect(try await greatest.value() == amounts.max())
            let summary = repository.aggregate(.summary, of: gross) { $0.boxOffice > 4 && $0.studio != nil }
            #expect(try await summary.value().sum == total)
            let values = repository.aggregate(.count, of: \Film.studio) { $0.boxOffice > 4 }
            #expect(try await values.value() == number)
        }
    }

    @Test("Aggregates by groups take a condition in a closure", arguments: StoreKind.allCases)
    func groups(kind: StoreKind) async throws {
        try await withFilms(kind) { repository async throws in
            let (gross, studio) = (\Film.boxOffice, \Film.studio)
            // Of the films 9 to 12, two have no studio, and the two studios have one each.
            let counts = repository.fetch(Film.where { $0.boxOffice > 8 }.count(groupedBy: studio))
            #expect(try await counts.value().map(\.key) == [nil, "Studio 1", "Studio 2"])
            #expect(try await counts.value().map(\.value) == [2, 1, 1])
            let sums = repository.aggregate(.sum, of: gross, groupedBy: studio) { $0.boxOffice > 8 }
            #expect(try await sums.value().map(\.value) == [21, 10, 11])
            let averages = repository.aggregate(
                .average, of: gross, groupedBy: studio
            ) { $0.boxOffice > 8 }
            #expect(try await averages.value().map(\.value) == [10.5, 10, 11])
            let least = repository.aggregate(.min, of: gross, groupedBy: studio) { $0.boxOffice > 8 }
            #expect(try await least.value().map(\.value) == [9, 10, 11])
            let greatest = repository.aggregate(
                .max, of: gross, groupedBy: studio
            ) { $0.boxOffice > 8 }
            #expect(try await greatest.value().map(\.value) == [12, 10, 11])
            let summaries = repository.aggregate(
                .summary, of: gross, groupedBy: studio
            ) { $0.boxOffice > 8 }
            #expect(try await summaries.value().map(\.value.sum) == [21, 10, 11])
            let totals = repository.aggregate(
                .sum, of: gross, groupedBy: studio
            ) { $0.boxOffice > 8 }
            #expect(try await totals.value() == sums.value())
        }
    }

    @Test("R4 A live result follows the condition of a closure", arguments: StoreKind.allCases)
    func live(kind: StoreKind) async throws {
        try await withFilms(kind) { repository async throws in
            let gross = \Film.boxOffice
            let count = repository.countSubscription(Film.self) { $0.boxOffice > 10 }.record()
            let sum = repository.sumSubscription(of: gross) { $0.boxOffice > 10 }.record()
            let average = repository.averageSubscription(of: gross) { $0.boxOffice > 10 }.record()
            let least = repository.minSubscription(of: gross) { $0.boxOffice > 10 }.record()
            let greatest = repository.maxSubscription(of: gross) { $0.boxOffice > 10 }.record()
            let summary = repository.aggregateSubscription(.summary, of: gross) { $0.boxOffice > 10 }.record()
            let total = repository.aggregateSubscription(
                .sum, of: gross
            ) { $0.boxOffice > 10 }.record()
            #expect(await count.values(1) == [2])
            #expect(await sum.values(1) == [23])
            #expect(await total.values(1) == [23])
            #expect(await average.values(1) == [11.5])
            #expect(await least.values(1) == [11])
            #expect(await greatest.values(1) == [12])
            #expect(await summary.values(1).map(\.sum) == [23])
            // Neither of these two films passes the condition.
            try await repository.create([Film.numbered(13, boxOffice: 10), Film.numbered(14, boxOffice: 7)]).value()
            try await repository.create(Film.numbered(15, boxOffice: 13)).value()
            #expect(await count.values(2) == [2, 3])
            #expect(await sum.values(2) == [23, 36])
            #expect(await total.values(2) == [23, 36])
            #expect(await average.values(2) == [11.5, 12])
            #expect(await greatest.values(2) == [12, 13])
            #expect(await summary.values(2).map(\.sum) == [23, 36])
            for token in [count, sum, average, least, greatest, summary, total] as [any Ending] { token.cancel() }
        }
    }

    @Test("R4 Live groups follow the condition of a closure", arguments: StoreKind.allCases)
    func liveGroups(kind: StoreKind) async throws {
        try await withFilms(kind) { repository async throws in
            let (gross, studio) = (\Film.boxOffice, \Film.studio)
            let count = repository.follow(Film.where { $0.boxOffice > 10 }.count(groupedBy: studio)).record()
            let sum = repository.aggregateSubscription(
                .sum, of: gross, groupedBy: studio
            ) { $0.boxOffice > 10 }.record()
            let average = repository.aggregateSubscription(
                .average, of: gross, groupedBy: studio
            ) { $0.boxOffice > 10 }.record()
            let least = repository.aggregateSubscription(
                .min, of: gross, groupedBy: studio
            ) { $0.boxOffice > 10 }.record()
            let greatest = repository.aggregateSubscription(
                .max, of: gross, groupedBy: studio
            ) { $0.boxOffice > 10 }.record()
            let summary = repository.aggregateSubscription(
                .summary, of: gross, groupedBy: studio
            ) { $0.boxOffice > 10 }.record()
            let total = repository.aggregateSubscription(
                .sum, of: gross, groupedBy: studio
            ) { $0.boxOffice > 10 }.record()
            #expect(await count.values(1).first?.map(\.key) == [nil, "Studio 2"])
            #expect(await sum.values(1).first?.map(\.value) == [12, 11])
            #expect(await average.values(1).first?.map(\.value) == [12, 11])
            #expect(await least.values(1).first?.map(\.value) == [12, 11])
            #expect(await greatest.values(1).first?.map(\.value) == [12, 11])
            #expect(await summary.values(1).first?.map(\.value.sum) == [12, 11])
            #expect(await total.values(1).first?.map(\.value) == [12, 11])
            try await repository.create([Film.numbered(13, boxOffice: 10), Film.numbered(14, boxOffice: 7)]).value()
            try await repository.create(Film.numbered(15, boxOffice: 13)).value()
            #expect(await count.values(2).last?.map(\.value) == [2, 1])
            for token in [count, sum, average, least, greatest, summary, total] as [any Ending] { token.cancel() }
        }
    }

    @Test("Deletions and updates take a condition in a closure", arguments: StoreKind.allCases)
    func writes(kind: StoreKind) async throws {
        try await withFilms(kind) { repository async throws in
            let rename = [Assignment<Film>.set(\.title, to: "late")]
            let update = repository.update(Film.self, set: rename) { $0.boxOffice > 10 }
            #expect(try await update.value() == 2)
            let ids = repository.updateReturningIDs(Film.self, set: rename) { $0.boxOffice > 9 }
            #expect(try await Set(ids.value()) == Set((10...12).map { Film.id($0) }))
            let late = repository.count(Film.self) { $0.title == "late" }
            #expect(try await late.value() == 3)
            let deletion = repository.delete(Film.self) { $0.title == "late" && $0.studio == nil }
            #expect(try await deletion.value() == 1)
            let gone = repository.deleteReturningIDs(Film.self) { $0.title == "late" }
            #expect(try await Set(gone.value()) == Set([10, 11].map { Film.id($0) }))
            #expect(try await repository.fetch(Film.all).value() == Array(Self.films.prefix(9)))
        }
    }

    @Test("Inside a transaction the endpoints take a condition in a closure too", arguments: StoreKind.allCases)
    func inside(kind: StoreKind) async throws {
        try await withFilms(kind) { repository async throws in
            try await repository.transaction { store in
                let (gross, studio) = (\Film.boxOffice, \Film.studio)
                #expect(try store.count(Film.self) { $0.boxOffice > 8 } == 4)
                let large = Film.where { $0.boxOffice > 8 }
                #expect(try store.fetch(large.sum(of: gross)) == 42)
                #expect(try store.fetch(large.average(of: gross)) == 10.5)
                #expect(try store.fetch(large.min(of: gross)) == 9)
                #expect(try store.fetch(Film.where { $0.boxOffice < 8 }.max(of: gross)) == 7)
                #expect(try store.fetch(large.summary(of: gross)).sum == 42)
                #expect(try store.fetch(Film.where { $0.boxOffice < 8 }.max(of: gross)) == 7)
                let counts = try store.fetch(Film.where { $0.boxOffice > 8 }.count(groupedBy: studio))
                #expect(counts.map(\.value) == [2, 1, 1])
                let sums = try store.fetch(
                    Film.where { $0.boxOffice > 8 }.aggregate(.sum, of: gross, groupedBy: studio))
                #expect(sums.map(\.value) == [21, 10, 11])
                let averages = try store.fetch(
                    Film.where { $0.boxOffice > 8 }.aggregate(.average, of: gross, groupedBy: studio))
                #expect(averages.map(\.value) == [10.5, 10, 11])
                let least = try store.fetch(
                    Film.where { $0.boxOffice > 8 }.aggregate(.min, of: gross, groupedBy: studio))
                #expect(least.map(\.value) == [9, 10, 11])
                let greatest = try store.fetch(
                    Film.where { $0.boxOffice > 8 }.aggregate(.max, of: gross, groupedBy: studio))
                #expect(greatest.map(\.value) == [12, 10, 11])
                let summaries = try store.fetch(
                    Film.where { $0.boxOffice > 8 }.aggregate(.summary, of: gross, groupedBy: studio))
                #expect(summaries.map(\.value.sum) == [21, 10, 11])
                let first = try store.fetch(
                    Film.where { $0.boxOffice > 8 }.aggregate(.min, of: gross, groupedBy: studio))
                #expect(first == least)
                let rename = [Assignment<Film>.set(\.title, to: "late")]
                #expect(try store.update(Film.self, set: rename) { $0.boxOffice > 10 } == 2)
                let ids = try store.updateReturningIDs(Film.self, set: rename) { $0.boxOffice > 11 }
                #expect(ids == [Film.id(12)])
                let gone = try store.deleteReturningIDs(Film.self) { $0.boxOffice > 11 }
                #expect(gone == [Film.id(12)])
                #expect(try store.delete(Film.self) { $0.title == "late" } == 1)
            }.value()
            #expect(try await repository.count(Film.self) { _ in .true }.value() == 10)
        }
    }
}

/// A recording that can be cancelled.
private protocol Ending {
    func cancel()
}

extension Recorder: Ending {}

/// Expects that two conditions have the same SQL.
private func expectSame(
    _ left: ConditionTree?, _ right: ConditionTree?, sourceLocation: SourceLocation = #_sourceLocation
) throws {
    let (left, right) = try (SQLiteDialect().rows(where: left?.stored()), SQLiteDialect().rows(where: right?.stored()))
    #expect(left == right && !left.text.isEmpty, sourceLocation: sourceLocation)
}
