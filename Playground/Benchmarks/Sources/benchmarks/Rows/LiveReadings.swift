import Foundation
import GRDB
import SignalRepository

// Live sums of floating-point numbers, windows of time and searches, while one reading after another changes; the peer
// runs each query again.
extension Catalogue {
    static var liveReadings: [Row] { [liveSumDouble, liveWindow, liveSearch] }

    private static var liveSumDouble: Row {
        reading(
            "live.sum.double", "the sum of a floating-point number",
            ours: { $0.follow(Reading.all.sum(of: \.value)) },
            peer: { database in
                try Double.fetchOne(database.cachedStatement(sql: #"SELECT total("value") FROM "Reading""#)) ?? 0
            }
        ) { readings, changes in
            sums(readings, changes)
        }
    }

    private static var liveWindow: Row {
        // All readings are in the window, so that a change of any of them changes the average.
        let years = 100.0 * 365 * 86_400
        let query = Reading.where { $0.time > .now - years && $0.time <= .now }
        return reading(
            "live.window", "the average of a sliding window",
            ours: { $0.follow(query.average(of: \.value)).map { $0 ?? 0 } },
            peer: { database in
                let now = Date().timeIntervalSinceReferenceDate
                let sql = #"SELECT avg("value") FROM "Reading" WHERE "time" > ? AND "time" <= ?"#
                return try Double.fetchOne(database.cachedStatement(sql: sql), arguments: [now - years, now]) ?? 0
            }
        ) { readings, changes in
            sums(readings, changes).map { isSum in { isSum($0 * Double(readings.count)) } }
        }
    }

    private static var liveSearch: Row {
        let query = Reading.where { $0.matches("text") }.sorted(by: \.value, .descending).limit(100)
        return following(
            "live.search", "the 100 greatest with a word", items: "readings",
            ours: { $0.fetchSubscription(query).map { $0.map(\.value) } },
            peer: { database in
                let sql = """
                    SELECT "value" FROM "Reading" WHERE "id" IN (SELECT rowid FROM "signal_repository_search(Reading)"
                    WHERE "signal_repository_search(Reading)" MATCH '"text"') ORDER BY "value" DESC, "id" LIMIT 100
                    """
                return try Double.fetchAll(database.cachedStatement(sql: sql))
            }
        ) { (_: [Reading], changes) in
            changes.map { change in { $0.first == change.new.value } }
        }
    }

    /// Returns a test for each change: whether a number is the sum after the change, apart from rounding.
    private static func sums(_ readings: [Reading], _ changes: [LiveChange<Reading>]) -> [(Double) -> Bool] {
        var sum = readings.reduce(0) { $0 + $1.value }
        return changes.map { change in
            sum += change.new.value - change.old.value
            let expected = sum
            return { abs($0 - expected) < 0.05 }
        }
    }

    /// Returns the row of a query while only the values of readings change, and so no text in the full-text index.
    private static func reading(
        _ id: String, _ text: String,
        ours: @escaping (SQLiteRepository) -> Signal<Double, RepositoryError>,
        peer: @escaping @Sendable (Database) throws -> Double,
        tests: @escaping ([Reading], [LiveChange<Reading>]) -> [(Double) -> Bool]
    ) -> Row {
        following(
            id, text, items: "readings", ours: ours, peer: peer,
            change: { repository, new in
                _ = try repository.update(Reading.self, id: new.id, set: [.set(\.value, to: new.value)]).wait()
            },
            peerChange: { database, new in
                try database.cachedStatement(sql: #"UPDATE "Reading" SET "value" = ? WHERE "id" = ?"#)
                    .execute(arguments: [new.value, new.id])
            }, tests: tests)
    }
}
