import Testing

@testable import SignalRepository

@Suite("Names") struct IdentifierTests {
    private static let hostile = [
        "select", "a b", "a\"b", "a'b", "];--", "\"; DROP TABLE x; --", "é", "🎬", "\u{202E}abc", "a.b", "a\nb",
        "%_?:@$",
        "main", "rowid", "-- x", "/*", "NULL", String(repeating: "n", count: 1_000),
    ]

    @Test("Any text can be the name of a column", arguments: hostile)
    func columns(_ name: String) throws {
        let memory = try Memory(Named.self, Named.self, column: name)
        #expect(memory.connection.isInTransaction == false)
        let shape = try #require(try FileShape(memory.connection).item(named: "Named")?.shape)
        #expect(shape.columns.map(\.name) == ["id", name])
        #expect(shape.indexes.map(\.columns) == [[name]])
    }

    @Test("Empty names, names with NUL and names that SQLite keeps for itself are refused")
    func refused() throws {
        for (name, words) in [
            ("", "is empty"), ("a\0b", "contains NUL"), ("sqlite_x", "begins with sqlite_"), ("SQLite_x", "sqlite_"),
            ("signal_repository_x", "begins with signal_repository_"),
        ] {
            let error = try thrown { () throws(RepositoryError) in try Identifier.check(name, of: "a column") }
            guard case .misuse(let detail) = error else { return #expect(Bool(false), "\(error)") }
            #expect(detail.contains(words))
        }
    }

    @Test("Quotes are doubled")
    func quoted() {
        #expect(Identifier.quoted("a\"b") == "\"a\"\"b\"")
        #expect(Identifier.list(["a", "b\""]) == "\"a\", \"b\"\"\"")
    }
}

/// An entity whose second column has a name that the test chooses.
private struct Named: Entity {
    let id: Int
    var value: String

    @TaskLocal static var column = ""
    static var schema: Schema<Named> {
        Schema(Column("id", \Named.id), Column(column, \.value, .indexed), make: Named.init)
    }
}

extension Memory where Item == Named {
    fileprivate init(_ type: Named.Type, _ entity: Named.Type, column: String) throws {
        self = try Named.$column.withValue(column) { try Memory(Named.self) }
    }
}
