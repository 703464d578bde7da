import RepositoryCore

/// The foreign keys that are created after the migrations: new ones, and existing ones that are dropped until then.
///
/// If the target table is renamed, the foreign key follows it. If the target is dropped, the foreign key keeps the
/// name, so that another table with that name can become the target.
struct PendingReferences {
    /// A foreign key, with the server's numbers for its tables and columns, as long as these exist.
    struct Reference {
        fileprivate(set) var table: String
        fileprivate(set) var columns: [String]
        fileprivate(set) var shape: ReferenceShape
        fileprivate var tableNumber: Int64?
        fileprivate var columnNumbers: [Int64]?
        fileprivate var targetNumber: Int64?

        fileprivate var restricts: Bool { shape.rule == "RESTRICT" }
    }

    private(set) var all: [Reference] = []
    private let connection: PostgresConnection

    init(_ connection: PostgresConnection) {
        self.connection = connection
    }

    /// Drops foreign keys that the library has created, by default all of them; `make()` creates them again.
    mutating func suspend(_ condition: String = "true", _ values: [SQLValue] = []) throws(RepositoryError) {
        let rows = try connection.rows(
            """
            SELECT f.conname, c.relname, a.attname, t.relname, f.confdeltype::text \
            FROM pg_constraint f JOIN pg_class c ON c.oid = f.conrelid JOIN pg_class t ON t.oid = f.confrelid \
            CROSS JOIN LATERAL unnest(f.conkey) WITH ORDINALITY AS k(number, place) \
            JOIN pg_attribute a ON a.attrelid = c.oid AND a.attnum = k.number \
            WHERE f.contype = 'f' AND c.relnamespace = \(SchemaShape.namespace) \
            AND starts_with(f.conname::text, 'reference_') AND \(condition) ORDER BY c.relname, f.conname, k.place
            """, values)
        var last: (SQLValue, SQLValue)?
        for row in rows {
            guard case .text(let name) = row[0], case .text(let table) = row[1], case .text(let column) = row[2],
                let shape = ReferenceShape(row[3], rule: row[4])
            else { continue }
            if let last, last == (row[1], row[0]) {
                all[all.count - 1].columns.append(column)
                continue
            }
            last = (row[1], row[0])
            all.append(Reference(table: table, columns: [column], shape: shape))
            try connection.run(
                "ALTER TABLE \(Identifier.quoted(table)) DROP CONSTRAINT \(Identifier.quoted(name))")
        }
        try follow()
    }

    mutating func add(_ column: ColumnShape, of table: String) throws(RepositoryError) {
        if let shape = column.reference { try add(shape, of: [column.name], in: table) }
    }

    mutating func add(_ table: TableShape) throws(RepositoryError) {
        for column in table.columns { try add(column, of: table.name) }
        for reference in table.references { try add(reference.reference, of: reference.columns, in: table.name) }
    }

    private mutating func add(
        _ shape: ReferenceShape, of columns: [String], in table: String
    ) throws(RepositoryError) {
        all.removeAll { $0.table == table && $0.columns == columns }
        all.append(Reference(table: table, columns: columns, shape: shape))
        try follow()
    }

    mutating func remove(of table: String) throws(RepositoryError) {
        all.removeAll { $0.table == table }
    }

    /// Updates the names of tables and columns, and removes foreign keys whose table or columns are gone.
    mutating func follow() throws(RepositoryError) {
        guard !all.isEmpty else { return }
        let catalog = try Catalog(all, connection)
        all = all.compactMap { reference in catalog.followed(reference) }
    }

    /// Creates the foreign keys in the database; the server checks each row.
    ///
    /// The server applies foreign keys in the order of their creation, so RESTRICT must come first: a cascade that runs
    /// earlier could delete the rows that make RESTRICT reject a deletion. Existing foreign keys with other rules are
    /// therefore dropped, and created again after the ones with RESTRICT.
    mutating func make() throws(RepositoryError) {
        try follow()
        let targets = Set(all.filter(\.restricts).map(\.shape.table))
        if !targets.isEmpty {
            try suspend("f.confdeltype <> 'r' AND t.relname = ANY(?::text[])", [connection.array(Array(targets))])
        }
        for reference in all.filter(\.restricts) + all.filter({ !$0.restricts }) { try make(reference) }
        all.removeAll()
    }

    private func make(_ reference: Reference) throws(RepositoryError) {
        let (table, columns) = (Identifier.quoted(reference.table), reference.columns)
        let name = "\(reference.table).\(columns.joined(separator: ", "))"
        let target = Identifier.quoted(reference.shape.table)
        guard reference.targetNumber != nil else {
            throw .schemaMismatch(
                detail: "\(name) would refer to \(reference.shape.table), which does not exist")
        }
        let constraint = Identifier.quoted("reference_\(reference.table)(\(columns.joined(separator: ",")))")
        do throws(RepositoryError) {
            try connection.attempt { () throws(RepositoryError) in
                try connection.run(
                    "ALTER TABLE \(table) ADD CONSTRAINT \(constraint) FOREIGN KEY (\(Identifier.list(columns))) "
                        + reference.shape.declaration)
            }
        } catch {
            guard case .constraint(.foreignKey, _, _, _) = error else {
                throw .schemaMismatch(detail: "\(name) cannot be migrated: \(error.clause)")
            }
            let keys = try connection.rows(
                """
                SELECT a.attname FROM pg_index x \
                CROSS JOIN LATERAL unnest(x.indkey) WITH ORDINALITY AS k(number, place) \
                JOIN pg_attribute a ON a.attrelid = x.indrelid AND a.attnum = k.number \
                WHERE x.indisprimary AND x.indrelid = to_regclass(?) ORDER BY k.place
                """, [.text(target)])
            let pairs = zip(keys, columns).compactMap { key, column in
                if case .text(let key)? = key.first { (Identifier.quoted(key), Identifier.quoted(column)) } else { nil }
            }
            guard pairs.count == columns.count else { throw error }
            let isGiven = pairs.map { "c.\($0.1) IS NOT NULL" }.joined(separator: " AND ")
            let isSame = pairs.map { "t.\($0.0) = c.\($0.1)" }.joined(separator: " AND ")
            let rows = try connection.rows(
                """
                SELECT count(*) FROM \(table) AS c WHERE \(isGiven) \
                AND NOT EXISTS (SELECT 1 FROM \(target) AS t WHERE \(isSame))
                """)
            guard case .integer(let count)? = rows.first?.first else { throw error }
            throw .schemaMismatch(
                detail: "after the migrations \(count) of \(reference.table) would refer to rows of "
                    + "\(reference.shape.table) that do not exist")
        }
    }
}

extension PendingReferences {
    /// The server's current names and numbers of the tables of some foreign keys, and of the columns of these tables.
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

        /// Returns a foreign key with current names; `nil` if its table or one of its columns is gone.
        func followed(_ reference: Reference) -> Reference? {
            var reference = reference
            let number = reference.tableNumber ?? numbers[reference.table]
            guard let number, let table = names[number] else { return nil }
            let known = columns[number] ?? []
            let found = reference.columns.indices.compactMap { index in
                known.first { column in
                    reference.columnNumbers.map { $0[index] == column.number }
                        ?? (column.name == reference.columns[index])
                }
            }
            guard found.count == reference.columns.count else { return nil }
            (reference.table, reference.tableNumber) = (table, number)
            (reference.columns, reference.columnNumbers) = (found.map(\.name), found.map(\.number))
            if let target = reference.targetNumber, let name = names[target] {
                reference.shape.table = name
            } else {
                reference.targetNumber = numbers[reference.shape.table]
            }
            return reference
        }
    }
}
