import Foundation
import Testing

@testable import RepositoryCore
@testable import SignalRepository

private struct Movie: Entity, Equatable {
    let id: UUID
    var title: String
    var releaseDate: Date
    var boxOffice: Decimal
    var studio: String?

    /// A computed property, for which the schema declares no column.
    var initial: String { String(title.prefix(1)) }

    static let schema = Schema(
        Column("id", \Movie.id), Column("title", \.title), Column("releaseDate", \.releaseDate),
        Column("boxOffice", \.boxOffice), Column("studio", \.studio, .indexed), make: Movie.init)
}

@Suite("Schema") struct SchemaTests {
    @Test("A key that is stored as JSON, rounded or with custom functions is refused when the store is opened")
    func encodedKeys() {
        for entity in [Hexadecimal.self, Quoted.self, Rounded.self] as [any Entity.Type] {
            do {
                _ = try SQLiteRepository(.inMemory, entities: [entity])
                Issue.record("\(entity) was opened.")
            } catch {
                #expect("\(error)".contains("is the key, but is stored as JSON, rounded, or with custom functions"))
            }
        }
    }

    @Test("An item comes back as it was stored")
    func roundTrip() throws {
        let memory = try Memory(Movie.self)
        let boxOffice = try #require(Decimal(string: "12.3456"))
        let movie = Movie(id: UUID(), title: "Tár", releaseDate: Date(), boxOffice: boxOffice, studio: nil)
        try memory.insert(movie)
        #expect(try memory.items() == [movie])
    }

    @Test("A column is found by its property, even in generic code; a property without a column is a misuse")
    func lookup() throws {
        func key<Item: Entity>(_ type: Item.Type) throws(RepositoryError) -> String {
            try Item.schema.column(for: \Item.id).name
        }
        #expect(try Movie.schema.key.name == "id")
        #expect(try key(Movie.self) == "id")
        #expect(try Movie.schema.column(for: \Movie.studio).isIndexed)
        let error = try thrown { () throws(RepositoryError) in try Movie.schema.column(for: \Movie.initial) }
        guard case .misuse(let detail) = error else { return #expect(Bool(false), "\(error)") }
        #expect(detail.hasPrefix("the schema of Movie declares no column for the property \\Movie"))
    }

    @Test("A function receives the values of 1 to 6 columns in their order", arguments: 1...6)
    func everyNumber(_ count: Int) throws {
        let schema = try #require(Wide.schemas[count])
        #expect(schema.columns.count == count)
        try check(schema)
    }

    @Test("A closure reads any number of columns in their order")
    func many() throws {
        #expect(Wide.wide.columns.count == 30)
        try check(Wide.wide)
    }

    @Test("A closure that reads too few or too many columns is refused")
    func miscounted() throws {
        let values = [SQLValue.integer(1), .integer(2)]
        let short = try thrown { () throws(RepositoryError) in try Wide.reading(1).item(of: values) }
        #expect(short == .misuse(detail: "the decode closure of Wide reads 1 of 2 columns: it leaves out c1"))
        let long = try thrown { () throws(RepositoryError) in try Wide.reading(3).item(of: values) }
        let detail = "the decode closure reads more than 2 values, one for each column"
        #expect(long == .decoding(entity: "Wide", column: "c1", detail: detail))
    }

    private func check(_ schema: Schema<Wide>) throws {
        let connection = try Connection(path: ":memory:", options: ConnectionOptions())
        let names = Identifier.list(schema.columns.map(\.name))
        try connection.execute("CREATE TABLE Wide (\(names))")
        let places = schema.columns.map { _ in "?" }.joined(separator: ", ")
        let wide = Wide(values: (0..<schema.columns.count).map { $0 * 3 + 1 })
        let insert = EntityStatement(try connection.prepare("INSERT INTO Wide VALUES (\(places))"), keyScale: 0)
        try insert.bind(wide, schema)
        try insert.run()
        #expect(try connection.rows("SELECT * FROM Wide") == [wide.values.map { .integer(Int64($0)) }])
        #expect(try connection.prepare("SELECT * FROM Wide").items(schema) == [wide])
        for (place, column) in schema.columns.enumerated() {
            try connection.execute("UPDATE Wide SET \(Identifier.quoted(column.name)) = 'text'")
            let error = try thrown { () throws(RepositoryError) in
                try connection.prepare("SELECT * FROM Wide").items(schema)
            }
            guard case .decoding("Wide", column.name, _, _) = error else { return #expect(Bool(false), "\(error)") }
            try connection.execute("UPDATE Wide SET \(Identifier.quoted(column.name)) = \(wide.values[place])")
        }
    }
}

/// An entity with as many integer columns as a test needs.
private struct Wide: Entity, Equatable {
    var values: [Int]
    var id: Int { values[0] }
    subscript(place: Int) -> Int { values[place] }

    static let schema = schemas[2] ?? wide

    static func column(_ place: Int) -> Column<Wide, DirectCodec<Int>> { Column("c\(place)", \Wide[place]) }

    static let schemas: [Int: Schema<Wide>] = [
        1: Schema(column(0), make: { Wide(values: [$0]) }),
        2: Schema(column(0), column(1), make: { Wide(values: [$0, $1]) }),
        3: Schema(column(0), column(1), column(2), make: { Wide(values: [$0, $1, $2]) }),
        4: Schema(column(0), column(1), column(2), column(3), make: { Wide(values: [$0, $1, $2, $3]) }),
        5: Schema(column(0), column(1), column(2), column(3), column(4), make: { Wide(values: [$0, $1, $2, $3, $4]) }),
        6: Schema(
            column(0), column(1), column(2), column(3), column(4), column(5),
            make: { Wide(values: [$0, $1, $2, $3, $4, $5]) }),
    ]

    /// A schema of two columns whose closure reads `count` values.
    static func reading(_ count: Int) -> Schema<Wide> {
        Schema {
            column(0)
            column(1)
        } decode: { row in
            Wide(values: try (0..<count).map { _ in try row.next() })
        }
    }

    static let wide = Schema<Wide> {
        column(0)
        column(1)
        column(2)
        column(3)
        column(4)
        column(5)
        column(6)
        column(7)
        column(8)
        column(9)
        column(10)
        column(11)
        column(12)
        column(13)
        column(14)
        column(15)
        column(16)
        column(17)
        column(18)
        column(19)
        column(20)
        column(21)
        column(22)
        column(23)
        column(24)
        column(25)
        column(26)
        column(27)
        column(28)
        column(29)
    } decode: { row in
        Wide(values: try (0..<30).map { _ in try row.next() })
    }
}

private struct Hexadecimal: Entity {
    let id: Int
    static let schema = Schema(
        Column("id", \Hexadecimal.id, encode: { String($0, radix: 16) }, decode: { Int($0, radix: 16) ?? 0 }),
        make: Hexadecimal.init)
}

private struct Quoted: Entity {
    let id: String
    static let schema = Schema(Column("id", json: \Quoted.id), make: Quoted.init)
}

private struct Rounded: Entity {
    let id: Decimal
    static let schema = Schema(Column("id", \Rounded.id, .scale(2, rounding: .plain)), make: Rounded.init)
}
