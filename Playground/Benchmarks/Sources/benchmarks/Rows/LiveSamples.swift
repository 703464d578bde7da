import Foundation
import GRDB
import SignalRepository

// Live sums of floating-point numbers, windows of time and searches, while one sample after another changes; the peer
// reads them again.
extension Catalogue {
    static var liveSamples: [Row] { [liveSumDouble, liveWindow, liveSearch] }

    private static var liveSumDouble: Row {
        sampled(
            "live.sum.double", "the sum of a floating-point number",
            ours: { $0.follow(Sample.all.sum(of: \.value)) },
            peer: { database in
                try Double.fetchOne(database.cachedStatement(sql: #"SELECT total("value") FROM "Sample""#)) ?? 0
            }
        ) { samples, changes in
            sums(samples, changes)
        }
    }

    private static var liveWindow: Row {
        // All samples are in the window, so that a change of any of them changes the average.
        let years = 100.0 * 365 * 86_400
        let query = Sample.where { $0.time > .now - years && $0.time <= .now }
        return sampled(
            "live.window", "the average of a sliding window",
            ours: { $0.follow(query.average(of: \.value)).map { $0 ?? 0 } },
            peer: { database in
                let now = Date().timeIntervalSinceReferenceDate
                let sql = #"SELECT avg("value") FROM "Sample" WHERE "time" > ? AND "time" <= ?"#
                return try Double.fetchOne(database.cachedStatement(sql: sql), arguments: [now - years, now]) ?? 0
            }
        ) { samples, changes in
            sums(samples, changes).map { isSum in { isSum($0 * Double(samples.count)) } }
        }
    }

    private static var liveSearch: Row {
        let query = Sample.where { $0.matches("word7") }.sorted(by: \.value, .descending).limit(100)
        return sampled(
            "live.search", "the 100 greatest with a word",
            ours: { $0.fetchSubscription(query).map { $0.map(\.value) } },
            peer: { database in
                let sql = """
                    SELECT "value" FROM "Sample" WHERE "id" IN (SELECT rowid FROM "signal_repository_search(Sample)"
                    WHERE "signal_repository_search(Sample)" MATCH '"word7"') ORDER BY "value" DESC, "id" LIMIT 100
                    """
                return try Double.fetchAll(database.cachedStatement(sql: sql))
            }
        ) { _, changes in
            changes.map { change in { $0.first == change.new.value } }
        }
    }

    /// Returns a test for each change: whether a number is the sum after the change, apart from rounding.
    private static func sums(_ samples: [Sample], _ changes: [LiveChange<Sample>]) -> [(Double) -> Bool] {
        var sum = samples.reduce(0) { $0 + $1.value }
        return changes.map { change in
            sum += change.new.value - change.old.value
            let expected = sum
            return { abs($0 - expected) < 0.05 }
        }
    }

    private static func sampled<Value: Sendable>(
        _ id: String, _ text: String, ours: @escaping (SQLiteRepository) -> Signal<Value, RepositoryError>,
        peer: @escaping @Sendable (Database) throws -> Value,
        tests: @escaping ([Sample], [LiveChange<Sample>]) -> [(Value) -> Bool]
    ) -> Row {
        let changes = 150
        let work = LiveChanges(items: 100_000, count: changes, peerCount: 20, tests: tests)
        return Row(
            id: id, work: "one of 100k samples changes, write → \(text)", operations: changes, bars: [.ofPeer(1 / 30)],
            ours: work.ours { [ours($0)] }, peer: work.peer(peer))
    }
}
