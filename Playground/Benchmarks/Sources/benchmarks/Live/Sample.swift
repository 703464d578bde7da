import Foundation
import GRDB
import SignalRepository

/// A measurement with a time and a text, for the rows of sums, windows and searches.
struct Sample: Sendable, Equatable, Identifiable {
    let id: Int64
    var time: Date
    var value: Double
    /// Five words; "word7" is in one text of 100.
    var text: String
}

extension Sample: LiveItem {
    static let schema = Schema(
        Column("id", \Sample.id), Column("time", \.time), Column("value", \.value), Column("text", \.text),
        indexed: [[\Sample.time, \.value]], search: [\Sample.text], make: Sample.init)

    /// The time of the first sample, in seconds since the reference date; each next one is a second later.
    private static let start = 780_000_000

    static func first(_ count: Int) -> [Sample] {
        (0..<count).map { index in
            Sample(
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
            INSERT INTO "Sample" ("id", "time", "value", "text")
            SELECT "i" + 1, \(start) + "i", "i" % 1000 / 8.0, 'some text of word' || "i" % 100 || ' here' FROM "n"
            """)
    }

    func changed(_ number: Int) -> Sample {
        var sample = self
        sample.value = Double(1_000 + number) / 8
        sample.text = "another text of word7 number \(number)"
        return sample
    }

    static func checksum(_ items: [Sample]) -> Int {
        items.reduce(0) { sum, sample in
            var checksum = Checksum()
            for number in [Int(sample.id), Int(sample.time.timeIntervalSinceReferenceDate), Int(sample.value * 8)] {
                checksum.combine(number)
            }
            checksum.combine(sample.text)
            return sum &+ checksum.value
        }
    }
}

// Hand-written, without Codable, as GRDB's guide on performance recommends.
extension Sample: FetchableRecord, PersistableRecord {
    static let databaseTableName = "Sample"

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
