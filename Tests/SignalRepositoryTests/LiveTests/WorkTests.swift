import SignalRepository
import Signals
import SignalsTesting
import Testing

/// The work for a commit, counted in matched, updated and re-read queries.
@Suite("The cost of a commit that matters to few queries", .timeLimit(.minutes(10))) struct WorkTests {
    /// `VALUES` asks for the long run.
    private static let counts = HistoryTests.number("VALUES") ?? 0 < 100_000 ? [10, 1_000, 10_000] : [100_000]

    @Test("R17 A commit concerns only the queries whose condition its rows may pass", arguments: counts)
    func matched(count: Int) async throws {
        try await withRepository(.memory, [Measure.self, Film.self]) { repository in
            var random = SeededGenerator(seed: 1)
            let row = Measure.random(0, &random)
            let counts = Counter()
            var tokens: [SignalToken] = []
            for number in 0..<count {
                let signal =
                    switch number % 4 {
                    case 0: repository.readSubscription(Measure.self, id: number).map { $0 == nil ? 0 : 1 }
                    case 1: repository.countSubscription(Measure.self) { $0.id == number }
                    case 2:
                        repository.sumSubscription(of: \Measure.whole) { $0.id >= number && $0.id <= number + 1 }
                    default: repository.listSubscription(Measure.where { $0.id.isIn([number]) }).map(\.items.count)
                    }
                tokens.append(signal.sink(onValue: { _ in counts.add() }, onCompletion: { _ in }))
            }
            await passed(repository)
            let before = repository.statistics
            #expect(before.firstReads == count + 1)
            // An item that nobody follows, and one that a single query follows.
            for id in [-5, 6] {
                var new = row
                new = Measure(
                    id: id, whole: new.whole, small: nil, real: 0, maybeReal: nil, price: 0, maybePrice: nil, text: "",
                    kind: nil, date: new.date, isDone: false)
                try await repository.create(new).value()
                await passed(repository)
            }
            let after = repository.statistics
            #expect(after.matched - before.matched == 1)
            #expect(after.updatedInPlace - before.updatedInPlace == 1)
            #expect(after.reread == before.reread)
            #expect(after.refilled == before.refilled)
            for token in tokens { token.cancel() }
        }
    }

    /// Waits for the pass that handles all earlier work: a new query gets its first value after it.
    private func passed(_ repository: any Repository) async {
        _ = try? await repository.follow(LiveQuery { try $0.count(Film.self) }).value()
    }
}
