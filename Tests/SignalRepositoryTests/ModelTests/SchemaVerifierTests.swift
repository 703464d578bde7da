import Foundation
import Signals
import SignalsTesting
import Testing

@testable import RepositoryCore
@testable import SignalRepository

@Suite("A declaration reads what it writes", .timeLimit(.minutes(10))) struct SchemaProofTests {
    /// Expects that no endpoint stores the item, and that the error names the columns.
    private func expectRefusal<Item: Entity>(_ item: Item, _ names: [String], after first: Item? = nil) async throws {
        for kind in StoreKind.allCases {
            try await withRepository(kind, [Item.self]) { repository in
                if let first { try await repository.create(first).value() }
                let verbs: [Signal<Void, RepositoryError>] = [
                    repository.create(item).map { _ in }, repository.insert([item]).map { _ in },
                    repository.upsert(item).map { _ in }, repository.createAtomically([item]).map { _ in },
                    repository.transaction { try $0.create(item) }.map { _ in },
                ]
                for verb in verbs {
                    await expectFailure({ error in
                        guard case .misuse(let detail) = error else { return false }
                        return names.allSatisfy { detail.contains($0) }
                    }) {
                        try await verb.value()
                    }
                }
                let count = try await repository.count(Item.self).value()
                #expect(count == (first == nil ? 0 : 1))
            }
        }
    }

    @Test("R19 Two columns that the initializer swaps are named, and nothing is stored")
    func exchanged() async throws {
        try await expectRefusal(Place(id: 1, lat: 40.6, lon: -73.8), ["Place.lat", "Place.lon"])
    }

    @Test("R19 An item with equal values in swapped columns is stored; the first with different values is not")
    func exchangedAndAlike() async throws {
        try await expectRefusal(
            Place(id: 2, lat: 5, lon: 6), ["Place.lat", "Place.lon"], after: Place(id: 1, lat: 5, lon: 5))
        try await expectRefusal(
            Names(id: 2, first: "a", last: nil, nick: nil), ["Names.first", "Names.last"],
            after: Names(id: 1, first: nil, last: nil, nick: nil))
        try await expectRefusal(
            Flags(id: 2, a: true, b: true, c: false), ["Flags.b", "Flags.c"],
            after: Flags(id: 1, a: true, b: true, c: true))
        try await expectRefusal(
            Genres(id: 2, first: .drama, second: .comedy), ["Genres.first", "Genres.second"],
            after: Genres(id: 1, first: .drama, second: .drama))
    }

    @Test("R19 Verification ends when items have distinguished all columns")
    func proven() throws {
        let proof = SchemaVerifier<Box<Int>>()
        #expect(!proof.isComplete)
        try proof.verify(with: Box(id: 5, value: 5))
        #expect(!proof.isComplete)
        try proof.verify(with: Box(id: 1, value: 5))
        #expect(!proof.isComplete)
        try proof.verify(with: Box(id: 1, value: 6))
        #expect(proof.isComplete)
        let told = SchemaVerifier<Period>()
        try told.verify(with: Period(end: .distantFuture, start: .distantPast, id: 1))
        #expect(!told.isComplete)
        let noon = Date(timeIntervalSinceReferenceDate: 0)
        try told.verify(with: Period(end: noon, start: noon.addingTimeInterval(-1), id: 2))
        #expect(told.isComplete)
    }

    @Test("R19 A batch's items are verified until they have distinguished all columns", arguments: StoreKind.allCases)
    func many(kind: StoreKind) async throws {
        try await withRepository(kind, [Place.self, Names.self]) { repository async throws in
            let places = [(0.0, 0.0), (1, 1), (40.6, -73.8)].enumerated().map { number, place in
                Place(id: number, lat: place.0, lon: place.1)
            }
            let names = [
                Names(id: 1, first: nil, last: nil, nick: nil), Names(id: 2, first: "a", last: "b", nick: nil),
            ]
            let verbs: [Signal<Int, RepositoryError>] = [
                repository.insert(places), repository.insertReturningIDs(places).map(\.count),
                repository.insert(names), repository.createAtomically(places).map(\.count),
                repository.transaction { try $0.insert(places) },
            ]
            for verb in verbs { await expectFailure(\.isMisuse) { try await verb.value() } }
            #expect(try await repository.count(Place.self).value() == 0)
            #expect(try await repository.count(Names.self).value() == 0)
            #expect(try await repository.insert(Array(places.prefix(2))).value() == 2)
        }
    }

    @Test("Verification makes up no values, because an initializer may trap on them", arguments: StoreKind.allCases)
    func strict(kind: StoreKind) async throws {
        try await withRepository(kind, [Span.self]) { repository in
            let noon = Date(timeIntervalSinceReferenceDate: 0)
            let spans = [(0.0, 5...5), (60.0, 5...6)].enumerated().map { number, span in
                Span(id: number, time: DateInterval(start: noon, duration: span.0), range: span.1)
            }
            for span in spans { try await repository.create(span).value() }
            #expect(try await repository.fetch(Span.all.sorted(by: \.id)).value() == spans)
        }
    }

    @Test("A value that is encoded differently each time is accepted", arguments: StoreKind.allCases, 0..<20)
    func unordered(kind: StoreKind, seed: Int) async throws {
        try await withRepository(kind, [Unordered.self]) { repository in
            let count = seed % 7
            let item = Unordered(
                id: 1, tags: Set((0..<count).map { "tag \($0)" }),
                grades: Dictionary(uniqueKeysWithValues: Genre.allCases.prefix(count).map { ($0, count) }),
                secret: "s\(seed)")
            try await repository.create(item).value()
            #expect(try await repository.fetch(Unordered.all).value() == [item])
        }
    }

    @Test("R19 A property that does not come back is named")
    func lost() async throws {
        try await expectRefusal(Forgetful(id: 1, title: "Fargo", note: "x"), ["Forgetful.note"])
    }

    @Test("R19 The first value of an optional property is verified, even if nothing else is new")
    func lostValue() throws {
        let proof = SchemaVerifier<Unread>()
        try proof.verify(with: Unread(id: 1, note: nil))
        try proof.verify(with: Unread(id: 2, note: nil))
        let error = try thrown { () throws(RepositoryError) in try proof.verify(with: Unread(id: 2, note: "x")) }
        #expect("\(error)".contains("Unread.note"))
    }

    @Test("An item is released once its declaration is verified")
    func released() throws {
        let statements = try EntityStatements(of: Held.self, on: Memory(Held.self).connection)
        weak var first: Token?
        do {
            let item = Held(id: 1, token: Token(5))
            first = item.token
            try statements.prove(with: item)
        }
        #expect(first != nil)
        try statements.prove(with: Held(id: 2, token: Token(6)))
        #expect(first == nil)
    }

    struct Unread: Entity {
        let id: Int
        var note: String?
        static let schema = Schema(
            Column("id", \Unread.id), Column("note", \.note), make: { id, _ in Unread(id: id, note: nil) })
    }

    final class Token: Sendable {
        let number: Int
        init(_ number: Int) { self.number = number }
    }

    struct Held: Entity {
        let id: Int
        var token: Token
        static let schema = Schema(
            Column("id", \Held.id), Column("token", \.token, encode: { $0.number }, decode: { Token($0) }),
            make: Held.init)
    }

    @Test("One property in two columns is refused at opening", arguments: StoreKind.allCases)
    func twice(kind: StoreKind) async throws {
        await expectFailure({ error in
            guard case .misuse(let detail) = error else { return false }
            return detail.contains("lat") && detail.contains("lon")
        }) {
            try await withRepository(kind, [Twice.self]) { _ in }
        }
    }

    @Test("A correct item is stored, even if its initializer changes values", arguments: StoreKind.allCases)
    func right(kind: StoreKind) async throws {
        try await withRepository(kind, [Period.self, Film.self, Measure.self]) { repository in
            let noon = Date(timeIntervalSinceReferenceDate: 0)
            try await repository.create(Period(end: noon, start: noon, id: 1)).value()
            try await repository.create(Film.numbered(1)).value()
            let periods = try await repository.fetch(Period.all).value()
            #expect(periods == [Period(end: noon, start: noon, id: 1)])
        }
    }

    @Test("An unstorable item fails with its own error, and the next is verified", arguments: StoreKind.allCases)
    func later(kind: StoreKind) async throws {
        try await withRepository(kind, [Place.self]) { repository in
            await expectFailure(\.isEncoding) {
                try await repository.create(Place(id: 1, lat: .nan, lon: 1)).value()
            }
            await expectFailure(\.isMisuse) { try await repository.create(Place(id: 1, lat: 1, lon: 2)).value() }
        }
    }

    struct Place: Entity, Equatable {
        let id: Int
        var lat: Double
        var lon: Double
        static let schema = Schema(
            Column("id", \Place.id), Column("lon", \.lon), Column("lat", \.lat), make: Place.init)
    }

    struct Names: Entity {
        let id: Int
        var first: String?
        var last: String?
        var nick: String?
        static let schema = Schema(
            Column("id", \Names.id), Column("first", \.first), Column("last", \.last), Column("nick", \.nick),
            make: { Names(id: $0, first: $2, last: $1, nick: $3) })
    }

    struct Flags: Entity {
        let id: Int
        var a: Bool
        var b: Bool
        var c: Bool
        static let schema = Schema(
            Column("id", \Flags.id), Column("a", \.a), Column("b", \.b), Column("c", \.c),
            make: { Flags(id: $0, a: $1, b: $3, c: $2) })
    }

    /// An entity whose initializer traps if the end comes before the start.
    struct Span: Entity, Equatable {
        let id: Int
        var time: DateInterval
        var range: ClosedRange<Int>
        static let schema = Schema(
            Column("id", \Span.id), Column("start", \.time.start), Column("end", \.time.end),
            Column("lower", \.range.lowerBound), Column("upper", \.range.upperBound),
            make: { Span(id: $0, time: DateInterval(start: $1, end: $2), range: $3...$4) })
    }

    struct Unordered: Entity, Equatable {
        let id: Int
        var tags: Set<String>
        var grades: [Genre: Int]
        var secret: String
        static let schema = Schema(
            Column("id", \Unordered.id), Column("tags", json: \.tags), Column("grades", json: \.grades),
            Column(
                "secret", \.secret, encode: { "\(UUID().uuidString) \($0)" }, decode: { String($0.dropFirst(37)) }),
            make: Unordered.init)
    }

    enum Genre: String, ColumnValue, CaseIterable, Codable { case drama, comedy, western }

    struct Genres: Entity {
        let id: Int
        var first: Genre
        var second: Genre?
        static let schema = Schema(
            Column("id", \Genres.id), Column("first", \.first), Column("second", \.second),
            make: { Genres(id: $0, first: $2 ?? $1, second: $1) })
    }

    struct Forgetful: Entity {
        let id: Int
        var title: String
        var note: String
        static let schema = Schema(
            Column("id", \Forgetful.id), Column("title", \.title), Column("note", \.note),
            make: { id, title, _ in Forgetful(id: id, title: title, note: "") })
    }

    struct Twice: Entity {
        let id: Int
        var lat: Double
        static let schema = Schema(
            Column("id", \Twice.id), Column("lat", \.lat), Column("lon", \.lat),
            make: { id, lat, _ in Twice(id: id, lat: lat) })
    }

    /// An entity whose initializer never puts the end before the start.
    struct Period: Entity, Equatable {
        let end: Date
        let start: Date
        let id: Int

        init(end: Date, start: Date, id: Int) {
            self.end = max(end, start)
            self.start = start
            self.id = id
        }

        static let schema = Schema(
            Column("end", \Period.end), Column("start", \.start), Column("id", \.id), make: Period.init)
    }
}
