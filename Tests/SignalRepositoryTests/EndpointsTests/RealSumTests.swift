import SignalRepository
import Signals
import SignalsTesting
import Testing

@Suite("Sums of floating-point numbers", .timeLimit(.minutes(10))) struct RealSumTests {
    private static let huge = Double.greatestFiniteMagnitude

    @Test(
        "R15 A sum of finite numbers that does not fit is an overflow, never infinity",
        arguments: StoreKind.allCases, [[huge, huge, huge], [-huge, -huge], [huge, huge, -huge, 0]])
    func overflow(kind: StoreKind, values: [Double]) async throws {
        // In a file, the sum of the last values fits, whatever the order in which they are added.
        if values.last == 0, kind != .postgres { return try await fits(kind, values) }
        try await withRepository(kind, [Box.self]) { repository in
            try await repository.insert(values.enumerated().map { Box(id: $0.offset, value: $0.element) }).value()
            await expectFailure(\.isOverflow) { try await repository.sum(of: \Box.value).value() }
            await expectFailure(\.isOverflow) { try await repository.average(of: \Box.value).value() }
            await expectFailure(\.isOverflow) { try await repository.aggregate(.summary, of: \Box.value).value() }
            await expectFailure(\.isOverflow) {
                try await repository.aggregate(.sum, of: \Box.value, groupedBy: \.kind).value()
            }
            let live = repository.sumSubscription(of: \Box.value)
            // A server adds in its own order, but a live sum is exact.
            if values.last == 0 { return #expect(try await live.value() == Self.huge) }
            await expectFailure(\.isOverflow) { try await live.value() }
        }
    }

    private func fits(_ kind: StoreKind, _ values: [Double]) async throws {
        try await withRepository(kind, [Box.self]) { repository in
            try await repository.insert(values.enumerated().map { Box(id: $0.offset, value: $0.element) }).value()
            #expect(try await repository.sum(of: \Box.value).value() == Self.huge)
            let sums = repository.sumSubscription(of: \Box.value).record()
            _ = await sums.values(1)
            try await repository.delete(Box.self, id: 2).value()
            guard case .failure(.overflow) = await sums.end() else { return #expect(Bool(false), "\(sums.history)") }
        }
    }

    @Test("R15 A sum with one infinity is that infinity", arguments: StoreKind.allCases)
    func infinity(kind: StoreKind) async throws {
        try await withRepository(kind, [Box.self]) { repository in
            try await repository.insert([Box(id: 1, value: .infinity), Box(id: 2, value: Self.huge)]).value()
            #expect(try await repository.sum(of: \Box.value).value() == .infinity)
            #expect(try await repository.average(of: \Box.value).value() == .infinity)
            try await repository.create(Box(id: 3, value: -.infinity)).value()
            await expectFailure(\.isOverflow) { try await repository.sum(of: \Box.value).value() }
        }
    }

    struct Box: Entity, Equatable {
        let id: Int
        var value: Double
        var kind = 0
        static let schema = Schema(
            Column("id", \Box.id), Column("value", \.value), Column("kind", \.kind),
            make: { Box(id: $0, value: $1, kind: $2) })
    }
}
