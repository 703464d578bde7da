import SignalRepository
import Signals
import SignalsTesting
import Testing

@Suite("lenient", .timeLimit(.minutes(10))) struct LenientTests {
    @Test("Valid items are returned, and each invalid row is named", arguments: StoreKind.allCases)
    func rows(kind: StoreKind) async throws {
        try await withRepository(kind, [Measure.self]) { repository in
            try await repository.insert((0..<5).map { Measure.numbered($0) }).value()
            try await repository.transaction { store in
                for id in [1, 4] { try store.execute(Measure.spoil, id) }
            }.value()
            let result = try await repository.fetch(Measure.all.lenient).value()
            #expect(result.success.map(\.id) == [0, 2, 3])
            #expect(result.failed.map(\.item) == [1, 4])
            for (failure, id) in zip(result.failed, ["1", "4"]) {
                guard case .decoding("Measure", "small", _, let item) = failure.error else {
                    Issue.record("\(failure.error)")
                    continue
                }
                #expect(item?.id == id && item?.index == failure.item)
            }
            let inside = try await repository.transaction { try $0.fetch(Measure.where { $0.id > 3 }.lenient) }.value()
            #expect(inside.success.isEmpty && inside.failed.map(\.item) == [0])
            await expectFailure({ if case .decoding = $0 { true } else { false } }) {
                try await repository.fetch(Measure.all).value()
            }
        }
    }
}
