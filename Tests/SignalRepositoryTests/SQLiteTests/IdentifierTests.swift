import Testing

@testable import RepositoryCore
@testable import SignalRepository

@Suite("Names") struct IdentifierTests {
    private static let hostile = [
        "select", "a b", "a\"b", "a'b", "];--", "\"; DROP TABLE x; --", "é", "🎬", "\u{202E}abc", "a.b", "a\nb",
        "%_?:@$",
        "main", "rowid", "-- x", "/*", "NULL", String(repeating: "n", count: 1_000), "a\"\u{301}b", "a'\u{301}b",
        "\u{301}", "(\u{301})",
    ]

    @Test("Any text can be the name of a column", arguments: hostile)
    func columns(_ name: String) throws {
        let memory = try Memory(Named.self, Named.self, column: name)
        #expect(memory.connection.isInTransaction == false)
        let shape = try #require(try FileShape(memory.connection, tables: ["Named"]).item(named: "Named")?.shape)
        #expect(shape.columns.map(\.name) == ["id", name])
        #expect(shape.indexes.map(\.columns) == [[name]])
    }

    @Test("Empty names, names with NUL and reserved names are refused")
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

    @Test(
        "Any text can be the name of an indexed column; the index is dropped once it is no longer declared",
        arguments: hostile)
    func indexes(_ name: String) throws {
        let folder = try TemporaryFolder()
        for isIndexed in [true, false, true] {
            let store = try Named.$isIndexed.withValue(isIndexed) {
                try Named.$column.withValue(name) { try OpenedStore(.file(folder.file()), entities: [Named.self]) }
            }
            let writer = try #require(store.writer)
            let shape = try #require(try FileShape(writer, tables: ["Named"]).item(named: "Named")?.shape)
            #expect(shape.indexes.map(\.columns) == (isIndexed ? [[name]] : []))
            writer.close()
        }
    }

    @Test("Any text can be the default of a column, and is read back byte for byte", arguments: hostile)
    func defaults(_ text: String) throws {
        let memory = try Memory(Named.self, Named.self, column: "value")
        try memory.connection.execute("DROP TABLE Named")
        let literal = SQLiteTypes().literal(.text(text), of: "TEXT")
        try memory.connection.execute(
            "CREATE TABLE Named (id INTEGER PRIMARY KEY, value TEXT DEFAULT \(literal)) STRICT")
        try memory.connection.execute("INSERT INTO Named (id) VALUES (1)")
        #expect(try memory.items().map { Array($0.value.utf8) } == [Array(text.utf8)])
    }

    @Test("Any text can be the name of an entity, in every endpoint", arguments: hostile)
    func entities(_ name: String) throws {
        try Named.$table.withValue(name) {
            let memory = try Memory(Named.self)
            let store = WriteTransaction(Session(memory.connection), CancellationFlag(), author: nil)
            try store.create(Named(id: 1, value: "a"))
            let url = try store.url(Named.self, id: 1)
            #expect(try store.id(of: Named.self, at: url) == 1)
            #expect(try store.update(Named.self, set: [.set(\.value, to: "b")]) { _ in .true } == 1)
            #expect(try store.fetch(Named.where { $0.value == "b" }).map(\.id) == [1])
            try store.upsert(Named(id: 2, value: "c"))
            #expect(
                try store.fetch(Named.where { _ in .true }.aggregate(.max, of: \.value, groupedBy: \.id)).count == 2)
            #expect(try store.delete(Named.self) { _ in .true } == 2)
        }
    }

    @Test("Names that SQLite distinguishes stay distinct: by case beyond ASCII, and by their bytes")
    func differing() throws {
        let connection = try Connection(path: ":memory:", options: ConnectionOptions())
        for name in ["Ä", "ä", "A\u{308}"] { try connection.execute("CREATE TABLE \(Identifier.quoted(name)) (a)") }
        for name in ["Ä", "ä"] {
            #expect(try connection.prepare("SELECT a FROM \(Identifier.quoted(name))").access.read == [name])
        }
        #expect(try FileShape(connection, tables: []).item(named: "ä") != nil)
    }

    @Test("Quotes are doubled")
    func quoted() {
        #expect(Identifier.quoted("a\"b") == "\"a\"\"b\"")
        #expect(Identifier.quoted("a\"\u{301}") == "\"a\"\"\u{301}\"")
        #expect(Identifier.list(["a", "b\""]) == "\"a\", \"b\"\"\"")
    }
}

/// An entity whose name, second column and index the test chooses.
private struct Named: Entity {
    let id: Int
    var value: String

    @TaskLocal static var column = "value"
    @TaskLocal static var table = "Named"
    @TaskLocal static var isIndexed = true
    static var entityName: String { table }
    static var schema: Schema<Named> {
        Schema(
            Column("id", \Named.id), Column(column, \.value), indexed: isIndexed ? [[\Named.value]] : [],
            make: Named.init)
    }
}

extension Memory where Item == Named {
    fileprivate init(_ type: Named.Type, _ entity: Named.Type, column: String) throws {
        self = try Named.$column.withValue(column) { try Memory(Named.self) }
    }
}
