import SignalRepository
import Signals
import SignalsTesting
import Testing

@Suite("fetchLeniently", .timeLimit(.minutes(10))) struct FetchLenientlyTests {
    @Test("The good items come, and each bad row is named", arguments: StoreKind.allCases)
    func rows(kind: StoreKind) async throws {
        try await withRepository(kind, [Measure.self]) { repository in
            try await repository.insert((0..<5).map { Measure.numbered($0) }).value()
            try await repository.transaction { store in
                for id in [1, 4] { try store.execute(Measure.spoil, id) }
            }.value()
            let result = try await repository.fetchLeniently(Measure.all).value()
            #expect(result.success.map(\.id) == [0, 2, 3])
            #expect(result.failed.map(\.item) == [1, 4])
            for (failure, id) in zip(result.failed, ["1", "4"]) {
                guard case .decoding("Measure", "small", _, let item) = failure.error else {
                    Issue.record("\(failure.error)")
                    continue
                }
                #expect(item?.id == id && item?.index == failure.item)
            }
            let inside = try await repository.transaction { try $0.fetchLeniently(Measure.where { $0.id > 3 }) }.value()
            #expect(inside.success.isEmpty && inside.failed.map(\.item) == [0])
            await expectFailure({ if case .decoding = $0 { true } else { false } }) {
                try await repository.fetch(Measure.all).value()
            }
        }
    }
}
