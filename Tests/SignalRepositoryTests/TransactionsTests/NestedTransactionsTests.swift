import SignalRepository
import Signals
import SignalsTesting
import Testing

@Suite("Nested transactions", .timeLimit(.minutes(10))) struct NestedTransactionsTests {
    // PostgreSQL has no statement that ends the whole transaction if it fails.
    @Test(
        "R16 A rollback by SQLite in an inner transaction is not swallowed with the inner error",
        arguments: StoreKind.local)
    func undoneInside(kind: StoreKind) async throws {
        try await withRepository(kind) { repository in
            try await repository.create(Film.numbered(1)).value()
            await expectFailure(\.isConstraint) {
                try await repository.transaction { store in
                    try? store.transaction { inner in
                        // Ends the whole transaction, the outer one too.
                        _ = try inner.execute("INSERT OR ROLLBACK INTO Film SELECT * FROM Film")
                    }
                    try store.create(Film.numbered(2))
                }.value()
            }
            #expect(try await repository.fetch(Film.all).value() == [Film.numbered(1)])
            try await repository.create(Film.numbered(2)).value()
        }
    }
}
