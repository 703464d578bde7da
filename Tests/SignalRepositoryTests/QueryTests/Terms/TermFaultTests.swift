import Foundation
import Signals
import SignalsTesting
import Testing

@testable import RepositoryCore
@testable import SignalRepository

/// A test for each fault that a review of the code found.
@Suite("Fixed faults of terms") struct TermFaultTests {
    struct Worker: Entity, Equatable {
        enum Grade: String, ColumnValue { case low, high }

        var id: Int
        var name: String
        var salary: Int
        var bossID: Int?
        var small: Int8
        var stock: UInt
        var isDone: Bool

        static let schema = Schema<Worker> {
            Column("id", \.id)
            Column("name", \.name)
            Column("salary", \.salary)
            Column("bossID", \.bossID)
            Column("small", \.small)
            Column("stock", \.stock)
            Column("isDone", \.isDone, encode: { $0 ? "y" : "n" }, decode: { (text: String) in text == "y" })
        } decode: { row in
            try Worker(
                id: row.next(), name: row.next(), salary: row.next(), bossID: row.next(), small: row.next(),
                stock: row.next(), isDone: row.next())
        }
    }

    private func withWorkers(
        _ kind: StoreKind = .memory, _ body: (any Repository) async throws -> Void
    ) async throws {
        try await withRepository(kind, [Worker.self]) { repository async throws in
            let workers = [
                Worker(id: 1, name: "Ada", salary: 10, bossID: nil, small: 100, stock: 0, isDone: true),
                Worker(id: 2, name: "Bob", salary: 20, bossID: 1, small: 1, stock: 1, isDone: false),
                Worker(id: 3, name: "Eve", salary: 5, bossID: 1, small: 1, stock: 1, isDone: true),
            ]
            try await repository.insert(workers).value()
            try await body(repository)
        }
    }

    /// An entity whose id is the value of another property.
    struct Vessel: Entity, Equatable {
        var tail: String
        var year: Int?
        var label: String
        var id: String { tail }

        static let schema = Schema(
            Column("tail", \Vessel.tail, .key), Column("year", \.year), Column("label", \.label), make: Vessel.init)
    }

    struct Trip: Entity, Equatable {
        let id: Int
        var tail: String?
        static let schema = Schema(Column("id", \Trip.id), Column("tail", \.tail), make: Trip.init)
    }

    @Test("In a closure, the id is the key, whatever the name of its column")
    func keys() async throws {
        try await withRepository(.memory, [Vessel.self, Trip.self]) { repository async throws in
            try await repository.insert([Vessel(tail: "N1", year: nil, label: "a")]).value()
            try await repository.insert([Trip(id: 1, tail: "N1"), Trip(id: 2, tail: "N2"), Trip(id: 3, tail: nil)])
                .value()
            #expect(try await repository.fetch(Vessel.where { $0.id == "N1" }).value().map(\.label) == ["a"])
            #expect(try await repository.fetch(Vessel.all.select { ($0.id, $0.label.count) }).value().count == 1)
            let missing = Trip.leftJoined(to: Vessel.self, on: \.tail).where { _, vessel in vessel.id == nil }
            #expect(try await repository.fetch(missing).value().map(\.left.id) == [2, 3])
            let known = Trip.joined(to: Vessel.self) { $0.tail == $1.id }
            #expect(
                try await repository.fetch(known.select { trip, vessel in (trip.id, vessel.id) }).value().count == 1)
        }
    }

    @Test("An optional number can be set to a term that is never missing, and texts are concatenated")
    func optionals() async throws {
        try await withRepository(.memory, [Vessel.self]) { repository async throws in
            try await repository.insert([
                Vessel(tail: "N1", year: nil, label: "a\0"), Vessel(tail: "", year: 7, label: "é"),
            ])
            .value()
            let set: [Assignment<Vessel>] = [
                .set(\.year) { ($0.year ?? 0) + 1 }, .set(\.label) { $0.label + "/" + $0.tail + "\0e\u{301}" },
            ]
            try await repository.update(Vessel.self, set: set) { _ in .true }.value()
            let stored = try await repository.fetch(Vessel.all.sorted(by: \.tail)).value()
            #expect(stored.map(\.year) == [8, 1])
            #expect(stored.map(\.label).isStored(like: ["é/\0e\u{301}", "a\0/N1\0e\u{301}"]))
            #expect(try await repository.count(Vessel.where { "<" + $0.label > "<b" }).value() == 1)
        }
    }

    @Test("Counting a condition is refused, and the message names count(where:)")
    func countOfCondition() async throws {
        try await withWorkers { repository async throws in
            await expectFailure({ if case .misuse(let detail) = $0 { detail.contains("count(where:)") } else { false } }
            ) {
                try await repository.fetch(Worker.all.aggregate { ($0.salary > 5 && $0.small > 1).count() }).value()
            }
        }
    }

    @Test(
        "A whole number that is cast to Double is rounded as in Swift",
        arguments: [StoreKind.memory, .postgres])
    func ratios(kind: StoreKind) async throws {
        try await withRepository(kind, [Amount.self]) { repository async throws in
            var random = SeededGenerator(seed: 5)
            let rows = (0..<40).map { Amount.random($0, &random) }
            try await repository.insert(rows).value()
            let found = try await repository.fetch(
                Amount.all.select {
                    ($0.whole.cast(as: Double.self), $0.other.cast(as: Double.self), $0.byte.cast(as: Double.self) / 7)
                }
            ).value()
            for (row, values) in zip(rows, found) {
                #expect(values.0 == Double(row.whole))
                #expect(values.1 == row.other.map { Double($0) })
                #expect(values.2 == Double(row.byte) / 7)
            }
        }
    }

    @Test("Live selections that differ only in their decimal places are not shared")
    func places() async throws {
        try await withLeague(.file) { repository, league async throws in
            let whole = repository.fetchSubscription(Striker.all.select { $0.fee * 3 }).record()
            let tenth = Decimal(3) / 10
            let part = repository.fetchSubscription(Striker.all.select { $0.fee * tenth }).record()
            #expect(await whole.values(1).first == league.players.map { $0.fee * 3 })
            #expect(await part.values(1).first == league.players.map { $0.fee * tenth })
        }
    }

    @Test("A condition on other items may use a property of the outer item, even of the same entity")
    func itself() async throws {
        try await withWorkers { repository async throws in
            let poor = Worker.where { boss in
                boss.exists(Worker.self, by: \.bossID) { worker in
                    let salary = Term<Worker, Int>(catching: { () throws(RepositoryError) in try boss.salary.value() })
                    worker.salary > salary
                }
            }
            #expect(try await repository.fetch(poor).value().map(\.id) == [1])
            let rich = Worker.where { $0.count(of: Worker.self, by: \.bossID) { $0.salary < 10 } == 1 }
            #expect(try await repository.fetch(rich).value().map(\.id) == [1])
        }
    }

    @Test("A live condition on other rows of the table follows them")
    func others() async throws {
        try await withWorkers(.file) { repository async throws in
            let query = Worker.where { $0.name == "Eve" && $0.exists(Worker.self, by: \.bossID) }
            let recorder = repository.countSubscription(query).record()
            #expect(await recorder.values(1) == [0])
            try await repository.update(Worker.self, set: [.set(\.bossID, to: 3)]) { $0.id == 2 }.value()
            #expect(await recorder.values(2) == [0, 1])
        }
    }

    @Test(
        "A Decimal of a raw statement is refused in a tuple, which does not state its decimal places",
        arguments: [StoreKind.memory, .postgres])
    func tuples(kind: StoreKind) async throws {
        try await withLeague(kind) { repository, _ async throws in
            await expectFailure(\.isMisuse) {
                try await repository.rows("SELECT id, fee FROM Striker", as: (Int, Decimal).self).value()
            }
        }
    }

    @Test("R20 A computed number that the property cannot hold is not stored")
    func assigned() async throws {
        try await withWorkers { repository async throws in
            let before = try await repository.fetch(Worker.all).value()
            await expectFailure(\.isEncoding) {
                try await repository.update(Worker.self, set: [.set(\.small) { $0.small + 100 }]) { _ in .true }.value()
            }
            await expectFailure(\.isEncoding) {
                try await repository.update(Worker.self, set: [.set(\.stock) { $0.stock - 1 }]) { _ in .true }.value()
            }
            await expectFailure(\.isOverflow) {
                try await repository.update(Worker.self, set: [.set(\.salary) { $0.salary * Int.max }]) { _ in .true }
                    .value()
            }
            #expect(try await repository.fetch(Worker.all).value() == before)
            try await repository.update(Worker.self, set: [.set(\.salary, to: \.salary + 1)]) { $0.id == 1 }.value()
            try await repository.update(Worker.self, set: [.set(\.small) { $0.small + 1 }]) { $0.id == 2 }.value()
            let after = try await repository.fetch(Worker.all).value()
            #expect(after.map(\.salary) == [11, 20, 5])
            #expect(after.map(\.small) == [100, 2, 1])
        }
    }

    @Test("A Bool with a custom encoding can be a condition")
    func flags() async throws {
        try await withWorkers { repository async throws in
            #expect(try await repository.fetch(Worker.where { $0.isDone }).value().map(\.id) == [1, 3])
            #expect(try await repository.fetch(Worker.where { !$0.isDone }).value().map(\.id) == [2])
            let groups = repository.fetch(Worker.all.grouped { $0.isDone }.aggregate { $0.id.count() }).map(\.count)
            await expectFailure(\.isMisuse) { try await groups.value() }
            let selected = try await repository.fetch(Worker.all.select { $0.isDone }).value()
            #expect(selected == [true, false, true])
        }
    }

    @Test("Distinct rows after a limit, or sorted by an unselected column, are refused; a limit of 0 is nil")
    func distinct() async throws {
        try await withWorkers { repository async throws in
            await expectFailure(\.isMisuse) {
                try await repository.fetch(Worker.all.limit(2).select(\.bossID).distinct()).value()
            }
            await expectFailure(\.isMisuse) {
                try await repository.fetch(Worker.all.sorted(by: \.salary).select(\.bossID).distinct()).value()
            }
            let sorted = Worker.all.sorted(by: \.bossID, .descending).select(\.bossID).distinct()
            #expect(try await repository.fetch(sorted).value() == [1, nil])
            #expect(try await repository.first(Worker.all.select(\.id).limit(0)).value() == nil)
        }
    }

    @Test(
        "Numbers that no column can hold compare correctly, and decimal literals are exact",
        arguments: [StoreKind.memory, .postgres])
    func numbers(kind: StoreKind) async throws {
        try await withLeague(kind) { repository, league async throws in
            let player = Striker(id: 9_000, name: "", rating: 0, goals: 0, fee: 1_000_000_000, teamID: nil)
            try await repository.create(player).value()
            let large = Decimal(sign: .plus, exponent: 30, significand: 1)
            let fee = Striker.queryTerms.fee
            for condition in [fee * 2 < large, fee * 2 <= large, fee * 2 != large, fee * 2 > -large, fee * 2 >= -large]
            {
                #expect(try await repository.count(Striker.self) { _ in condition }.value() == league.players.count + 1)
                #expect(try await repository.count(Striker.self) { _ in !condition }.value() == 0)
            }
            let range = Decimal(sign: .plus, exponent: 9, significand: 1)...large
            #expect(try await repository.fetch(Striker.where { ($0.fee * 2).between(range) }).value() == [player])
            await expectFailure(\.isOverflow) {
                try await repository.fetch(Striker.where { $0.fee * $0.fee > 1 }).value()
            }
            let all = try await repository.fetch(Striker.all).value()
            let nan = Decimal.nan
            let conditions: [(Condition<Striker>, (Decimal) -> Bool)] = [
                (Striker.queryTerms.fee * 2 > nan, { $0 * 2 > nan }),
                (Striker.queryTerms.fee * 2 < nan, { $0 * 2 < nan }),
                (Striker.queryTerms.fee * 2 >= nan, { $0 * 2 >= nan }),
                (Striker.queryTerms.fee * 2 <= nan, { $0 * 2 <= nan }),
                (Striker.queryTerms.fee * 2 == nan, { $0 * 2 == nan }),
                (Striker.queryTerms.fee * 2 != nan, { $0 * 2 != nan }),
            ]
            for (place, (condition, test)) in conditions.enumerated() {
                let count = try await repository.count(Striker.self) { _ in condition }.value()
                #expect(count == all.count { test($0.fee) }, "\(place)")
            }
            let literal = try await repository.fetch(
                Striker.where { $0.id == 9_000 }.select { $0.fee * 3.14 + 1234.56 }
            ).value()
            #expect(literal == [Decimal(string: "3140001234.56")])
        }
    }

    @Test("A column with a custom encoding cannot be compared with a term, on either side")
    func codedColumns() async throws {
        try await withWorkers { repository async throws in
            let conditions: [Condition<Worker>] = [
                Worker.queryTerms.isDone == (Worker.queryTerms.salary > 7),
                (Worker.queryTerms.salary > 7) == Worker.queryTerms.isDone,
            ]
            for condition in conditions {
                await expectFailure(\.isMisuse) { try await repository.count(Worker.where(condition)).value() }
            }
        }
    }

    @Test("A condition that is compared with true 5,000 times is too big, and does not exhaust the stack")
    func deep() async throws {
        try await withWorkers { repository async throws in
            var condition = Worker.queryTerms.id == 1
            for _ in 0..<5_000 { condition = condition == true }
            await expectFailure(\.isTooBig) { [condition] in try await repository.fetch(Worker.where(condition)).value()
            }
        }
    }

    @Test("Rows of a raw statement that differ only in their bytes are delivered")
    func bytes() async throws {
        try await withRepository(.file, [Trainer.self]) { repository async throws in
            try await repository.create(Trainer(id: 1, name: "\u{e9}")).value()
            let rows = repository.rowsSubscription("SELECT id, name FROM Trainer", as: Trainer.self).record()
            #expect(await rows.values(1).count == 1)
            try await repository.update(Trainer(id: 1, name: "e\u{301}")).value()
            #expect(await rows.values(2).last?.first?.name.utf8.count == 3)
        }
    }
}
