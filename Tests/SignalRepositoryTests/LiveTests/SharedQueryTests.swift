import Signals
import SignalsTesting
import Testing

@testable import SignalRepository

@Suite("A live query with its subscriptions") struct SharedQueryTests {
    private func subscription<Output>(_ query: LiveQuery<Output>) -> LiveSubscription {
        let sink = Recorder<Committed<Output>, RepositoryError>().sink
        return LiveSubscription(query, CommittedReceiver(sink), in: SQLiteDialect())
    }

    @Test("R3 Nobody joins a query that all have left: its values would not come")
    func refused() {
        let query = LiveQuery { _ in 0 }
        let (shared, first) = (TypedSharedQuery(query), subscription(query))
        #expect(shared.join(first, commit: 0, isDue: true))
        #expect(Array(shared.subscriptions.keys) == [ObjectIdentifier(first)])
        first.cancel()
        #expect(shared.cancellation.isCancelled)
        #expect(!shared.join(subscription(query), commit: 0, isDue: true))
        #expect(Array(shared.subscriptions.keys) == [ObjectIdentifier(first)])
    }

    @Test("Work on a query stops when the last of its subscriptions is cancelled, and no subscription joins twice")
    func cancellation() {
        let query = LiveQuery { _ in 0 }
        let (shared, one, other) = (TypedSharedQuery(query), subscription(query), subscription(query))
        #expect(shared.join(one, commit: 0, isDue: true) && shared.join(other, commit: 0, isDue: true))
        #expect(!shared.join(one, commit: 0, isDue: true))
        one.cancel()
        #expect(!shared.cancellation.isCancelled)
        other.cancel()
        other.cancel()
        #expect(shared.cancellation.isCancelled)
    }

    @Test("R17 Equal queries are one for as long as somebody follows it; queries that cannot be compared are several")
    func equal() {
        var queries = SharedQueries()
        func follow(_ studio: String) -> LiveSubscription {
            let films = Film.where { $0.studio == studio }
            return subscription(LiveQuery { try $0.fetch(films) }.following(films) { $0.array })
        }
        let (one, equal, other) = (follow("A"), follow("A"), follow("B"))
        let first = queries.add(one, commit: 0, due: [])
        let known = queries.add(equal, commit: 0, due: [])
        #expect(known == nil)
        let second = queries.add(other, commit: 0, due: [])
        #expect(
            first != nil && second != nil && first !== second && queries.all.count == 2
                && queries.subscriptionCount == 3)
        let remains = queries.remove(one) == nil && queries.remove(one) == nil
        let removed = queries.remove(equal)
        #expect(remains && removed === first)
        #expect(queries.all.count == 1 && queries.subscriptionCount == 1)
        let again = queries.add(follow("A"), commit: 0, due: [])
        #expect(again != nil && again !== first)
        let query = LiveQuery { _ in 0 }
        for number in 3...4 {
            let alone = queries.add(subscription(query), commit: 0, due: [])
            #expect(alone != nil && queries.all.count == number)
        }
        if let second { queries.forget(second) }
        #expect(queries.all.count == 3 && queries.subscriptionCount == 3)
        let forgotten = queries.remove(other)
        #expect(forgotten == nil)
    }
}
