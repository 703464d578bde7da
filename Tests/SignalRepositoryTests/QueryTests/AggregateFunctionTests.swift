import Foundation
import Signals
import Testing

@testable import RepositoryCore
@testable import SignalRepository

/// A sixth function, which is declared here alone, without any change of the engine.
extension AggregateFunction where Value: ColumnValue, Output == Int {
    /// The number of rows without a value.
    fileprivate static var missingValues: Self {
        Self(terms: [.rows, .count]) { row throws(RepositoryError) in
            try row.integer(.rows) - row.integer(.count)
        }
    }
}

@Suite("A sixth aggregate function", .timeLimit(.minutes(10))) struct AggregateFunctionTests {
    @Test("R15 A function that is declared in one place works in every endpoint", arguments: StoreKind.allCases)
    func sixth(kind: StoreKind) async throws {
        try await withRepository(kind) { repository in
            let films = (0..<30).map { number in
                Film.numbered(
                    number, boxOffice: Decimal(number % 4), studio: number % 3 == 0 ? nil : "Studio \(number % 3)")
            }
            try await repository.insert(films).value()
            let all = try await repository.aggregate(.missingValues, of: \Film.studio).value()
            #expect(all == 10)
            let some = try await repository.aggregate(
                .missingValues, of: \Film.studio
            ) { $0.boxOffice > 1 }.value()
            #expect(some == films.count { $0.boxOffice > 1 && $0.studio == nil })
            let none = try await repository.aggregate(
                .missingValues, of: \Film.studio
            ) { $0.boxOffice > 100 }.value()
            #expect(none == 0)
            let groups = try await repository.aggregate(
                .missingValues, of: \Film.boxOffice, groupedBy: \.studio
            ).value()
            #expect(
                groups == [
                    Grouped(key: nil, value: 0), Grouped(key: "Studio 1", value: 0), Grouped(key: "Studio 2", value: 0),
                ])
            let live = repository.aggregateSubscription(.missingValues, of: \Film.studio).record()
            #expect(await live.values(1) == [10])
            let inside = try await repository.transaction { store in
                try store.create(Film.numbered(31, boxOffice: 77, studio: nil))
                return try store.fetch(Film.all.aggregate(.missingValues, of: \.studio))
            }.value()
            #expect(inside == 11)
            #expect(await live.values(2) == [10, 11])
        }
    }

    @Test("A term that a function does not list is a misuse that names it", arguments: [StoreKind.memory, .postgres])
    func missing(kind: StoreKind) async throws {
        let careless = AggregateFunction<Decimal, Int>(terms: [.count]) { row throws(RepositoryError) in
            try row.integer(.maximum)
        }
        try await withRepository(kind) { repository in
            await expectFailure({ "\($0)".contains("does not compute maximum") }) {
                try await repository.aggregate(careless, of: \Film.boxOffice).value()
            }
        }
    }
}
