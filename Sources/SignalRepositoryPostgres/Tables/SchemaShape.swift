import Foundation
import RepositoryCore

/// The shapes of a schema's tables, as read from the server's catalog.
struct SchemaShape: StoredShape {
    /// The version of the store's layout that this library requires.
    static let version: Int64 = 1

    var noun: String { "schema" }
    var emptiness: String { "the schema holds no store; open it for writing once to create one" }
    /// The tables and views by their names.
    private var tables: [String: StoredTable] = [:]
    /// The names of the queried tables, without the store's internal tables.
    private let names: [String]
    /// The tables whose changes the live source would not report.
    private(set) var unreported: Set<String> = []
    /// The columns that full-text search covers, by table.
    private var searches: [String: String] = [:]
    private var version: Int64?

    /// Reads the shapes of the named tables and of the store's internal tables.
    init(
        _ connection: PostgresConnection, tables names: [String], reportedBy source: LiveSource
    ) throws(RepositoryError) {
        self.names = names
        let all = connection.array(names + [InternalTables.migrations, InternalTables.identity])
        var indexes: [String: [IndexShape]] = [:]
        for row in try connection.rows(Self.indexes, [all]) {
            guard case .text(let table) = row[0], case .text(let name) = row[1], case .text(let column) = row[3]
            else { continue }
            let isNext = indexes[table]?.last?.name == name
            if !isNext {
                let index = IndexShape(name: name, columns: [], isUnique: row[2] == .integer(1))
                indexes[table, default: []].append(index)
            }
            let last = (indexes[table]?.count ?? 1) - 1
            indexes[table]?[last].columns.append(column)
        }
        let rows = try connection.rows(Self.columns(reportedBy: source), [.text(connection.publication), all])
        var groups: [(name: String, rows: [[SQLValue]])] = []
        for row in rows {
            guard case .text(let name) = row[0] else { continue }
            if groups.last?.name != name { groups.append((name, [])) }
            groups[groups.count - 1].rows.append(row)
        }
        for group in groups { add(group.name, group.rows, indexes[group.name] ?? []) }
        for row in try connection.rows(Self.clauses, [all]) { add(clause: row) }
        guard Self.isOwn(tables[InternalTables.identity], Self.identityColumns) else { return }
        let versions = try connection.rows("SELECT version FROM signal_repository_identity", [])
        if case .integer(let number)? = versions.first?.first { version = number }
    }

    private mutating func add(_ name: String, _ rows: [[SQLValue]], _ indexes: [IndexShape]) {
        var shape = TableShape(name: name, indexes: indexes)
        var undescribed: Set<String> = []
        var key: [(position: Int64, name: String)] = []
        for row in rows {
            if row[4] == .text(PostgresSearch.column) {
                if case .text(let columns) = row[11] { searches[name] = columns }
                continue
            }
            guard let column = ColumnShape(row) else { continue }
            shape.columns.append(column)
            if row[11] == .null { undescribed.insert(column.name) }
            if case .integer(let position) = row[12] { key.append((position, column.name)) }
        }
        if key.count > 1 { shape.compositeKey = key.sorted { $0.position < $1.position }.map(\.name) }
        var fault: String?
        switch (rows[0][1], rows[0][2]) {
        case (.text("r"), .text("u")): fault = "an unlogged table"
        case (.text("r"), _): fault = nil
        // A rewrite rule can replace any statement without an error.
        case (.text("rules"), _): fault = "a table with rules"
        case (.text("p"), _): fault = "a partitioned table"
        case (.text("f"), _): fault = "a foreign table"
        case (.text("m"), _): fault = "a materialized view"
        default: fault = "a view"
        }
        // The catalog has a view's query only in a rewritten form. The view's comment has the declared query.
        if rows[0][1] == .text("v") {
            shape = TableShape(name: name)
            shape.view = ""
        }
        if fault == nil, rows[0][3] != .integer(1) { unreported.insert(name) }
        tables[name] = StoredTable(name: name, fault: fault, shape: shape, undescribed: undescribed)
    }

    /// Adds a view's query, or a table's check, partial index, expression index or composite foreign key.
    private mutating func add(clause row: [SQLValue]) {
        guard case .text(let kind) = row[0], case .text(let table) = row[1], case .text(let name) = row[2] else {
            return
        }
        var (note, columns): (String?, [String]) = (nil, [])
        if case .text(let text) = row[3] { note = text }
        if case .text(let text) = row[4] {
            columns = (try? JSONDecoder().decode([String].self, from: Data(text.utf8))) ?? []
        }
        change(table) { shape in
            switch kind {
            case "view": shape.view = note ?? ""
            case "check": shape.checks.append(CheckShape(name: name, expression: note ?? ""))
            case "index":
                shape.indexes.append(
                    IndexShape(
                        name: name, columns: columns, isUnique: row[5] == .integer(1), definition: note ?? ""))
            default:
                guard let reference = ReferenceShape(row[6], rule: row[7]) else { return }
                shape.references.append(CompositeReferenceShape(columns: columns, reference))
            }
        }
    }

    /// Adds a foreign key that will be created once all tables exist.
    mutating func add(_ reference: ReferenceShape, of columns: [String], in table: String) {
        change(table) { shape in
            if columns.count > 1 {
                shape.references.append(CompositeReferenceShape(columns: columns, reference))
            }
            for index in shape.columns.indices where [shape.columns[index].name] == columns {
                shape.columns[index].reference = reference
            }
        }
    }

    private mutating func change(_ table: String, _ change: (inout TableShape) -> Void) {
        guard let known = tables[table], var shape = known.shape else { return }
        change(&shape)
        tables[table] = StoredTable(
            name: known.name, fault: known.fault, shape: shape, undescribed: known.undescribed)
    }
}

extension SchemaShape {
    private static let migrationColumns = ["number bigint", "name text COLLATE \"C\""]
    private static let identityColumns = ["identity text COLLATE \"C\"", "version bigint"]

    /// Whether the schema lacks the identity table, which marks a store of this library.
    var isNew: Bool { tables[InternalTables.identity] == nil }

    func check() throws(RepositoryError) {
        let own = [(InternalTables.migrations, Self.migrationColumns), (InternalTables.identity, Self.identityColumns)]
        for (name, columns) in own where tables[name] != nil {
            guard Self.isOwn(tables[name], columns) else { throw InternalTables.refusal(name) }
        }
        guard !isNew else {
            let unknownTables = (names + [InternalTables.migrations]).filter { tables[$0] != nil }
            if unknownTables.isEmpty { return }
            throw .schemaMismatch(
                detail: "the schema contains \(unknownTables.joined(separator: ", ")) of another program: name another "
                    + "schema with search_path")
        }
        guard let version else { throw InternalTables.refusal(InternalTables.identity) }
        guard version == Self.version else {
            let which = version > Self.version ? "a newer version of this library" : "something else"
            throw .schemaMismatch(detail: "the schema was laid out by \(which) (\(version))")
        }
    }

    private static func isOwn(_ table: StoredTable?, _ columns: [String]) -> Bool {
        guard let table, table.fault == nil else { return false }
        return table.shape?.columns.map { "\($0.name) \($0.type)" } == columns
    }

    func table(named name: String) -> StoredTable? { tables[name] }

    func search(of table: TableShape) -> SearchDifference {
        let declared = table.search.isEmpty ? nil : PostgresSearch.content(of: table)
        if searches[table.name] == declared { return .none }
        return searches[table.name] == nil ? .missing : .other
    }

    /// A subquery for the OID of the schema in which the connection creates tables.
    static let namespace = "(SELECT oid FROM pg_namespace WHERE nspname = current_schema())"

    /// The query for the columns of some tables, which returns one row for each column.
    ///
    /// Fields 0 to 3: the table, its kind or `rules`, its persistence, and whether its changes are reported. Fields 4
    /// to 8: the column, its type, and whether it is nullable, generated and computed. Fields 9 to 12: the column's
    /// default, collation, comment, and position in the key. Fields 13 and 14: the target table and the delete rule of
    /// its foreign key.
    private static func columns(reportedBy source: LiveSource) -> String {
        let isReported =
            switch source {
            case .notifications: "EXISTS (\(trigger)) AND ? <> ''"
            case .replication: "c.relreplident = 'f' AND EXISTS (\(publication))"
            }
        return """
            SELECT c.relname, CASE WHEN c.relkind = 'r' AND EXISTS (SELECT 1 FROM pg_rewrite w \
            WHERE w.ev_class = c.oid AND w.ev_enabled <> 'D') THEN 'rules' ELSE c.relkind::text END, \
            c.relpersistence::text, (\(isReported))::int::bigint, \
            a.attname, format_type(a.atttypid, a.atttypmod), (NOT a.attnotnull)::int::bigint, \
            (a.attidentity = 'd')::int::bigint, (a.attgenerated <> '')::int::bigint, \
            pg_get_expr(d.adbin, d.adrelid), l.collname, col_description(c.oid, a.attnum), \
            array_position(k.conkey, a.attnum)::bigint, t.relname, f.confdeltype::text \
            FROM pg_class c \
            LEFT JOIN pg_attribute a ON a.attrelid = c.oid AND a.attnum > 0 AND NOT a.attisdropped \
            LEFT JOIN pg_attrdef d ON d.adrelid = c.oid AND d.adnum = a.attnum \
            LEFT JOIN pg_collation l ON l.oid = a.attcollation \
            LEFT JOIN pg_constraint k ON k.conrelid = c.oid AND k.contype = 'p' \
            LEFT JOIN LATERAL (SELECT r.confrelid, r.confdeltype FROM pg_constraint r WHERE r.conrelid = c.oid \
            AND r.contype = 'f' AND r.conkey = ARRAY[a.attnum] ORDER BY r.conname LIMIT 1) f ON true \
            LEFT JOIN pg_class t ON t.oid = f.confrelid \
            WHERE c.relnamespace = \(namespace) AND c.relkind IN ('r', 'p', 'v', 'm', 'f') \
            AND c.relname = ANY(?::text[]) ORDER BY c.relname, a.attnum
            """
    }

    /// Subqueries for a table `c`: `trigger` finds its notifying trigger, and `publication` its entry in a publication.
    static let trigger = "SELECT 1 FROM pg_trigger g WHERE g.tgrelid = c.oid AND g.tgname = 'signal_repository_notify'"
    static let publication = """
        SELECT 1 FROM pg_publication p JOIN pg_publication_rel r ON r.prpubid = p.oid \
        WHERE r.prrelid = c.oid AND p.pubname = ?
        """

    /// The query for the indexes of some tables, which returns one row for each column of an index: the table, the
    /// index, whether the index is unique, and the column.
    private static let indexes = """
        SELECT c.relname, i.relname, x.indisunique::int::bigint, a.attname \
        FROM pg_index x JOIN pg_class c ON c.oid = x.indrelid JOIN pg_class i ON i.oid = x.indexrelid \
        CROSS JOIN LATERAL unnest(x.indkey::int2[]) WITH ORDINALITY AS k(number, place) \
        JOIN pg_attribute a ON a.attrelid = c.oid AND a.attnum = k.number \
        WHERE c.relnamespace = \(namespace) AND c.relname = ANY(?::text[]) \
        AND NOT x.indisprimary AND x.indpred IS NULL AND x.indexprs IS NULL AND k.place <= x.indnkeyatts \
        AND NOT EXISTS (SELECT 1 FROM pg_constraint o WHERE o.conindid = i.oid AND o.contype IN ('u', 'x')) \
        ORDER BY c.relname, i.relname, k.place
        """
}

extension SchemaShape {
    /// The query for checks, views, partial and expression indexes, and composite foreign keys.
    ///
    /// Its fields are the kind, the table, the name, the comment, the columns, whether an index is unique, and the
    /// target and rule of a foreign key.
    private static let clauses = """
        SELECT 'check', c.relname, k.conname::text, obj_description(k.oid, 'pg_constraint'), NULL, 0::bigint, \
        NULL, NULL \
        FROM pg_constraint k JOIN pg_class c ON c.oid = k.conrelid \
        WHERE k.contype = 'c' AND c.relnamespace = \(namespace) AND c.relname = ANY(?1::text[]) \
        UNION ALL SELECT 'view', c.relname, c.relname::text, obj_description(c.oid, 'pg_class'), NULL, 0, NULL, NULL \
        FROM pg_class c WHERE c.relkind = 'v' AND c.relnamespace = \(namespace) AND c.relname = ANY(?1::text[]) \
        UNION ALL SELECT 'index', c.relname, i.relname::text, obj_description(i.oid, 'pg_class'), \
        (SELECT json_agg(a.attname ORDER BY k.place)::text FROM unnest(x.indkey::int2[]) WITH ORDINALITY \
        AS k(number, place) JOIN pg_attribute a ON a.attrelid = c.oid AND a.attnum = k.number), \
        x.indisunique::int::bigint, NULL, NULL \
        FROM pg_index x JOIN pg_class c ON c.oid = x.indrelid JOIN pg_class i ON i.oid = x.indexrelid \
        WHERE c.relnamespace = \(namespace) AND c.relname = ANY(?1::text[]) \
        AND (x.indpred IS NOT NULL OR x.indexprs IS NOT NULL) \
        UNION ALL SELECT 'reference', c.relname, f.conname::text, NULL, \
        (SELECT json_agg(a.attname ORDER BY k.place)::text FROM unnest(f.conkey) WITH ORDINALITY AS k(number, place) \
        JOIN pg_attribute a ON a.attrelid = c.oid AND a.attnum = k.number), 0, t.relname::text, f.confdeltype::text \
        FROM pg_constraint f JOIN pg_class c ON c.oid = f.conrelid JOIN pg_class t ON t.oid = f.confrelid \
        WHERE f.contype = 'f' AND cardinality(f.conkey) > 1 AND c.relnamespace = \(namespace) \
        AND c.relname = ANY(?1::text[]) ORDER BY 2, 3
        """
}

extension ColumnShape {
    /// Makes a column from a row of the catalog; returns `nil` for the row of a table without columns.
    fileprivate init?(_ row: [SQLValue]) {
        guard case .text(let name) = row[4], case .text(var type) = row[5] else { return nil }
        // The collation "C" has a second name, "POSIX".
        if case .text(let collation) = row[10] { type += " COLLATE \"\(collation == "POSIX" ? "C" : collation)\"" }
        let isComputed = row[8] == .integer(1)
        var (literal, meaning): (String?, ColumnMeaning?)
        if case .text(let text) = row[9], !isComputed { literal = text }
        var computation: String?
        if case .text(var comment) = row[11] {
            if isComputed, let mark = comment.firstRange(of: Self.computed) {
                computation = String(comment[mark.upperBound...])
                comment = String(comment[..<mark.lowerBound])
                while comment.last == " " { comment.removeLast() }
            }
            meaning = ColumnMeaning(comment: comment)
        }
        self.init(
            name: name, type: type, storageClass: PostgresTypes.storageClass(of: type),
            isOptional: row[6] == .integer(1), isKey: row[12] != .null, isGenerated: row[7] == .integer(1),
            defaultLiteral: literal, reference: ReferenceShape(row[13], rule: row[14]), meaning: meaning)
        if isComputed { self.computation = computation ?? "another expression" }
    }
}

extension ReferenceShape {
    /// Makes a foreign key from two catalog values: the name of the target table and the letter of the delete rule.
    init?(_ table: SQLValue, rule: SQLValue) {
        guard case .text(let table) = table, case .text(let letter) = rule else { return nil }
        let rules = ["a": "NO ACTION", "r": "RESTRICT", "c": "CASCADE", "n": "SET NULL", "d": "SET DEFAULT"]
        self.init(table: table, rule: rules[letter] ?? letter)
    }
}
