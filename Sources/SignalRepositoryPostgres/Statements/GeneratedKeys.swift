import RepositoryCore

/// The keys that a sequence generates for the items of a bulk write, one block at a time.
struct GeneratedKeys {
    /// The index of the key among the values of an item.
    let index: Int
    private let name: String
    private let column: String
    private let sequence: SQLText
    /// Whether an item replaces a stored item with the same key.
    private let replaces: Bool
    private var given: [Int64] = []
    /// The greatest key of the items so far.
    private var greatest: Int64 = 0

    /// Prepares to generate keys; `nil` for an entity without generated keys.
    init?<Item: Entity>(of entity: Item.Type, replacing: Bool) {
        guard let index = Item.schema.generatedIndex else { return nil }
        (self.index, name, replaces) = (index, Item.entityName, replacing)
        column = Item.schema.names[index]
        sequence = PostgresDialect.sequence(of: column, in: name)
    }

    /// Returns the next key; `count` returns how many successive items need a key.
    mutating func next(of count: () -> Int, on connection: PostgresConnection) throws(RepositoryError) -> Int64 {
        // An item came with its own key, which is the next key or greater, so the rest of the block cannot be used.
        if let next = given.last, next <= greatest { given.removeAll() }
        if given.isEmpty {
            // New keys must be greater than the keys of the items so far.
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

    /// Throws if a new key is taken, which happens if another program stores an item without using the sequence.
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

    /// Moves the sequence past the greatest key of the items so far.
    func moveSequence(on connection: PostgresConnection) throws(RepositoryError) {
        guard greatest > 0 else { return }
        let sql: SQLText = """
            SELECT setval(\(sequence), \(bind: .integer(greatest))) \
            WHERE coalesce(pg_sequence_last_value(\(sequence)::regclass), 0) < \(bind: .integer(greatest))
            """
        _ = try connection.statement(sql).first { _ in true }
    }
}
