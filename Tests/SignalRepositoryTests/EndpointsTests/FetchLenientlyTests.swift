import SignalRepository
import Signals
import SignalsTesting
import Testing

@Suite("fetchLeniently", .timeLimit(.minutes(10))) struct FetchLenientlyTests {
    // With a text that is no UTF-8, which PostgreSQL cannot hold.
    @Test("The good items come, and each bad row is named", arguments: StoreKind.local)
    func rows(kind: StoreKind) async throws {
        try await withRepository(kind, [Piece.self]) { repository in
            try await repository.insert((0..<5).map { Piece(id: $0, title: "t", price: 1, weight: 1, studio: nil) })
                .value()
            try await repository.transaction { store in
                try store.execute("UPDATE Piece SET title = CAST(x'FF' AS TEXT) WHERE id IN (1, 4)")
            }.value()
            let result = try await repository.fetchLeniently(Piece.all).value()
            #expect(result.success.map(\.id) == [0, 2, 3])
            #expect(result.failed.map(\.item) == [1, 4])
            for (failure, id) in zip(result.failed, ["1", "4"]) {
                guard case .decoding("Piece", "title", _, let item) = failure.error else {
                    Issue.record("\(failure.error)")
                    continue
                }
                #expect(item?.id == id && item?.index == failure.item)
            }
            let inside = try await repository.transaction { try $0.fetchLeniently(Piece.where(\.id > 3)) }.value()
            #expect(inside.success.isEmpty && inside.failed.map(\.item) == [0])
            await expectFailure({ if case .decoding = $0 { true } else { false } }) {
                try await repository.fetch(Piece.all).value()
            }
        }
    }
}
