import SignalRepository

/// The references of tables that are not enforced yet, or not while migrations run.
///
/// A reference names a table, and goes with it when it is renamed; of a table that is dropped it keeps the name, so
/// that another one can take its place.
struct PendingReferences {
    /// A reference, and what it is known by to the server as long as that exists.
    struct Reference {
        fileprivate(set) var table: String
        fileprivate(set) var column: String
        fileprivate(set) var shape: ReferenceShape
        fileprivate var tableNumber: Int64?
        fileprivate var columnNumber: Int64?
        fileprivate var targetNumber: Int64?
    }

    private(set) var all: [Reference] = []
    private let connection: PostgresConnection

    init(_ connection: PostgresConnection) {
        self.connection = connection
    }

    /// Drops the references that the library has made, until they are made again.
    mutating func suspend() throws(RepositoryError) {
        let rows = try connection.rows(
            """
            SELECT f.conname, c.relname, a.attname, t.relname, f.confdeltype::text \
            FROM pg_constraint f JOIN pg_class c ON c.oid = f.conrelid JOIN pg_class t ON t.oid = f.confrelid \
            JOIN pg_attribute a ON a.attrelid = c.oid AND ARRAY[a.attnum] = f.conkey \
            WHERE f.contype = 'f' AND c.relnamespace = \(SchemaShape.namespace) \
            AND starts_with(f.conname::text, 'reference_') ORDER BY c.relname, a.attnum
            """)
        for row in rows {
            guard case .text(let name) = row[0], case .text(let table) = row[1], case .text(let column) = row[2],
                let shape = ReferenceShape(row[3], rule: row[4])
            else { continue }
            all.append(Reference(table: table, column: column, shape: shape))
            try connection.run(
                "ALTER TABLE \(Identifier.quoted(table)) DROP CONSTRAINT \(Identifier.quoted(name))")
        }
        try follow()
    }

    /// Adds the reference of a column, if it has one.
    mutating func add(_ column: ColumnShape, of table: String) throws(RepositoryError) {
        guard let shape = column.reference else { return }
        all.removeAll { $0.table == table && $0.column == column.name }
        all.append(Reference(table: table, column: column.name, shape: shape))
        try follow()
    }

    /// Removes the references of a table.
    mutating func remove(of table: String) throws(RepositoryError) {
        all.removeAll { $0.table == table }
    }

    /// Takes the names that tables and columns have now, and forgets what is gone.
    mutating func follow() throws(RepositoryError) {
        guard !all.isEmpty else { return }
        let catalog = try Catalog(all, connection)
        all = all.compactMap { reference in catalog.followed(reference) }
    }

    /// Makes the references; each row is checked.
    mutating func make() throws(RepositoryError) {
        try follow()
        for reference in all { try make(reference) }
        all.removeAll()
    }

    private func make(_ reference: Reference) throws(RepositoryError) {
        let (table, column) = (Identifier.quoted(reference.table), Identifier.quoted(reference.column))
        let target = Identifier.quoted(reference.shape.table)
        guard reference.targetNumber != nil else {
            throw .schemaMismatch(
                detail: "\(reference.table).\(reference.column) would refer to \(reference.shape.table), which does "
                    + "not exist")
        }
        let name = Identifier.quoted("reference_\(reference.table)(\(reference.column))")
        do throws(RepositoryError) {
            try connection.attempt { () throws(RepositoryError) in
                try connection.run(
                    "ALTER TABLE \(table) ADD CONSTRAINT \(name) FOREIGN KEY (\(column)) "
                        + reference.shape.declaration)
            }
        } catch {
            guard case .constraint(.foreignKey, _, _, _) = error else {
                throw .schemaMismatch(detail: "\(reference.table).\(reference.column) cannot be migrated: \(error)")
            }
            let keys = try connection.rows(
                """
                SELECT a.attname FROM pg_index x \
                JOIN pg_attribute a ON a.attrelid = x.indrelid AND a.attnum = x.indkey[0] \
                WHERE x.indisprimary AND x.indrelid = to_regclass(?)
                """, [.text(target)])
            guard case .text(let key)? = keys.first?.first else { throw error }
            let rows = try connection.rows(
                """
                SELECT count(*) FROM \(table) AS c WHERE c.\(column) IS NOT NULL \
                AND NOT EXISTS (SELECT 1 FROM \(target) AS t WHERE t.\(Identifier.quoted(key)) = c.\(column))
                """)
            guard case .integer(let count)? = rows.first?.first else { throw error }
            throw .schemaMismatch(
                detail: "after the migrations \(count) of \(reference.table) would refer to rows of "
                    + "\(reference.shape.table) that do not exist")
        }
    }
}

extension PendingReferences {
    /// The tables that references name, as they are now.
    private struct Catalog {
        private var names: [Int64: String] = [:]
        private var numbers: [String: Int64] = [:]
        private var columns: [Int64: [(number: Int64, name: String)]] = [:]

        init(_ references: [Reference], _ connection: PostgresConnection) throws(RepositoryError) {
            let known = references.flatMap { [$0.tableNumber, $0.targetNumber] }.compactMap(\.self)
            let named = Set(references.flatMap { [$0.table, $0.shape.table] })
            let rows = try connection.rows(
                """
                SELECT c.oid::bigint, c.relname, a.attnum::bigint, a.attname \
                FROM pg_class c JOIN pg_attribute a ON a.attrelid = c.oid AND a.attnum > 0 AND NOT a.attisdropped \
                WHERE c.relnamespace = \(SchemaShape.namespace) AND c.relkind = 'r' \
                AND (c.oid::bigint::text = ANY(?::text[]) OR c.relname = ANY(?::text[]))
                """,
                [connection.array(Set(known).map { "\($0)" } + ["-"]), connection.array(Array(named))])
            for row in rows {
                guard case .integer(let number) = row[0], case .text(let name) = row[1],
                    case .integer(let columnNumber) = row[2], case .text(let column) = row[3]
                else { continue }
                names[number] = name
                numbers[name] = number
                columns[number, default: []].append((columnNumber, column))
            }
        }

        /// The reference by the names of now; `nil` when its column is gone.
        func followed(_ reference: Reference) -> Reference? {
            var reference = reference
            let number = reference.tableNumber ?? numbers[reference.table]
            guard let number, let table = names[number] else { return nil }
            let column = columns[number]?.first { column in
                reference.columnNumber.map { $0 == column.number } ?? (column.name == reference.column)
            }
            guard let column else { return nil }
            (reference.table, reference.tableNumber) = (table, number)
            (reference.column, reference.columnNumber) = (column.name, column.number)
            if let target = reference.targetNumber, let name = names[target] {
                reference.shape.table = name
            } else {
                reference.targetNumber = numbers[reference.shape.table]
            }
            return reference
        }
    }
}
