import SignalRepository

/// The keys that a sequence gives to the items of a bulk, a block of them at a time.
struct GeneratedKeys {
    /// The place of the key among the values of an item.
    let index: Int
    private let name: String
    private let column: String
    private let sequence: SQLText
    /// Whether an item with a key that is there would replace another.
    private let replaces: Bool
    private var given: [Int64] = []
    /// The greatest key that an item came with.
    private var greatest: Int64 = 0

    /// `nil` for an entity whose keys nobody generates.
    init?<Item: Entity>(of entity: Item.Type, replacing: Bool) {
        guard let index = Item.schema.generatedIndex else { return nil }
        (self.index, name, replaces) = (index, Item.entityName, replacing)
        column = Item.schema.names[index]
        sequence = PostgresDialect.sequence(of: column, in: name)
    }

    /// Gives a key; `count` is how many more are wanted.
    mutating func next(of count: () -> Int, on connection: PostgresConnection) throws(RepositoryError) -> Int64 {
        // A key that another item got since then is not given again.
        if let next = given.last, next <= greatest { given.removeAll() }
        if given.isEmpty {
            // They go on after those that items of the block have.
            try moveSequence(on: connection)
            let count = SQLValue.integer(Int64(count()))
            let sql: SQLText = "SELECT nextval(\(sequence)) FROM generate_series(1, \(bind: count))"
            given = try connection.statement(sql).all { row throws(RepositoryError) in
                try row.read(0) { cell in try cell.integer() }
            }.reversed()
            if replaces { try checkNew(on: connection) }
        }
        return given.popLast() ?? 0
    }

    /// Throws where a key is that of an item: another program has stored it without asking the sequence.
    private func checkNew(on connection: PostgresConnection) throws(RepositoryError) {
        guard let first = given.last, let last = given.first else { return }
        let sql: SQLText = """
            SELECT 1 FROM \(name: name) \
            WHERE \(name: column) BETWEEN \(bind: .integer(first)) AND \(bind: .integer(last)) LIMIT 1
            """
        let isTaken = try connection.statement(sql).first { _ in true } ?? false
        guard isTaken else { return }
        connection.takenKey = name
        throw PostgresWriter.keyTaken
    }

    mutating func note(_ value: SQLValue) {
        if case .integer(let key) = value { greatest = max(greatest, key) }
    }

    /// A key that was given is one that the sequence must not come to.
    func moveSequence(on connection: PostgresConnection) throws(RepositoryError) {
        guard greatest > 0 else { return }
        let sql: SQLText = """
            SELECT setval(\(sequence), \(bind: .integer(greatest))) \
            WHERE coalesce(pg_sequence_last_value(\(sequence)::regclass), 0) < \(bind: .integer(greatest))
            """
        _ = try connection.statement(sql).first { _ in true }
    }
}
