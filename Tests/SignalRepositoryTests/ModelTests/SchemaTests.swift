import Foundation
import Testing

@testable import SignalRepository

private struct Movie: Entity, Equatable {
    let id: UUID
    var title: String
    var releaseDate: Date
    var boxOffice: Decimal
    var studio: String?

    /// Not stored in the struct, and so read through its path.
    var initial: String { String(title.prefix(1)) }

    static let schema = Schema(
        Column("id", \Movie.id), Column("title", \.title), Column("releaseDate", \.releaseDate),
        Column("boxOffice", \.boxOffice), Column("studio", \.studio, .indexed), make: Movie.init)
}

@Suite("Schema") struct SchemaTests {
    @Test("An item comes back as it was stored")
    func roundTrip() throws {
        let memory = try Memory(Movie.self)
        let boxOffice = try #require(Decimal(string: "12.3456"))
        let movie = Movie(id: UUID(), title: "Tár", releaseDate: Date(), boxOffice: boxOffice, studio: nil)
        try memory.insert(movie)
        #expect(try memory.items() == [movie])
    }

    @Test("A column is found by its property, in generic code too; another property is a misuse")
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

    @Test("Each number of columns up to 16 reads and writes every one of them at its place", arguments: 1...16)
    func everyNumber(_ count: Int) throws {
        let schema = try #require(Wide.schemas[count])
        #expect(schema.columns.count == count)
        try check(schema)
    }

    @Test("More columns than 16 are declared alike")
    func many() throws {
        #expect(Wide.many.columns.count == 18)
        try check(Wide.many)
    }

    private func check(_ schema: Schema<Wide>) throws {
        let connection = try Connection(path: ":memory:", options: ConnectionOptions())
        let names = Identifier.list(schema.columns.map(\.name))
        try connection.execute("CREATE TABLE Wide (\(names))")
        let places = schema.columns.map { _ in "?" }.joined(separator: ", ")
        let wide = Wide(values: (0..<schema.columns.count).map { $0 * 3 + 1 })
        let insert = try connection.prepare("INSERT INTO Wide VALUES (\(places))")
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

/// An entity of integers, as many as a test wants.
private struct Wide: Entity, Equatable {
    var values: [Int]
    var id: Int { values[0] }
    subscript(place: Int) -> Int { values[place] }

    static var schema: Schema<Wide> { many }

    static func column(_ place: Int) -> Column<Wide, DirectCodec<Int>> {
        Column("c\(place)", \Wide[place])
    }

    static let schemas: [Int: Schema<Wide>] = [
        1: Schema(column(0), make: { Wide(values: [$0]) }),
        2: Schema(column(0), column(1), make: { Wide(values: [$0, $1]) }),
        3: Schema(column(0), column(1), column(2), make: { Wide(values: [$0, $1, $2]) }),
        4: Schema(column(0), column(1), column(2), column(3), make: { Wide(values: [$0, $1, $2, $3]) }),
        5: Schema(column(0), column(1), column(2), column(3), column(4), make: { Wide(values: [$0, $1, $2, $3, $4]) }),
        6: Schema(
            column(0), column(1), column(2), column(3), column(4), column(5),
            make: { Wide(values: [$0, $1, $2, $3, $4, $5]) }),
        7: Schema(
            column(0), column(1), column(2), column(3), column(4), column(5), column(6),
            make: { Wide(values: [$0, $1, $2, $3, $4, $5, $6]) }),
        8: Schema(
            column(0), column(1), column(2), column(3), column(4), column(5), column(6), column(7),
            make: { Wide(values: [$0, $1, $2, $3, $4, $5, $6, $7]) }),
        9: Schema(
            column(0), column(1), column(2), column(3), column(4), column(5), column(6), column(7), column(8),
            make: { Wide(values: [$0, $1, $2, $3, $4, $5, $6, $7, $8]) }),
        10: Schema(
            column(0), column(1), column(2), column(3), column(4), column(5), column(6), column(7), column(8),
            column(9), make: { Wide(values: [$0, $1, $2, $3, $4, $5, $6, $7, $8, $9]) }),
        11: Schema(
            column(0), column(1), column(2), column(3), column(4), column(5), column(6), column(7), column(8),
            column(9), column(10), make: { Wide(values: [$0, $1, $2, $3, $4, $5, $6, $7, $8, $9, $10]) }),
        12: Schema(
            column(0), column(1), column(2), column(3), column(4), column(5), column(6), column(7), column(8),
            column(9), column(10), column(11),
            make: { Wide(values: [$0, $1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11]) }),
        13: Schema(
            column(0), column(1), column(2), column(3), column(4), column(5), column(6), column(7), column(8),
            column(9), column(10), column(11), column(12),
            make: { Wide(values: [$0, $1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12]) }),
        14: Schema(
            column(0), column(1), column(2), column(3), column(4), column(5), column(6), column(7), column(8),
            column(9), column(10), column(11), column(12), column(13),
            make: { Wide(values: [$0, $1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13]) }),
        15: Schema(
            column(0), column(1), column(2), column(3), column(4), column(5), column(6), column(7), column(8),
            column(9), column(10), column(11), column(12), column(13), column(14),
            make: { Wide(values: [$0, $1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14]) }),
        16: Schema(
            column(0), column(1), column(2), column(3), column(4), column(5), column(6), column(7), column(8),
            column(9), column(10), column(11), column(12), column(13), column(14), column(15),
            make: { Wide(values: [$0, $1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15]) }),
    ]

    static let many = Schema(
        column(0), column(1), column(2), column(3), column(4), column(5), column(6), column(7), column(8), column(9),
        column(10), column(11), column(12), column(13), column(14), column(15), column(16), column(17),
        make: { Wide(values: [$0, $1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16, $17]) })
}
