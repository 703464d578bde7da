import Foundation
import SignalsTesting
import Testing

@testable import RepositoryCore
@testable import SignalRepository

/// Rows that have exchanged unique values, which no order of single updates can undo.
@Suite("Undoing exchanges of unique values", .timeLimit(.minutes(isSoak ? 600 : 10))) struct UndoUniqueTests {
    /// An entity with unique columns of each storage class: single, combined, and unique in some rows only.
    struct Seat: Entity, Equatable {
        let id: Int
        var place: Int
        var name: String
        var code: UUID
        var weight: Double
        var nickname: String?
        var row: Int
        var chair: Int
        /// A number from 0 to 5; a check refuses all others.
        var digit: Int
        var isTaken: Bool

        static let schema = Schema<Seat>(
            clauses: [
                .unique("a chair is one's own", sql: "\"row\", chair"),
                .unique("taken", [\.digit]) { $0.isTaken == true },
                .check("a digit") { $0.digit >= 0 && $0.digit < 6 },
            ]
        ) {
            Column("id", \.id)
            Column("place", \.place, .unique)
            Column("name", \.name)
            Column("code", \.code, .unique)
            Column("weight", \.weight, .unique)
            Column("nickname", \.nickname, .unique)
            Column("row", \.row)
            Column("chair", \.chair)
            Column("digit", \.digit)
            Column("isTaken", \.isTaken)
        } decode: { row in
            try Seat(
                id: row.next(), place: row.next(), name: row.next(), code: row.next(), weight: row.next(),
                nickname: row.next(), row: row.next(), chair: row.next(), digit: row.next(), isTaken: row.next())
        }

        static func numbered(_ number: Int) -> Seat {
            Seat(
                id: number, place: number, name: "Name \(number)", code: UUID(), weight: Double(number) / 2,
                nickname: number == 0 ? nil : "\(number)", row: number / 3, chair: number % 3, digit: number,
                isTaken: number < 5)
        }
    }

    /// A ticket, which is deleted with its seat.
    struct Ticket: Entity, Equatable {
        let id: Int
        var seat: Int
        static let schema = Schema(
            Column("id", \Ticket.id), Column("seat", \.seat, .references(Seat.self, onDelete: .cascade)),
            make: Ticket.init)
    }

    private static let columns = ["place", "name", "code", "weight", "nickname", "row", "chair", "digit"]

    private func open() throws -> SQLiteRepository {
        try SQLiteRepository(
            .inMemory, entities: Seat.self, Ticket.self,
            whenNew: { store in
                try store.execute("CREATE UNIQUE INDEX named ON Seat (lower(name))")
                // The place of a tag follows the place of its seat.
                try store.execute(
                    """
                    CREATE TABLE Tag (id INTEGER PRIMARY KEY, place INTEGER REFERENCES Seat (place) \
                    ON UPDATE CASCADE DEFERRABLE INITIALLY DEFERRED) STRICT
                    """)
            }, configuration: RepositoryConfiguration(history: .kept(for: .seconds(1_000_000), isUndoable: true)))
    }

    /// Commits statements, undoes and redoes the commit, and expects the states before and after it.
    private func undoAndRedo(_ repository: SQLiteRepository, _ statements: [SQL]) async throws {
        let before = try await state(repository)
        try await repository.transaction(author: "ann") { store in
            for statement in statements { try store.execute(statement) }
        }.value()
        let after = try await state(repository)
        try await repository.undo(author: "ann").value()
        #expect(try await state(repository) == before)
        try await repository.redo(author: "ann").value()
        #expect(try await state(repository) == after)
    }

    private func state(_ repository: SQLiteRepository) async throws -> [String] {
        try await repository.read { store in
            try ["Seat", "Ticket", "Tag"].flatMap { table in
                try store.rows(SQL(unsafe: "SELECT * FROM \(table) ORDER BY id")).map { "\($0)" }
            }
        }.value()
    }

    /// Exchanges the unique values of all seats in random columns, in two steps, as a program must.
    private static func shuffle(_ store: WriteTransaction, _ random: inout SeededGenerator) throws {
        let old = try store.fetch(Seat.all.sorted(by: \.id))
        var new = old
        let columns = columns.filter { _ in Int.random(in: 0..<3, using: &random) > 0 }
        for column in columns where !["row", "chair", "digit"].contains(column) {
            let order = old.indices.shuffled(using: &random)
            for (index, from) in zip(old.indices, order) {
                switch column {
                case "place": new[index].place = old[from].place
                case "name": new[index].name = old[from].name
                case "code": new[index].code = old[from].code
                case "weight": new[index].weight = old[from].weight
                default: new[index].nickname = old[from].nickname
                }
            }
        }
        let (chairs, digits) = (old.indices.shuffled(using: &random), old.indices.shuffled(using: &random))
        for index in old.indices {
            if columns.contains("row") {
                (new[index].row, new[index].chair) = (old[chairs[index]].row, old[chairs[index]].chair)
            }
            if columns.contains("digit") {
                (new[index].digit, new[index].isTaken) = (old[digits[index]].digit, old[digits[index]].isTaken)
            }
        }
        try store.execute(
            """
            UPDATE Seat SET place = -1 - place, name = 'x' || id, code = randomblob(16), weight = -1 - weight, \
            nickname = NULL, row = -1 - row, isTaken = 0
            """)
        for seat in new { try store.update(seat) }
    }

    @Test("S-M4 Every permutation of unique values can be undone and redone", arguments: HistoryTests.seeds(24))
    func permutations(seed: Int) async throws {
        let repository = try open()
        var seats = (0..<6).map { Seat.numbered($0) }
        // The greatest place is taken, so no greater one is free.
        if seed % 2 == 1 { seats[0].place = .max }
        try await repository.insert(seats).value()
        try await repository.insert((0..<6).map { Ticket(id: $0, seat: $0 % 4) }).value()
        try await repository.transaction { try $0.execute("INSERT INTO Tag SELECT id, place FROM Seat") }.value()
        var states = [try await state(repository)]
        for number in 0..<4 {
            try await repository.transaction(author: "ann") { store in
                var random = SeededGenerator(seed: UInt64(100 * seed + number))
                try Self.shuffle(store, &random)
                if number == 2 {
                    try store.execute("DELETE FROM Tag WHERE id = 5")
                    try store.delete(Seat.self, id: 5)
                }
                if number == 3 {
                    var seat = Seat.numbered(20)
                    (seat.digit, seat.isTaken) = (0, false)
                    try store.create(seat)
                }
            }.value()
            states.append(try await state(repository))
        }
        for round in 0..<2 {
            for number in (0..<4).reversed() {
                _ = try #require(try await repository.undo(author: "ann").value())
                #expect(try await state(repository) == states[number], "round \(round)")
            }
            for number in 1...4 {
                _ = try #require(try await repository.redo(author: "ann").value())
                #expect(try await state(repository) == states[number], "round \(round)")
            }
        }
        #expect(try await repository.check().value().isSound)
        await closed(repository)
    }

    @Test("S-M4 A list that was shifted by one place is shifted back without trying every order")
    func shifted() async throws {
        let repository = try open()
        let count = 600
        try await repository.insert(
            (0..<count).map { number in
                var seat = Seat.numbered(number)
                (seat.digit, seat.isTaken) = (0, false)
                return seat
            }
        ).value()
        try await undoAndRedo(
            repository, ["UPDATE Seat SET place = -place", "UPDATE Seat SET place = 1 - place"])
        await closed(repository)
    }

    @Test("S-M4 Exchanged values are restored even if triggers forbid or log the deletion of rows")
    func forbidden() async throws {
        let repository = try open()
        try await repository.insert((0..<6).map { Seat.numbered($0) }).value()
        try await repository.transaction { store in
            try store.execute("CREATE TABLE Log (id INTEGER PRIMARY KEY)")
            try store.execute(
                "CREATE TRIGGER logged AFTER DELETE ON Seat BEGIN INSERT INTO Log VALUES (old.id); END")
            try store.execute(
                "CREATE TRIGGER kept BEFORE DELETE ON Seat WHEN old.id < 9 BEGIN SELECT RAISE(ABORT, 'kept'); END")
        }.value()
        try await undoAndRedo(
            repository,
            [
                "UPDATE Seat SET place = -1 - place, weight = -1 - weight",
                "UPDATE Seat SET place = 6 + place, weight = 4 + weight",
            ])
        await closed(repository)
    }

    /// An entity with few places, in which a trigger forbids deleting any row but the first.
    struct Bench: Entity, Equatable {
        let id: Int
        var place: Int
        var note: Int
        static let schema = Schema(
            Column("id", \Bench.id), Column("place", \.place, .unique), Column("note", \.note),
            clauses: [.check("a place") { $0.place >= 0 && $0.place <= 50 }], make: Bench.init)

        static func open(_ trigger: SQL?) async throws -> SQLiteRepository {
            let repository = try SQLiteRepository(
                .inMemory, entities: Bench.self,
                whenNew: { store in
                    for id in 1...6 { try store.create(Bench(id: id, place: id - 1, note: 0)) }
                    if let trigger { try store.execute(trigger) }
                    try store.execute(
                        """
                        CREATE TRIGGER kept BEFORE DELETE ON Bench WHEN old.id > 1 \
                        BEGIN SELECT RAISE(ABORT, 'kept'); END
                        """)
                }, configuration: RepositoryConfiguration(history: .kept(for: .seconds(1_000_000), isUndoable: true)))
            return repository
        }

        /// Commits statements, and undoes and redoes the commit twice.
        static func undoAndRedo(_ statements: [SQL], trigger: SQL? = nil) async throws {
            let repository = try await open(trigger)
            let before = try await repository.fetch(all.sorted(by: \.id)).value()
            try await repository.transaction(author: "ann") { store in
                for statement in statements { try store.execute(statement) }
            }.value()
            let after = try await repository.fetch(all.sorted(by: \.id)).value()
            #expect(before != after)
            for _ in 0..<2 {
                try await repository.undo(author: "ann").value()
                #expect(try await repository.fetch(all.sorted(by: \.id)).value() == before)
                try await repository.redo(author: "ann").value()
                #expect(try await repository.fetch(all.sorted(by: \.id)).value() == after)
            }
            await closed(repository)
        }
    }

    @Test("S-M4 Exchanged places are restored in a column with few allowed values")
    func narrow() async throws {
        try await Bench.undoAndRedo(["UPDATE Bench SET place = place + 20", "UPDATE Bench SET place = 25 - place"])
    }

    @Test("If a trigger changes a row that was restored before, the row is restored again")
    func ruled() async throws {
        try await Bench.undoAndRedo(
            ["UPDATE Bench SET place = place + 10"],
            trigger: """
                CREATE TRIGGER noted AFTER UPDATE OF place ON Bench WHEN new.id = 2 \
                BEGIN UPDATE Bench SET note = note + 1 WHERE id = 1; END
                """)
    }

    @Test("If a trigger deletes a row that is to be restored, the row is inserted")
    func deletedByRule() async throws {
        try await Bench.undoAndRedo(
            ["UPDATE Bench SET place = 12 WHERE id = 2", "INSERT INTO Bench VALUES (1, 11, 7)"],
            trigger: """
                CREATE TRIGGER taken AFTER UPDATE OF place ON Bench WHEN new.id = 2 \
                BEGIN DELETE FROM Bench WHERE id = 1; END
                """)
    }

    @Test("S-M4 If rows must be removed to exchange values, undo is refused rather than lose rows that refer to them")
    func referred() async throws {
        let repository = try open()
        try await repository.insert((0..<5).map { Seat.numbered($0) }).value()
        try await repository.transaction(author: "ann") { store in
            // No digit is free, so no row can give up its digit for a moment.
            try store.execute("UPDATE Seat SET isTaken = 0")
            try store.execute("UPDATE Seat SET digit = 4 - digit")
            var last = Seat.numbered(5)
            last.isTaken = true
            try store.create(last)
            try store.execute("UPDATE Seat SET isTaken = 1")
        }.value()
        try await repository.authored(by: "bob").create(Ticket(id: 1, seat: 5)).value()
        let state = try await state(repository)
        await expectFailure(\.isMisuse) { try await repository.undo(author: "ann").value() }
        #expect(try await self.state(repository) == state)
        // References are enforced again.
        await expectFailure(\.isConstraint) { try await repository.create(Ticket(id: 2, seat: 77)).value() }
        try await repository.delete(Seat.self, id: 5).value()
        #expect(try await repository.count(Ticket.self).value() == 0)
        await closed(repository)
    }

    @Test("S-M4 A row that moved to a new parent moves back before that is deleted; rows without a key are restored")
    func moved() async throws {
        let repository = try open()
        try await repository.insert((0..<2).map { Seat.numbered($0) }).value()
        try await repository.create(Ticket(id: 1, seat: 0)).value()
        try await repository.transaction { store in
            try store.execute("CREATE TABLE Plain (x)")
            try store.execute("INSERT INTO Plain VALUES ('a'), ('b'), ('c')")
        }.value()
        let numbers = try await numbers(repository)
        let before = try await state(repository)
        try await repository.transaction(author: "ann") { store in
            try store.create(Seat.numbered(2))
            try store.update(Ticket(id: 1, seat: 2))
            try store.execute("DELETE FROM Plain WHERE x < 'c'")
        }.value()
        try await repository.undo(author: "ann").value()
        #expect(try await state(repository) == before)
        #expect(try await self.numbers(repository) == numbers)
        try await repository.redo(author: "ann").value()
        #expect(try await repository.read(Ticket.self, id: 1).value().seat == 2)
        await closed(repository)
    }

    private func numbers(_ repository: SQLiteRepository) async throws -> [String] {
        try await repository.read { store in
            try store.rows(SQL("SELECT rowid, x FROM Plain ORDER BY rowid")).map { "\($0)" }
        }.value()
    }
}
