import Foundation
import GRDB
import SignalRepository

/// A measurement with a time and a text, for the rows of sums, windows and searches.
struct Reading: Sendable, Equatable, Identifiable {
    let id: Int64
    var time: Date
    var value: Double
    /// Five words; "text" is in every text.
    var text: String
}

extension Reading: LiveItem {
    static let schema = Schema(
        Column("id", \Reading.id), Column("time", \.time), Column("value", \.value), Column("text", \.text),
        indexed: [[\Reading.time, \.value]], search: [\Reading.text], make: Reading.init)

    /// The time of the first reading, in seconds since the reference date; each next one is a second later.
    private static let start = 780_000_000

    static func first(_ count: Int) -> [Reading] {
        (0..<count).map { index in
            Reading(
                id: Int64(index + 1), time: Date(timeIntervalSinceReferenceDate: Double(start + index)),
                value: Double(index % 1_000) / 8, text: "some text of word\(index % 100) here")
        }
    }

    static func fill(_ path: String, _ count: Int) throws {
        let store = try RawStore(path)
        try store.execute("PRAGMA cache_size = -400000")
        try store.execute(
            """
            WITH RECURSIVE "n" ("i") AS (SELECT 0 UNION ALL SELECT "i" + 1 FROM "n" WHERE "i" + 1 < \(count))
            INSERT INTO "Reading" ("id", "time", "value", "text")
            SELECT "i" + 1, \(start) + "i", "i" % 1000 / 8.0, 'some text of word' || ("i" % 100) || ' here' FROM "n"
            """)
    }

    func changed(_ number: Int) -> Reading {
        var reading = self
        reading.value = Double(1_000 + number) / 8
        reading.text = "another text of word7 number \(number)"
        return reading
    }

    static func checksum(_ items: [Reading]) -> Int {
        items.reduce(0) { sum, reading in
            var checksum = Checksum()
            for number in [Int(reading.id), Int(reading.time.timeIntervalSinceReferenceDate), Int(reading.value * 8)] {
                checksum.combine(number)
            }
            checksum.combine(reading.text)
            return sum &+ checksum.value
        }
    }
}

// Hand-written, without Codable, as GRDB's guide on performance recommends.
extension Reading: FetchableRecord, PersistableRecord {
    static let databaseTableName = "Reading"

    init(row: GRDB.Row) {
        self.init(
            id: row[0], time: Date(timeIntervalSinceReferenceDate: row[1]), value: row[2], text: row[3])
    }

    func encode(to container: inout PersistenceContainer) {
        container["id"] = id
        container["time"] = time.timeIntervalSinceReferenceDate
        container["value"] = value
        container["text"] = text
    }
}
