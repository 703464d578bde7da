import SignalRepository
import SignalsTesting
import Testing

@Suite("The memory of live queries is bounded", .timeLimit(.minutes(10))) struct LiveMemoryTests {
    /// Follows a query while its result grows beyond the limit and shrinks again.
    private func checkLimit<Query: LiveRepositoryQuery>(_ name: String, _ query: Query) async throws {
        var configuration = RepositoryConfiguration()
        configuration.liveMemoryLimit = 8_000
        try await withRepository(.memory, [Measure.self], configuration: configuration) { repository in
            try await repository.insert((1...5).map { Self.row($0) }).value()
            let values = repository.follow(query).map { "\($0)" }.record()
            _ = await values.values(1)
            /// Makes a commit, compares the values, and returns how often the query was re-read.
            func rereads(after commit: @escaping @Sendable (WriteTransaction) throws -> Void) async throws -> Int {
                let before = repository.statistics.reread
                try await repository.transaction(commit).value()
                let fresh = "\(try await repository.fetch(query).value())"
                await values.values { $0 == fresh }
                // A new query gets its first value after the pass that handles the commit.
                _ = try await repository.readSubscription(Measure.self, id: 1).value()
                return repository.statistics.reread - before
            }
            let change: @Sendable (Int) -> @Sendable (WriteTransaction) throws -> Void = { number in
                { try $0.update(Measure.self, id: 1, set: [.set(\.whole, to: 1_000 + number)]) }
            }
            for number in 0..<3 { #expect(try await rereads(after: change(number)) == 0, "\(name)") }
            _ = try await rereads { store in for id in 6...300 { try store.create(Self.row(id)) } }
            for number in 3..<9 { #expect(try await rereads(after: change(number)) == 1, "\(name)") }
            _ = try await rereads { try $0.delete(Measure.self) { $0.id > 5 } }
            // Groups are tried again after some re-reads.
            for number in 9..<20 { _ = try await rereads(after: change(number)) }
            for number in 20..<23 { #expect(try await rereads(after: change(number)) == 0, "\(name)") }
            values.cancel()
        }
    }

    private static func row(_ id: Int) -> Measure {
        var row = Measure.numbered(id)
        row.whole = id
        return row
    }

    @Test("R7 A query that would hold more than the limit is re-read, until its result is small again")
    func limit() async throws {
        let joined = Measure.joined(to: Measure.self) { $0.id == $1.id }
        try await checkLimit("list", Measure.where { $0.whole > 0 })
        try await checkLimit("selection", Measure.all.sorted(by: \.whole).select { ($0.id, $0.whole) })
        try await checkLimit("join", joined)
        try await checkLimit("groups", Measure.all.grouped { $0.whole }.aggregate { $0.id.count() })
        try await checkLimit(
            "some groups",
            Measure.all.grouped { $0.whole }.having { $0.id.count() > 0 }.aggregate {
                $0.id.max()
            })
        try await checkLimit("distinct", Measure.all.select { $0.whole }.distinct())
        try await checkLimit("distinct count", Measure.all.aggregate { $0.whole.count(distinct: true) })
        try await checkLimit("sum of a join", joined.aggregate { $1.whole.sum() })
    }

    @Test("R7 What a limited list holds depends on its limit alone")
    func limited() async throws {
        var configuration = RepositoryConfiguration()
        configuration.liveMemoryLimit = 8_000
        try await withRepository(.memory, [Measure.self], configuration: configuration) { repository in
            try await repository.insert((1...300).map { Self.row($0) }).value()
            let values = repository.fetchSubscription(Measure.all.sorted(by: \.whole).limit(3)).record()
            _ = await values.values(1)
            let before = repository.statistics
            for number in 0..<3 {
                try await repository.update(Measure.self, id: 1, set: [.set(\.whole, to: -number)]).value()
                await values.values { $0.first?.whole == -number }
            }
            #expect(repository.statistics.reread == before.reread && repository.statistics.updatedInPlace > 0)
            values.cancel()
        }
    }
}
