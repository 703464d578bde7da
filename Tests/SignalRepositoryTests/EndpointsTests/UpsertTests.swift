import Foundation
import SignalRepository
import Signals
import SignalsTesting
import Testing

@Suite("upsert", .timeLimit(.minutes(10))) struct UpsertTests {
    private static let changed = Film.numbered(1, title: "New", boxOffice: -1, studio: "S")

    /// The place where an endpoint is called: on the repository, or inside a transaction.
    enum Place: CaseIterable, Sendable {
        case outside, inside
    }

    @Test("A new item is stored, and an existing one is replaced", arguments: StoreKind.allCases, Place.allCases)
    func one(kind: StoreKind, place: Place) async throws {
        try await withRepository(kind) { repository in
            for film in [Film.numbered(1), Self.changed, Self.changed, Film.numbered(2)] {
                let upsert: Signal<Film, RepositoryError> =
                    place == .outside ? repository.upsert(film) : repository.transaction { try $0.upsert(film) }
                let stored = try await upsert.value()
                #expect(stored == film)
                let read = try await repository.read(Film.self, id: film.id).value()
                #expect(read == film)
            }
            #expect(try await repository.fetch(Film.all).value() == [Self.changed, .numbered(2)])
        }
    }

    @Test(
        "Each of many succeeds or fails alone, and of two with one id the last stays", arguments: StoreKind.allCases,
        Place.allCases)
    func many(kind: StoreKind, place: Place) async throws {
        try await withRepository(kind, [Seat.self]) { repository in
            try await repository.insert([Seat(id: 1, name: "a"), Seat(id: 2, name: "b")]).value()
            let seats = [
                Seat(id: 3, name: "c"), Seat(id: 1, name: "b"), Seat(id: 2, name: "d"), Seat(id: 3, name: "e"),
            ]
            let result = try await
                (place == .outside ? repository.upsert(seats) : repository.transaction { try $0.upsert(seats) }).value()
            #expect(result.success == [seats[0], seats[2], seats[3]])
            #expect(result.failed.map(\.item) == [seats[1]] && result.failed.allSatisfy(\.error.isConstraint))
            let expected = [Seat(id: 1, name: "a"), Seat(id: 2, name: "d"), Seat(id: 3, name: "e")]
            #expect(try await repository.fetch(Seat.all.sorted(by: \.id)).value() == expected)
        }
    }

    @Test("An atomic upsert stores all items or none", arguments: StoreKind.allCases, Place.allCases)
    func atomically(kind: StoreKind, place: Place) async throws {
        try await withRepository(kind, [Seat.self]) { repository in
            try await repository.create(Seat(id: 1, name: "a")).value()
            let upsert = { (seats: [Seat]) in
                place == .outside
                    ? repository.upsertAtomically(seats) : repository.transaction { try $0.upsertAtomically(seats) }
            }
            await expectFailure(\.isConstraint) {
                try await upsert([Seat(id: 2, name: "b"), Seat(id: 3, name: "a")]).value()
            }
            #expect(try await repository.fetch(Seat.all).value() == [Seat(id: 1, name: "a")])
            let seats = [Seat(id: 2, name: "b"), Seat(id: 1, name: "c")]
            #expect(try await upsert(seats).value() == seats)
            #expect(try await repository.fetch(Seat.all.sorted(by: \.id)).value() == [seats[1], seats[0]])
        }
    }

    @Test(
        "A transaction can continue after a failed upsert, which undoes nothing else", arguments: StoreKind.allCases)
    func inside(kind: StoreKind) async throws {
        try await withRepository(kind, [Seat.self]) { repository in
            try await repository.transaction { store in
                try store.upsert(Seat(id: 1, name: "a"))
                #expect(throws: RepositoryError.self) { try store.upsert(Seat(id: 2, name: "a")) }
                #expect(throws: RepositoryError.self) {
                    try store.upsertAtomically([Seat(id: 3, name: "c"), Seat(id: 4, name: "a")])
                }
                #expect(try store.upsert([Seat(id: 5, name: "a"), Seat(id: 6, name: "f")]).failed.count == 1)
            }.value()
            let expected = [Seat(id: 1, name: "a"), Seat(id: 6, name: "f")]
            #expect(try await repository.fetch(Seat.all.sorted(by: \.id)).value() == expected)
        }
    }

    @Test("A value that cannot be stored is an encoding error, and the old item stays", arguments: StoreKind.allCases)
    func encoding(kind: StoreKind) async throws {
        try await withRepository(kind) { repository in
            try await repository.create(Film.numbered(1)).value()
            let fine = try #require(Decimal(string: "0.00001"))
            let film = Film.numbered(1, boxOffice: fine)
            await expectFailure(\.isEncoding) { try await repository.upsert(film).value() }
            let failed = try await repository.upsert([film, .numbered(2)]).value().failed
            #expect(failed.map(\.item) == [film] && failed.allSatisfy(\.error.isEncoding))
            #expect(try await repository.fetch(Film.all).value() == [.numbered(1), .numbered(2)])
        }
    }

    @Test(
        "R7 R14 A live signal reports an upsert only if it changes something", arguments: StoreKind.allCases
    )
    func live(kind: StoreKind) async throws {
        try await withRepository(kind) { repository in
            let films = repository.fetchSubscription(Film.all).record()
            #expect(await films.values(1) == [[]])
            try await repository.upsert(Film.numbered(1)).value()
            #expect(await films.values(2).last == [.numbered(1)])
            try await repository.upsert(Film.numbered(1)).value()
            try await repository.upsert(Self.changed).value()
            #expect(await films.values(3) == [[], [.numbered(1)], [Self.changed]])
            films.cancel()
        }
    }

    @Test(
        "On a unique set, an upsert updates the given columns, and returns the stored item",
        arguments: StoreKind.allCases)
    func unique(kind: StoreKind) async throws {
        try await withRepository(kind, [Book.self]) { repository in
            let first = Book(id: 1, title: "Emma", year: 1815, price: 5, note: "first")
            let again = Book(id: 2, title: "Emma", year: 1815, price: 7, note: "second")
            #expect(try await repository.upsert(first, on: [\.title, \.year], updating: [\.price]).value() == first)
            let updated = try await repository.upsert(again, on: [\.year, \.title], updating: [\.price]).value()
            #expect(updated == Book(id: 1, title: "Emma", year: 1815, price: 7, note: "first"))
            let kept = try await repository.transaction { store in
                try store.upsert(again, on: [\.title, \.year], updating: [])
            }.value()
            #expect(kept == updated)
            let other = Book(id: 2, title: "Emma", year: 1816, price: 1, note: nil)
            #expect(try await repository.upsert(other, on: [\.title, \.year], updating: [\.note]).value() == other)
            #expect(try await repository.fetch(Book.all).value() == [updated, other])
        }
    }

    @Test(
        "A set that is not unique is refused, and so is another constraint's conflict", arguments: StoreKind.allCases
    )
    func notUnique(kind: StoreKind) async throws {
        try await withRepository(kind, [Book.self, Seat.self]) { repository in
            let book = Book(id: 1, title: "Emma", year: 1815, price: 5, note: nil)
            try await repository.create(book).value()
            for paths: Schema<Book>.Paths in [[\.title], [\.title, \.price], [], [\.title, \.year, \.id]] {
                await expectFailure({ if case .misuse = $0 { true } else { false } }) {
                    try await repository.upsert(book, on: paths, updating: [\.price]).value()
                }
            }
            let same = Book(id: 1, title: "Persuasion", year: 1817, price: 1, note: nil)
            await expectFailure(\.isConstraint) {
                try await repository.upsert(same, on: [\.title, \.year], updating: [\.price]).value()
            }
            let seat = Seat(id: 1, name: "a")
            let stored = try await repository.upsert(seat, on: [\.name], updating: []).value()
            let again = try await repository.upsert(seat, on: [\.id], updating: [\.name]).value()
            let books = try await repository.fetch(Book.all).value()
            #expect(stored == seat && again == seat && books == [book])
        }
    }

    @Test("A write returns the numbers that were stored, whole ones too", arguments: StoreKind.allCases)
    func wholeNumbers(kind: StoreKind) async throws {
        try await withRepository(kind, [Reading.self]) { repository in
            let numbers = [0, 1, -0.0, 0.5, 1e15, 1e300, .infinity, -.infinity, -9_007_199_254_740_992]
            for (place, number) in numbers.enumerated() {
                let id = Date(timeIntervalSinceReferenceDate: Double(place))
                let reading = Reading(id: id, name: "\(place)", value: number)
                let stored = try await repository.upsert(reading, on: [\.name], updating: [\.value]).value()
                #expect(stored == reading)
                let patched = try await repository.update(Reading.self, id: id, set: [.set(\.value, to: 3)]).value()
                #expect(patched == Reading(id: id, name: "\(place)", value: 3))
                let gone = try await repository.deleteReturningIDs(Reading.self) { $0.value == 3 }.value()
                #expect(gone == [id])
            }
        }
    }
}

/// An entity whose Double values and date key may be whole numbers.
private struct Reading: Entity, Equatable {
    let id: Date
    var name: String
    var value: Double
    static let schema = Schema(
        Column("id", \Reading.id), Column("name", \.name, .unique), Column("value", \.value), make: Reading.init)
}

private struct Book: Entity, Equatable {
    let id: Int
    var title: String
    var year: Int
    var price: Decimal
    var note: String?
    static let schema = Schema(
        Column("id", \Book.id), Column("title", \.title), Column("year", \.year), Column("price", \.price),
        Column("note", \.note), unique: [[\.title, \.year]], make: Book.init)
}

private struct Seat: Entity, Equatable {
    let id: Int
    var name: String
    static let schema = Schema(Column("id", \Seat.id), Column("name", \.name, .unique), make: Seat.init)
}
