import Foundation
import SignalRepository
import Signals
import SignalsTesting
import Testing

/// Random rows in a store, and the same rows in an array, to compare the results of every way to read.
final class Measures {
    let repository: any Repository
    let rows: [Measure]
    /// The value at which a condition on `whole` divides the rows.
    let limit: Int
    private let more: Measure

    init(_ repository: any Repository, count: Int, seed: Int) async throws {
        var random = SeededGenerator(seed: UInt64(seed))
        self.repository = repository
        rows = (0..<count).map { Measure.random($0, &random) }
        limit = Int.random(in: -25...25, using: &random)
        more = Measure.random(count, &random)
        try await repository.insert(rows).value()
    }

    /// Expects that an endpoint returns the same result as plain Swift.
    ///
    /// The endpoint runs as a signal, in a reading body, in a transaction after a write, in a nested transaction, and
    /// live before and after the write.
    func agree<Output: Sendable & Equatable>(
        _ outside: Signal<Output, RepositoryError>, live: Signal<Output, RepositoryError>,
        inside: @escaping @Sendable (ReadTransaction) throws -> Output, _ expected: ([Measure]) -> Output,
        sourceLocation: SourceLocation = #_sourceLocation
    ) async throws {
        let (before, after) = (expected(rows), expected(rows + [more]))
        let recorder = live.record()
        #expect(await recorder.values(1) == [before], sourceLocation: sourceLocation)
        #expect(try await outside.value() == before, sourceLocation: sourceLocation)
        #expect(try await repository.read(inside).value() == before, sourceLocation: sourceLocation)
        let written = try await repository.transaction { [more] store in
            try store.create(more)
            return [try inside(store), try store.transaction { try inside($0) }]
        }.value()
        #expect(written == [after, after], sourceLocation: sourceLocation)
        await recorder.values(until: { $0 == after })
        try await repository.delete(more).value()
        #expect(try await outside.value() == before, sourceLocation: sourceLocation)
        #expect(recorder.values.prefix(2) == (before == after ? [before] : [before, after])[...])
        recorder.cancel()
    }

    /// The rows that meet `condition`.
    func some(_ rows: [Measure]) -> [Measure] { rows.filter { $0.whole > limit } }

    var condition: Condition<Measure> { Condition { $0.whole > limit } }

    /// One result for each kind, nil first, in the order of their bytes.
    func groups<Output>(_ rows: [Measure], _ value: ([Measure]) -> Output) -> [Grouped<String?, Output>] {
        let groups = Dictionary(grouping: rows, by: \.kind)
        let keys = groups.keys.sorted { left, right in
            guard let left, let right else { return left == nil && right != nil }
            return left.utf8.lexicographicallyPrecedes(right.utf8)
        }
        return keys.map { Grouped(key: $0, value: value(groups[$0] ?? [])) }
    }
}

/// Gives a test a store with random rows.
func withMeasures(
    _ kind: StoreKind, count: Int = 60, seed: Int = 0, _ body: (Measures) async throws -> Void
) async throws {
    try await withRepository(kind, [Measure.self]) { repository in
        try await body(try await Measures(repository, count: count, seed: seed))
    }
}

/// Expects that an endpoint fails alike as a signal, live, in a reading body and in a transaction.
func expectFailureEverywhere<Output: Sendable>(
    _ isExpected: (RepositoryError) -> Bool, _ repository: any Repository,
    _ outside: Signal<Output, RepositoryError>, live: Signal<Output, RepositoryError>,
    inside: @escaping @Sendable (ReadTransaction) throws -> Output, sourceLocation: SourceLocation = #_sourceLocation
) async {
    let signals = [outside, live, repository.read(inside), repository.transaction { try inside($0) }]
    for signal in signals {
        await expectFailure(isExpected, sourceLocation: sourceLocation) { try await signal.value() }
    }
}

/// An entity for values that do not fit.
struct Extreme: Entity {
    let id: Int
    let whole: Int
    let price: Decimal
    let real: Double

    static let largest = Decimal(Int.max) / 100

    static let schema = Schema(
        Column("id", \Extreme.id), Column("whole", \.whole), Column("price", \.price, .scale(2)),
        Column("real", \.real), make: Extreme.init)
}
