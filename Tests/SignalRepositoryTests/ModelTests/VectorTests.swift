import Foundation
import Signals
import Testing

@testable import RepositoryCore
@testable import SignalRepository

@Suite("Vectors", .timeLimit(.minutes(10))) struct VectorTests {
    private static let good = Passage(id: 1, text: "a", embedding: [0.5, -2, 3], summary: nil)

    @Test("Vectors come back, bit for bit, and are stored as little-endian bytes", arguments: StoreKind.allCases)
    func roundTrip(kind: StoreKind) async throws {
        try await withRepository(kind, [Passage.self]) { repository async throws in
            let items = [
                Self.good,
                Passage(id: 2, text: "b", embedding: [.leastNonzeroMagnitude, -0.0, .pi], summary: [0, 0, 0]),
            ]
            try await repository.insert(items).value()
            #expect(try await repository.fetch(Passage.all).value() == items)
            #expect(try await repository.fetch(Passage.all.select(\.summary)).value() == [nil, [0, 0, 0]])
            let bytes = try await repository.rows(
                "SELECT embedding, id FROM \(Passage.self) WHERE id = 1", as: (Data, Int).self
            ).value()
            #expect(bytes.first?.0 == Data([0, 0, 0, 0x3F, 0, 0, 0, 0xC0, 0, 0, 0x40, 0x40]))
            #expect(try await repository.fetch(Passage.where { $0.embedding == [0.5, -2, 3] }).value() == [Self.good])
            #expect(try await repository.fetch(Passage.where { $0.summary == [0, -0.0, 0] }).value() == [items[1]])
            #expect(try await repository.count(Passage.self) { $0.embedding == $0.summary }.value() == 0)
        }
    }

    @Test("A vector is an array in JSON")
    func codable() throws {
        let data = try JSONEncoder().encode([Vector([1, 2.5])])
        #expect(String(decoding: data, as: UTF8.self) == "[[1,2.5]]")
        #expect(try JSONDecoder().decode([Vector].self, from: data) == [[1, 2.5]])
    }

    @Test(
        "A vector with another number of components, or one that is not finite, is refused on every path",
        arguments: StoreKind.allCases)
    func paths(kind: StoreKind) async throws {
        let details: [(Vector, String)] = [
            ([1, 2], "expected a vector of 3 components, found 2"), ([], "expected a vector of 3 components, found 0"),
            ([1, .nan, 2], "component 1 of the vector is nan, which is not finite"),
            ([1, 2, -.infinity], "component 2 of the vector is -inf, which is not finite"),
        ]
        for (vector, detail) in details {
            try await withRepository(kind, [Passage.self]) { repository async throws in
                try await repository.create(Self.good).value()
                let isExpected: (RepositoryError) -> Bool = { error in
                    if case .encoding("Passage", _, detail, _) = error { true } else { false }
                }
                let wrong = Passage(id: 2, text: "b", embedding: vector, summary: nil)
                let other = Passage(id: 1, text: "b", embedding: [1, 2, 3], summary: vector)
                await expectFailure(isExpected) { try await repository.create(wrong).value() }
                await expectFailure(isExpected) { try await repository.insert([wrong]).value() }
                await expectFailure(isExpected) { try await repository.upsert(wrong).value() }
                await expectFailure(isExpected) { try await repository.update(other).value() }
                await expectFailure(isExpected) {
                    try await repository.insert(from: Signal<Passage, Never>.just(wrong), batch: 10).value()
                }
                await expectFailure(isExpected) {
                    let row: [String: any Sendable] = ["id": 2, "text": "b", "embedding": vector]
                    return try await repository.insert(Passage.self, rows: [row]).value()
                }
                await expectFailure(isExpected) {
                    try await repository.update(Passage.self, id: 1, set: [.set(\.embedding, to: vector)]).value()
                }
                await expectFailure(isExpected) {
                    try await repository.update(Passage.self, set: [.set(\.summary, to: vector)]) { $0.id == 1 }.value()
                }
                await expectFailure(isExpected) {
                    try await repository.transaction { try $0.create(wrong) }.value()
                }
                let batch = try await repository.create([wrong]).value()
                #expect(batch.failed.count == 1)
                #expect(try await repository.fetch(Passage.all).value() == [Self.good])
            }
        }
    }

    @Test("An assigned term has the number of components of its column", arguments: StoreKind.allCases)
    func assigned(kind: StoreKind) async throws {
        try await withRepository(kind, [Pair.self]) { repository async throws in
            try await repository.create(Pair(id: 1, short: [1, 2], other: [3, 4], long: [1, 2, 3])).value()
            try await repository.update(Pair.self, set: [.set(\.short) { $0.other }]) { _ in .true }.value()
            #expect(try await repository.fetch(Pair.all).value().map(\.short) == [[3, 4]])
            await expectFailure(\.isMisuse) {
                try await repository.update(Pair.self, set: [.set(\.short) { $0.long }]) { _ in .true }.value()
            }
            await expectFailure(\.isMisuse) { try await repository.count(Pair.self) { $0.short == $0.long }.value() }
        }
    }

    @Test("Hundreds of components come back through a decoder, which refuses any other number")
    func decoder() async throws {
        try await withRepository(.memory, [Long.self]) { repository async throws in
            let items = [Long(id: 1, value: Vector((0..<300).map(Float.init)), any: Wrapped(rawValue: [1]))]
            try await repository.insert(items).value()
            #expect(try await repository.fetch(Long.all).value() == items)
            try await repository.transaction { try $0.execute("UPDATE \(Long.self) SET value = zeroblob(1024)") }
                .value()
            await expectFailure(\.isDecoding) { try await repository.fetch(Long.all).value() }
        }
    }

    @Test("A column of vectors declares how many components they have, and no other column does")
    func declarations() throws {
        let refused: [any Entity.Type] = [Undeclared.self, Empty.self, Scaled.self, Listed.self]
        for entity in refused {
            let error = try thrown { () throws(RepositoryError) in
                try SQLiteRepository(.inMemory, entities: [entity])
            }
            #expect(error.isMisuse, "\(error)")
            #expect("\(error)".contains("dimensions") && "\(error)".contains("\(entity.entityName).value"), "\(error)")
        }
    }

    @Test("R19 Another number of components is refused, and a step changes it", arguments: StoreKind.kept)
    func changed(kind: StoreKind) async throws {
        let place = try StorePlace(kind)
        try await place.with([Two.self]) { try await $0.create(Two(id: 1, value: [1, 2])).value() }
        let detail = try place.mismatch([Three.self])
        #expect(detail.contains("declared as vectors of 3 components and stored as vectors of 2"), "\(detail)")
        #expect(detail.contains("from: Vector.self"), "\(detail)")
        let step = Migration("three components") { store in
            try store.changeColumn(\Three.value, from: Vector.self) { Vector($0.elements + [0]) }
        }
        try await place.with([Three.self], [step]) { repository async throws in
            #expect(try await repository.fetch(Three.all).value() == [Three(id: 1, value: [1, 2, 0])])
        }
    }

    @Test("Bytes of another program that are not such a vector are a decoding error, in an item and in a distance")
    func foreign() async throws {
        for (bytes, detail) in [
            ("00", "4 bytes for each component"), ("0000803f00000040", "found 2"), ("", "found 0"),
            ("0000c07f0000000000000000", "nan"), ("000000000000807f00000000", "inf"),
        ] {
            let folder = try TemporaryFolder()
            let store = try folder.adopt(
                """
                CREATE TABLE Passage (id INTEGER PRIMARY KEY, text TEXT NOT NULL, embedding BLOB NOT NULL, summary);
                INSERT INTO Passage VALUES (1, 'a', x'0000803f0000004000004040', NULL);
                INSERT INTO Passage VALUES (2, 'a', x'\(bytes)', NULL);
                """, Passage.self)
            await expectFailure({ error in
                if case .decoding("Passage", "embedding", let found, _) = error {
                    found.contains(detail)
                } else {
                    false
                }
            }) { try await store.fetch(Passage.all).value() }
            await expectFailure(\.isDecoding) { try await store.fetch(Passage.all.select(\.embedding)).value() }
            for metric in VectorMetric.allCases {
                let query = Passage.all.sorted { $0.embedding.distance(to: [1, 2, 3], metric) }
                await expectFailure(\.isDecoding) { try await store.fetch(query.select(\.id)).value() }
            }
            let near = Passage.where { $0.id == 1 }.select { $0.embedding.distance(to: [1, 2, 2], .euclidean) }
            #expect(try await store.fetch(near).value() == [1])
            await closed(store)
        }
    }

    struct Pair: Entity {
        let id: Int
        var short: Vector
        var other: Vector
        var long: Vector
        static let schema = Schema(
            Column("id", \Pair.id), Column("short", \.short, .dimensions(2)), Column("other", \.other, .dimensions(2)),
            Column("long", \.long, .dimensions(3)), make: Pair.init)
    }

    struct Wrapped: RawRepresentable, ColumnValue, Equatable {
        let rawValue: Vector
    }

    struct Long: Entity, Equatable {
        let id: Int
        var value: Vector
        var any: Wrapped
        static let schema = Schema<Long> {
            Column("id", \.id)
            Column("value", \.value, .dimensions(300))
            Column("any", \.any)
        } decode: { row in
            try Long(id: row.next(), value: row.next(), any: row.next())
        }
    }

    struct Two: Entity, Equatable {
        let id: Int
        var value: Vector
        static let entityName = "Point"
        static let schema = Schema(
            Column("id", \Two.id), Column("value", \.value, .dimensions(2)), make: Two.init)
    }

    struct Three: Entity, Equatable {
        let id: Int
        var value: Vector
        static let entityName = "Point"
        static let schema = Schema(
            Column("id", \Three.id), Column("value", \.value, .dimensions(3)), make: Three.init)
    }

    struct Undeclared: Entity {
        let id: Int
        var value: Vector?
        static let schema = Schema(Column("id", \Undeclared.id), Column("value", \.value), make: Undeclared.init)
    }

    struct Empty: Entity {
        let id: Int
        var value: Vector
        static let schema = Schema(
            Column("id", \Empty.id), Column("value", \.value, .dimensions(0)), make: Empty.init)
    }

    struct Scaled: Entity {
        let id: Int
        var value: Vector
        static let schema = Schema(
            Column("id", \Scaled.id), Column("value", \.value, .scale(3)), make: Scaled.init)
    }

    struct Listed: Entity {
        let id: Int
        var value: Vector
        static let schema = Schema(
            Column("id", \Listed.id), Column("value", json: \.value, .dimensions(3)), make: Listed.init)
    }
}
