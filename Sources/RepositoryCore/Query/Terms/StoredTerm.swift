/// A value that is computed for each row from stored values.
package indirect enum StoredTerm: Sendable {
    case column(StoredColumn)
    case constant(SQLValue)
    /// The time of the transaction that reads or writes.
    case now
    /// One of the values for which a statement is executed, such as those of a key, by its index among them.
    case key(Int)
    case operation(Operation, [StoredTerm])
    /// An aggregate that covers only the rows that pass a test.
    case filtered(Operation, [StoredTerm], StoredTest)
    /// A computed integer; the statement fails if it exceeds 64 bits, where SQLite would continue in floating point.
    case checked(StoredTerm)
    /// A computed floating-point number; NaN becomes NULL, because SQLite does not have NaN.
    case unlessNaN(StoredTerm)
    /// An integer as a floating-point number.
    case real(StoredTerm)
    /// The distinct values of a term, for an aggregate.
    case distinct(StoredTerm)
    /// Whether a test is true: 1 or 0.
    case test(StoredTest)
    /// The number of rows of another table that pass a test, or whether any row passes.
    case children(StoredChildren)
    /// SQLite's rowid, in whose order SQLite reads a table fastest; `table` is the table's name within the statement.
    case rowNumber(table: String?)
    /// The rank of a row of a full-text index; a lower rank is better.
    case rank(index: String)

    var column: StoredColumn? { if case .column(let column) = self { column } else { nil } }

    /// The column whose values the term returns exactly as they are stored; `nil` if the term computes other values.
    package var sourceColumn: StoredColumn? {
        switch self {
        case .column(let column): column
        case .operation(let operation, let arguments), .filtered(let operation, let arguments, _):
            operation.keepsValues ? arguments.first?.sourceColumn : nil
        default: nil
        }
    }
}

/// The rows of another table that refer to a row, for `exists` and `count(of:)`.
package struct StoredChildren: Sendable {
    package let table: String
    /// The table's name within the statement, in which the table may occur several times.
    package let alias: String
    /// The number of the standalone condition (one written outside a query) that contains this term; 0 if none does.
    let keeper: Int
    package let test: StoredTest
    /// Whether the rows are counted; otherwise the term tests whether there is any row.
    package let areCounted: Bool
}

/// A term with the details (such as its type and scale) that are needed to compare it, compute with it and read it.
package struct TermValue: Sendable {
    /// The maximum depth of a term; releasing a term is recursive, and SQLite limits the depth of expressions.
    package static let maxLevels = 200

    package let term: StoredTerm
    package let isOptional: Bool
    package let storageClass: StorageClass
    /// The number of decimal places if numbers are scaled.
    package let scale: Int
    /// The details of a term that is a column; `nil` for any other term.
    package let column: TermColumn?
    /// Whether the term is a number that may be NaN, which becomes NULL.
    package let mayBeNaN: Bool
    package let depth: Int

    package init(
        _ term: StoredTerm, isOptional: Bool, _ storageClass: StorageClass, scale: Int = 0, column: TermColumn? = nil,
        mayBeNaN: Bool = false, depth: Int = 0
    ) {
        (self.term, self.isOptional, self.storageClass, self.scale) = (term, isOptional, storageClass, scale)
        (self.column, self.mayBeNaN, self.depth) = (column, mayBeNaN, depth)
    }

    package init(
        _ term: StoredTerm, of parts: [TermValue], isOptional: Bool, _ storageClass: StorageClass, scale: Int = 0,
        mayBeNaN: Bool = false
    ) throws(RepositoryError) {
        var depth = 0
        for part in parts {
            try part.checkStoredAsOwnType()
            depth = max(depth, part.depth + 1)
        }
        guard depth <= Self.maxLevels else {
            throw .tooBig(detail: "an expression has more than \(Self.maxLevels) levels")
        }
        self.init(
            term, isOptional: isOptional, storageClass, scale: scale,
            mayBeNaN: mayBeNaN || parts.contains(where: \.mayBeNaN), depth: depth)
    }

    package init(of test: StoredTest) throws(RepositoryError) {
        let levels = test.levels
        guard levels <= Self.maxLevels else {
            throw .tooBig(detail: "an expression has more than \(Self.maxLevels) levels")
        }
        self.init(.test(test), isOptional: false, .integer, depth: levels)
    }

    /// Throws for a column that is not stored as its property's type, because a term cannot compute with it.
    package func checkStoredAsOwnType() throws(RepositoryError) {
        try checkNotEncrypted()
        guard let column, !column.isPlain else { return }
        throw .notPlain(column.name)
    }

    /// Throws for an encrypted column.
    package func checkNotEncrypted() throws(RepositoryError) {
        if let column, column.isOpaque { throw .opaque(column.name) }
    }

    /// Returns a value as it is stored, or its position (see `StoredBound`) if the column or the term cannot have it.
    package func bound(of value: any ColumnValue) throws(RepositoryError) -> StoredBound {
        if let column {
            // Columns of an outer-joined table are optional, so any of them can be `nil`.
            if (value as? any OptionalType)?.isNil == true { return .exact(.null) }
            return try column.bound(value)
        }
        do {
            return try value.storedBound(scale: scale)
        } catch {
            throw .encoding(error, entity: "expression", column: "constant")
        }
    }
}

package struct TermColumn: Sendable {
    /// Returns a value as it is stored, or its position if the column cannot hold it.
    package typealias Bound = @Sendable (any Sendable) throws(RepositoryError) -> StoredBound
    package typealias Part = (column: StoredColumn, bound: Bound)

    /// The entity and the column, for messages.
    package let name: String
    package let path: AnyKeyPath & Sendable
    /// Whether values are stored as their type stores them, without JSON, custom functions or encryption.
    package let isPlain: Bool
    /// Whether values are encrypted, so that queries cannot use them.
    package let isOpaque: Bool
    /// The columns of a composite key; empty for a single column.
    package let parts: [Part]
    package let bound: Bound
    package let read: @Sendable (RowSource, Int) throws -> any Sendable
}

extension TermValue {
    /// Creates the term of a property's column.
    ///
    /// `table` is the table's name within the statement, `nil` for the only table. If the term is part of a condition
    /// that is written outside a query, `keeper` is the number of this `StandaloneCondition`; otherwise it is 0.
    package init<Item: Entity>(
        _ path: PartialKeyPath<Item> & Sendable, of table: String?, isOptional: Bool = false, keeper: Int = 0
    ) throws(RepositoryError) {
        let schema = Item.schema
        if schema.isCompositeID(path) {
            let parts = try schema.key.columns.map { column in
                (
                    column: StoredColumn(column, of: table, isOptional: isOptional, keeper: keeper),
                    bound: Self.bound(in: column)
                )
            }
            let refusal: TermColumn.Bound = { _ throws(RepositoryError) in
                _ = try Item.schema.idColumn
                return .unordered
            }
            let column = TermColumn(
                name: "\(Item.entityName).id", path: path, isPlain: false, isOpaque: false, parts: parts,
                bound: refusal,
                read: { _, _ in throw ColumnFault.value("an id of several columns is not a single value") })
            self.init(.column(parts[0].column), isOptional: isOptional, .text, column: column)
            return
        }
        let column = try schema.column(for: path)
        let stored = StoredColumn(column, of: table, isOptional: isOptional, keeper: keeper)
        self.init(
            .column(stored), isOptional: stored.isOptional, column.storageClass, scale: column.scale ?? 0,
            column: TermColumn(
                name: "\(Item.entityName).\(column.name)", path: path, isPlain: column.encoding == .exact,
                isOpaque: column.isOpaque, parts: [],
                bound: Self.bound(in: column), read: column.read))
    }

    package init<Item: Entity>(
        idOf entity: Item.Type, of table: String?, isOptional: Bool = false, keeper: Int = 0
    ) throws(RepositoryError) {
        let schema = Item.schema
        // Reuses the column's key path, because making `\Item.id`, the requirement's path, takes 10,000 instructions.
        let path = try schema.isComposite ? \Item.id : schema.idColumn.path
        try self.init(path, of: table, isOptional: isOptional, keeper: keeper)
    }

    private static func bound<Item: Entity>(in column: AnyColumn<Item>) -> TermColumn.Bound {
        { value throws(RepositoryError) in try column.bound(of: value) }
    }
}
