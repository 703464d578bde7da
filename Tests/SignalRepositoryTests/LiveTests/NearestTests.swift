import SignalsTesting
import Testing

@testable import RepositoryCore
@testable import SignalRepository
@testable import SignalRepositoryPostgres

@Suite("Nearest vectors", .timeLimit(.minutes(10))) struct NearestTests {
    private static let target: Vector = [1, 2, -1]

    @Test("An order by distance equals a sort in Swift", arguments: StoreKind.local, VectorMetric.allCases)
    func order(kind: StoreKind, metric: VectorMetric) async throws {
        var random = SeededGenerator(seed: 3)
        let items = (0..<200).map { Passage.random($0, &random) }
        try await withRepository(kind, [Passage.self]) { repository async throws in
            try await repository.insert(items).value()
            let nearest = Passage.all.sorted { $0.embedding.distance(to: Self.target, metric) }.limit(20)
            let sorted = items.sorted {
                (Self.distance($0.embedding, metric), $0.id) < (Self.distance($1.embedding, metric), $1.id)
            }
            #expect(try await repository.fetch(nearest).value() == Array(sorted.prefix(20)))
            let some = items.filter { $0.summary.map { Self.distance($0, metric) < 1.25 } ?? false }
            let near = Passage.where { $0.summary.distance(to: Self.target, metric) < 1.25 }
            #expect(try await repository.fetch(near).value() == some)
            #expect(try await repository.fetch(near.count).value() == some.count)
            let distances = Passage.all.select { ($0.id, $0.summary.distance(to: Self.target, metric)) }
            for ((id, distance), item) in zip(try await repository.fetch(distances).value(), items) {
                #expect(id == item.id && distance == item.summary.map { Self.distance($0, metric) })
            }
            let least = Passage.all.aggregate { $0.embedding.distance(to: Self.target, metric).min() }
            #expect(
                try await repository.fetch(least).value() == [sorted.first.map { Self.distance($0.embedding, metric) }])
        }
    }

    @Test("R4 R7 Live queries with a distance are updated in place, and equal fresh ones", arguments: StoreKind.local)
    func live(kind: StoreKind) async throws {
        let distance = { @Sendable (item: Columns<Passage, Passage>) in
            item.embedding.distance(to: Self.target, .cosine)
        }
        let maybe = { @Sendable (item: Columns<Passage, Passage>) in item.summary.distance(to: Self.target, .euclidean)
        }
        try await changes(kind, Passage.all.sorted(by: distance).limit(20))
        try await changes(kind, Passage.where { maybe($0) < 3 }.sorted { maybe($0) }.limit(20))
        try await changes(kind, Passage.where { distance($0) < 0.5 }.count)
        try await changes(
            kind,
            Passage.where { $0.text == "a" }.sorted(by: distance).select { ($0.id, distance($0), maybe($0)) }.limit(20))
        try await changes(kind, Passage.all.grouped { $0.text }.aggregate { (distance($0).min(), maybe($0).sum()) })
        try await changes(kind, Passage.all.aggregate { $0.embedding.distance(to: Self.target, .dot).min() })
    }

    /// Follows a query through random changes, and compares its values with fresh ones.
    private func changes<Query: LiveRepositoryQuery>(_ kind: StoreKind, _ query: Query) async throws {
        var random = SeededGenerator(seed: 11)
        try await withRepository(kind, [Passage.self]) { repository async throws in
            try await repository.insert((0..<60).map { Passage.random($0, &random) }).value()
            let values = repository.follow(query).map { "\($0)" }.record()
            _ = await values.values(1)
            let before = repository.statistics
            for round in 0..<60 {
                let item = Passage.random(Int.random(in: 0..<60, using: &random), &random)
                switch round % 4 {
                case 0: try await repository.transaction { _ = try $0.delete(Passage.self, ids: [item.id]) }.value()
                case 1:
                    try await repository.update(Passage.self, set: [.set(\.summary, to: item.summary)]) {
                        $0.id == item.id
                    }.value()
                default: try await repository.upsert(item).value()
                }
                let fresh = "\(try await repository.fetch(query).value())"
                await values.reaches { $0 == fresh }
                // A new query gets its first value after the pass that handles the commit.
                _ = try await repository.readSubscription(Passage.self, id: -1).value()
            }
            let after = repository.statistics
            #expect(after.reread == before.reread && after.updatedInPlace > before.updatedInPlace + 5)
            values.cancel()
        }
    }

    @Test("R20 A live query fails when a changed row has bytes that are not such a vector")
    func foreign() async throws {
        try await withRepository(.file, [Passage.self]) { repository async throws in
            try await repository.create(Passage(id: 1, text: "a", embedding: [1, 2, 3], summary: nil)).value()
            let query = Passage.all.sorted { $0.embedding.distance(to: Self.target, .dot) }.select(\.id)
            let values = repository.follow(query).record()
            _ = await values.values(1)
            try await repository.transaction { try $0.execute("UPDATE \(Passage.self) SET embedding = x'0000'") }
                .value()
            guard case .failure(.decoding)? = await values.end() else { return #expect(Bool(false)) }
        }
    }

    @Test("A vector with another number of components is refused, with both numbers", arguments: StoreKind.local)
    func misuse(kind: StoreKind) async throws {
        try await withRepository(kind, [Passage.self]) { repository async throws in
            for query in [
                Passage.all.sorted { $0.embedding.distance(to: [1, 2], .cosine) },
                Passage.where { $0.summary.distance(to: [1, 2], .dot) < 3 },
            ] {
                await expectFailure({
                    $0.isMisuse && "\($0)".contains("2 components") && "\($0)".contains("vectors of 3")
                }) {
                    try await repository.fetch(query).value()
                }
            }
            await expectFailure(\.isEncoding) {
                try await repository.fetch(Passage.all.sorted { $0.embedding.distance(to: [1, .nan, 2], .cosine) })
                    .value()
            }
        }
    }

    @Test("A server and a declaration refuse distances")
    func dialects() throws {
        let term = try Passage.queryTerms.embedding.distance(to: Self.target, .cosine).value().term
        for dialect in [PostgresDialect() as any Dialect, SQLiteDialect(isDeclaration: true)] {
            let error = try thrown { () throws(RepositoryError) in try dialect.term(term) }
            #expect(error.isMisuse && "\(error)".contains("vectors"), "\(error)")
        }
    }

    private static func distance(_ vector: Vector, _ metric: VectorMetric) -> Double {
        vector.distance(from: target, metric)
    }
}
