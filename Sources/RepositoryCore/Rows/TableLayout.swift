/// The layout of a table's rows, as needed to read a row that a hook reports.
package final class TableLayout: Sendable {
    /// A column whose value is stored in the row.
    package struct Column: Sendable {
        package let name: String
        /// The class to which the column converts stored values.
        package let affinity: ColumnAffinity
        /// The column's value in rows that are older than the column.
        package let absent: SQLValue
        /// Whether a hook may report a stored integer as a floating-point number.
        package let isMadeReal: Bool

        package init(name: String, affinity: ColumnAffinity, absent: SQLValue, isMadeReal: Bool = false) {
            (self.name, self.affinity, self.absent, self.isMadeReal) = (name, affinity, absent, isMadeReal)
        }
    }

    package let name: String
    package let columns: [Column]
    /// The indexes of the primary key's columns, in its order.
    package let key: [Int]
    package let hasRowID: Bool
    /// Whether the rowid that the hook reports identifies a row, because it is the key or there is no other key.
    package let isKeyedByNumber: Bool
    /// Whether each column holds only its own class, text is compared by its bytes, and the rowid has its usual name.
    package let isExact: Bool
    /// Whether a hook may report values as a statement gives them, before the column converts them.
    package let isConverted: Bool
    /// A name of the rowid that no column has; `nil` stands for `_rowid_`.
    package let rowIDName: String?
    /// Whether the store searches text by whole characters, as Swift does, instead of by code points.
    package let findsCharacters: Bool

    package init(
        name: String, columns: [Column], key: [Int], hasRowID: Bool, isKeyedByNumber: Bool = false, isExact: Bool,
        isConverted: Bool = false, rowIDName: String? = nil, findsCharacters: Bool = true
    ) {
        (self.isConverted, self.rowIDName) = (isConverted, rowIDName)
        self.isKeyedByNumber = isKeyedByNumber
        self.findsCharacters = findsCharacters
        self.name = name
        self.columns = columns
        self.key = key
        self.hasRowID = hasRowID
        self.isExact = isExact
    }

    /// Returns the values of a row's key, or `nil` if the table has no key, or a value is NULL or unknown.
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

/// The class to which a column converts values, if that loses nothing.
package enum ColumnAffinity: Sendable {
    case integer, text, blob, real, numeric
}

/// The identity of a row of a table across two states of the store.
package enum RowKey: Sendable, Hashable {
    /// The rowid, for a table without a primary key.
    case number(Int64)
    /// The key of one column.
    case value(SQLValue)
    /// The key of several columns.
    case values([SQLValue])

    /// Returns whether both keys are integers, of which this one is smaller.
    func isNumber(below other: RowKey) -> Bool {
        switch (self, other) {
        case (.number(let left), .number(let right)): left < right
        case (.value(.integer(let left)), .value(.integer(let right))): left < right
        default: false
        }
    }
}
