import SignalRepository
import Signals
import SignalsTesting
import Testing

@Suite("Transactions within transactions", .timeLimit(.minutes(10))) struct NestedTransactionsTests {
    // PostgreSQL undoes nothing by itself.
    // PostgreSQL has no statement that ends a transaction where it fails.
    @Test(
        "R16 What SQLite undoes by itself in an inner transaction is not swallowed with the inner error",
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
