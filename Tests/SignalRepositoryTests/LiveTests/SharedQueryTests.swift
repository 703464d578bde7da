import Signals
import SignalsTesting
import Testing

@testable import RepositoryCore
@testable import SignalRepository

@Suite("A live query with its subscriptions") struct SharedQueryTests {
    private func outbox<Output>(_ query: LiveQuery<Output>) -> LatestOutbox {
        LatestValueOutbox(Recorder<Output, RepositoryError>().sink)
    }

    @Test("R3 No subscription joins a query that all others have left: it would get no values")
    func refused() {
        let query = LiveQuery { _ in 0 }
        let (shared, first) = (TypedSharedQuery(query), outbox(query))
        #expect(shared.join(first, commit: 0, isDue: true))
        #expect(shared.subscriptions.map(ObjectIdentifier.init) == [ObjectIdentifier(first)])
        first.cancel()
        #expect(shared.cancellation.isCancelled)
        #expect(!shared.join(outbox(query), commit: 0, isDue: true))
        #expect(shared.subscriptions.map(ObjectIdentifier.init) == [ObjectIdentifier(first)])
    }

    @Test("Work on a query stops when the last of its subscriptions is cancelled, and no subscription joins twice")
    func cancellation() {
        let query = LiveQuery { _ in 0 }
        let (shared, one, other) = (TypedSharedQuery(query), outbox(query), outbox(query))
        #expect(shared.join(one, commit: 0, isDue: true) && shared.join(other, commit: 0, isDue: true))
        #expect(!shared.join(one, commit: 0, isDue: true))
        one.cancel()
        #expect(!shared.cancellation.isCancelled)
        other.cancel()
        other.cancel()
        #expect(shared.cancellation.isCancelled)
    }

    @Test("R17 Equal queries are one as long as somebody follows it; queries that cannot be compared stay separate")
    func equal() {
        var queries = SharedQueries()
        func follow(_ studio: String) -> LiveArrival {
            let films = Film.where { $0.studio == studio }
            let query = LiveQuery { try $0.fetch(films) }.following(films, films.rows) { $0.array }
            return LiveArrival(outbox(query), query, in: SQLiteDialect())
        }
        let (one, equal, other) = (follow("A"), follow("A"), follow("B"))
        let first = queries.add(one, commit: 0, due: [])
        let known = queries.add(equal, commit: 0, due: [])
        #expect(known == nil)
        let second = queries.add(other, commit: 0, due: [])
        #expect(
            first != nil && second != nil && first !== second && queries.count == 2
                && queries.subscriptionCount == 3)
        let remains = queries.remove(one.subscription) == nil && queries.remove(one.subscription) == nil
        let removed = queries.remove(equal.subscription)
        #expect(remains && removed === first)
        #expect(queries.count == 1 && queries.subscriptionCount == 1)
        let again = queries.add(follow("A"), commit: 0, due: [])
        #expect(again != nil && again !== first)
        let query = LiveQuery { _ in 0 }
        for number in 3...4 {
            let alone = queries.add(LiveArrival(outbox(query), query, in: SQLiteDialect()), commit: 0, due: [])
            #expect(alone != nil && queries.count == number)
        }
        if let second { queries.forget(second) }
        #expect(queries.count == 3 && queries.subscriptionCount == 3)
        let forgotten = queries.remove(other.subscription)
        #expect(forgotten == nil)
    }
}
