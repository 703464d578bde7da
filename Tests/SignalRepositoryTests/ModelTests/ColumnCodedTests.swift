import Foundation
import SignalRepository
import Testing

@Suite("An item as a JSON object") struct ColumnCodedTests {
    enum Genre: String, ColumnValue { case drama, comedy }
    enum Level: Int, ColumnValue, Codable { case low, high }
    enum Rate: Double, ColumnValue { case normal = 19, reduced = 7.5 }
    struct Priced: Entity, Equatable {
        let id: Int
        var rate: Rate
        static let schema = Schema(Column("id", \Priced.id), Column("rate", \.rate), make: Priced.init)
    }
    struct Poster: Codable, Equatable { var width: Int }

    struct Work: Entity, Equatable {
        let id: UUID
        var text: String
        var price: Decimal
        var day: Date
        var isNew: Bool
        var genre: Genre
        var level: Level?
        var poster: Poster
        var bytes: Data
        var number: Int64

        static let schema = Schema<Work> {
            Column("id", \.id)
            Column("text_", \.text)
            Column("price", \.price, .scale(2))
            Column("day", \.day)
            Column("isNew", \.isNew, .default(true))
            Column("genre", \.genre)
            Column("level", \.level)
            Column("poster", json: \.poster)
            Column("bytes", \.bytes)
            Column("number", \.number)
        } decode: { row in
            try Work(
                id: row.next(), text: row.next(), price: row.next(), day: row.next(), isNew: row.next(),
                genre: row.next(), level: row.next(), poster: row.next(), bytes: row.next(), number: row.next())
        }
    }

    private func work(_ text: String, level: Level? = nil, number: Int64 = 0) -> Work {
        Work(
            id: Film.id(1), text: text, price: Decimal(123_456) / 100,
            day: Date(timeIntervalSinceReferenceDate: 86_400), isNew: false,
            genre: .comedy, level: level, poster: Poster(width: 3), bytes: Data([0, 255]), number: number)
    }

    @Test("It has the names of the columns, and each type's own encoding")
    func names() throws {
        let encoder = JSONEncoder()
        encoder.outputFormatting = .sortedKeys
        encoder.dateEncodingStrategy = .iso8601
        let json = String(decoding: try encoder.encode(ColumnCoded(work("Emma"))), as: UTF8.self)
        #expect(
            json == """
                {"bytes":"AP8=","day":"2001-01-02T00:00:00Z","genre":"comedy","id":"\(Film.id(1))","isNew":false,\
                "level":null,"number":0,"poster":{"width":3},"price":1234.56,"text_":"Emma"}
                """)
    }

    @Test("It comes back, whatever the text and the numbers")
    func back() throws {
        for (place, text) in TextZoo.texts.enumerated() {
            let one = work(text, level: place % 2 == 0 ? .high : nil, number: [.min, .max, (1 << 53) + 1][place % 3])
            let data = try JSONEncoder().encode([ColumnCoded(one)])
            let read = try JSONDecoder().decode([ColumnCoded<Work>].self, from: data).map(\.item)
            #expect(read == [one] && read[0].text.isStored(like: text))
        }
    }

    @Test("A whole number of a type that is not Codable comes back too")
    func wholeNumber() throws {
        for rate in [Rate.normal, .reduced] {
            let data = try JSONEncoder().encode(ColumnCoded(Priced(id: 1, rate: rate)))
            #expect(try JSONDecoder().decode(ColumnCoded<Priced>.self, from: data).item.rate == rate)
        }
    }

    @Test("A missing value becomes the default or nil, or is an error, as is a value of another type")
    func missing() throws {
        func read(_ change: (inout [String: Any]) -> Void) throws -> Work {
            let data = try JSONEncoder().encode(ColumnCoded(work("a", level: .high)))
            var object = try #require(JSONSerialization.jsonObject(with: data) as? [String: Any])
            change(&object)
            let changed = try JSONSerialization.data(withJSONObject: object)
            return try JSONDecoder().decode(ColumnCoded<Work>.self, from: changed).item
        }
        let short = try read {
            $0["level"] = nil
            $0["isNew"] = nil
            $0["other"] = 1
        }
        #expect(short.isNew && short.level == nil)
        #expect(throws: RepositoryError.self) { try read { $0["text_"] = nil } }
        #expect(throws: DecodingError.self) { try read { $0["text_"] = 1 } }
        #expect(throws: RepositoryError.self) { try read { $0["genre"] = "opera" } }
        #expect(throws: RepositoryError.self) { try read { $0["price"] = 0.125 } }
    }
}
