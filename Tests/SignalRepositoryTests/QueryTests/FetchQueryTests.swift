import Foundation
import SignalRepository
import Signals
import SignalsTesting
import Testing

@Suite("Fetch queries", .timeLimit(.minutes(10))) struct FetchQueryTests {
    @Test(
        "Rows are sorted by the keys, then by id; nil comes first", arguments: [StoreKind.memory, .postgres], 0..<6)
    func order(kind: StoreKind, seed: Int) async throws {
        var random = SeededGenerator(seed: UInt64(seed))
        let rows = (0..<60).map { Measure.random($0, &random) }
        try await withRepository(kind, [Measure.self]) { repository in
            try await repository.insert(rows.shuffled(using: &random)).value()
            let byKind = try await repository.fetch(Measure.all.sorted(by: \.kind).sorted(by: \.whole, .descending))
                .value()
            #expect(byKind == rows.sorted(by: Self.areInOrder), "seed \(seed)")
            #expect(try await repository.fetch(Measure.all).value() == rows)
        }
    }

    private static func areInOrder(_ left: Measure, _ right: Measure) -> Bool {
        if left.kind != right.kind {
            guard let first = left.kind, let second = right.kind else { return left.kind == nil }
            return first.utf8.lexicographicallyPrecedes(second.utf8)
        }
        return (-left.whole, left.id) < (-right.whole, right.id)
    }

    @Test("For the first item of a query, only that item is read", arguments: StoreKind.allCases)
    func first(kind: StoreKind) async throws {
        try await withRepository(kind, [Measure.self]) { repository in
            try await repository.insert((0..<3).map { Measure.numbered($0) }).value()
            // An item that cannot be read.
            try await repository.transaction { try $0.execute(Measure.spoil, 1) }.value()
            let rows = Measure.all.sorted(by: \.whole)
            await expectFailure(\.isDecoding) { try await repository.fetch(rows.limit(2)).value() }
            for query in [rows, rows.limit(1), rows.limit(2), rows.limit(5)] {
                #expect(try await repository.first(query).value() == Measure.numbered(0))
            }
            #expect(try await repository.first(rows.limit(0)).value() == nil)
        }
    }

    @Test("Limit and offset cut a page out of the order", arguments: [0, 1, 7, 20, 25], [0, 3, 19, 20, 30])
    func pages(limit: Int, offset: Int) async throws {
        try await withRepository(.memory) { repository in
            let films = (0..<20).map { Film.numbered($0) }
            try await repository.insert(films).value()
            let query = Film.all.sorted(by: \.boxOffice, .descending).limit(limit).offset(offset)
            let page = films.reversed().dropFirst(offset).prefix(limit)
            #expect(try await repository.fetch(query).value() == Array(page))
            #expect(try await repository.count(query).value() == page.count)
            let rest = Film.all.offset(offset)
            #expect(try await repository.fetch(rest).value() == Array(films.dropFirst(offset)))
        }
    }

    @Test("Conditions added one after the other must all hold", arguments: [StoreKind.memory, .postgres])
    func chained(kind: StoreKind) async throws {
        try await withRepository(kind) { repository in
            try await repository.insert((0..<20).map { Film.numbered($0, studio: $0 % 2 == 0 ? "A" : nil) }).value()
            let query = Film.where { $0.boxOffice > 5 }.where { $0.studio == "A" }.where { $0.boxOffice <= 12 }
            #expect(try await repository.fetch(query).value().map(\.boxOffice) == [6, 8, 10, 12])
            #expect(try await repository.fetch(Film.all.limit(-1)).value().isEmpty)
        }
    }
}
