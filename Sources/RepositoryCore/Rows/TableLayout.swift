/// The layout of a table's rows, for reading the rows that SQLite's preupdate hook or PostgreSQL's replication reports.
package final class TableLayout: Sendable {
    /// A column whose value is stored in the row.
    package struct Column: Sendable {
        package let name: String
        /// The storage class to which the column converts stored values.
        package let affinity: ColumnAffinity
        /// The column's value in rows that were stored before the column was added.
        package let absent: SQLValue
        /// Whether the preupdate hook may report a stored integer as a floating-point number.
        package let isMadeReal: Bool
        /// Whether the column has a type; columns without one, and of type ANY, hold values of any type.
        package let hasType: Bool
        /// The collation of the column's texts; `nil` if they are compared by their bytes.
        package let collation: String?

        package init(
            name: String, affinity: ColumnAffinity, absent: SQLValue, isMadeReal: Bool = false, hasType: Bool = true,
            collation: String? = nil
        ) {
            (self.name, self.affinity, self.absent, self.isMadeReal) = (name, affinity, absent, isMadeReal)
            (self.hasType, self.collation) = (hasType, collation)
        }

        /// Whether comparing the column's values as `SQLValue`s gives the same results as comparing them in the store.
        var isExact: Bool { hasType && collation == nil }

        /// Whether SQLite finds the column by a name, which may be spelled in another case.
        func isNamed(_ other: String) -> Bool { Identifier.key(name) == Identifier.key(other) }
    }

    package let name: String
    package let columns: [Column]
    /// The indexes of the primary key's columns, in the order of the key.
    package let key: [Int]
    package let hasRowID: Bool
    /// Whether the rowid identifies a row, because the rowid is the primary key or the table has no primary key.
    package let isKeyedByNumber: Bool
    /// Whether the reported rows can update live queries.
    package let isFollowed: Bool
    /// Whether each column can hold only values of its declared type.
    package let isStrict: Bool
    /// Whether the preupdate hook may report a value as the statement passed it, before the column converts it.
    package let isConverted: Bool
    /// A name of the rowid that no column has, for statements that read the rowid; `nil` stands for `_rowid_`.
    package let rowIDName: String?
    /// Whether the store searches text by whole characters, as Swift does, instead of by code points.
    package let findsCharacters: Bool
    /// Whether queries can order rows by `_rowid_`, which is not the rowid if a column has this name.
    package let hasRowOrder: Bool
    /// Whether an SQLite table is unlike those that the library creates: it is not STRICT, has no row order, or has a
    /// column for which `isExact` is false.
    ///
    /// Stored, because each read of a live query asks for it.
    package let isForeign: Bool

    package init(
        name: String, columns: [Column], key: [Int], hasRowID: Bool, isKeyedByNumber: Bool = false, isFollowed: Bool,
        isStrict: Bool = true, isConverted: Bool = false, rowIDName: String? = nil, findsCharacters: Bool = true
    ) {
        (self.isConverted, self.rowIDName) = (isConverted, rowIDName)
        self.isKeyedByNumber = isKeyedByNumber
        self.findsCharacters = findsCharacters
        self.name = name
        self.columns = columns
        self.key = key
        self.hasRowID = hasRowID
        (self.isFollowed, self.isStrict) = (isFollowed, isStrict)
        hasRowOrder = hasRowID && rowIDName ?? "_rowid_" == "_rowid_"
        isForeign = !isStrict || !hasRowOrder || !columns.allSatisfy(\.isExact)
    }

    /// Returns the values of a row's key, or `nil` if the table has no key, or if a value is NULL or unknown.
    package func lastingKey(_ value: (Int) -> SQLValue?) -> [SQLValue]? {
        // Nearly every key has one column.
        if key.count == 1 {
            guard let only = value(key[0]), only.storageClass != .null else { return nil }
            return [only]
        }
        let values = key.compactMap(value)
        return values.isEmpty || values.count < key.count || values.contains(.null) ? nil : values
    }

    package func index(of column: String) -> Int? {
        columns.firstIndex { $0.name == column }
    }

    /// Returns the index of a column in which no two different values are equal in the store; otherwise `nil`.
    ///
    /// A NUMERIC column is not such a column, because it stores 3.0 as 3.
    func exactIndex(of column: String) -> Int? {
        columns.firstIndex { $0.name == column && $0.isExact && $0.affinity != .numeric }
    }

    /// Returns the identity of a row: its primary key, or the rowid if the key is missing or NULL.
    package func key(of row: [SQLValue], rowID: Int64) -> RowKey {
        if key.count == 1 {
            let value = row[key[0]]
            return value == .null && hasRowID ? .number(rowID) : .value(value)
        }
        let values = key.map { row[$0] }
        return values.isEmpty || hasRowID && values.contains(.null) ? .number(rowID) : .values(values)
    }
}

/// The storage class to which a column converts values, unless the conversion would lose information.
package enum ColumnAffinity: Sendable {
    case integer, text, blob, real, numeric
}

extension ColumnAffinity {
    /// Whether a column that is not STRICT usually holds values of this class.
    package func holds(_ value: SQLValue) -> Bool {
        switch (self, value) {
        case (_, .null), (.integer, .integer), (.text, .text), (.blob, .blob), (.real, .real), (.numeric, .integer),
            (.numeric, .real):
            true
        default: false
        }
    }
}

/// The identity of a row of a table across two states of the store.
package enum RowKey: Sendable, Hashable {
    /// The rowid, for a table without a primary key, or for a row whose key is NULL.
    case number(Int64)
    /// The key of one column.
    case value(SQLValue)
    /// The key of several columns.
    case values([SQLValue])

    /// Returns whether both keys are integers and this key is the smaller one.
    func isNumber(below other: RowKey) -> Bool {
        switch (self, other) {
        case (.number(let left), .number(let right)): left < right
        case (.value(.integer(let left)), .value(.integer(let right))): left < right
        default: false
        }
    }
}
