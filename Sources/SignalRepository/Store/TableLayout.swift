/// How the rows of a table are laid out: what is needed to read a row that a hook reports.
///
/// Safe to share, because it never changes once it is made.
package final class TableLayout: Sendable {
    /// A column whose value is stored in the row.
    package struct Column: Sendable {
        package let name: String
        /// The class to which values are converted that are stored.
        package let affinity: ColumnAffinity
        /// The column's value in rows that are older than it.
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
    /// Whether a row is told by a whole number that the engine hands over: the rowid, which is its key or all that it
    /// has.
    package let isKeyedByNumber: Bool
    /// Whether each column holds its own class alone, texts are compared by their bytes, and the rowid has its name.
    package let isExact: Bool
    /// Whether a hook may report values as a statement gives them, before they are converted to be stored.
    package let isConverted: Bool
    /// A name of the rowid that no column has; `nil` where the usual one is that.
    package let rowIDName: String?
    /// Whether the store looks for texts by whole characters, as Swift does, or else by code points.
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

    /// The values of a key, each by its column; `nil` where a row has none that stays, or that is not known.
    func lastingKey(_ value: (Int) -> SQLValue?) -> [SQLValue]? {
        // Nearly every table has one column for a key.
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

    /// What identifies a row: the values of its primary key, or the rowid if there is none.
    package func key(of row: [SQLValue], rowID: Int64) -> RowKey {
        if key.count == 1 {
            let value = row[key[0]]
            return value == .null && hasRowID ? .number(rowID) : .value(value)
        }
        let values = key.map { row[$0] }
        return values.isEmpty || hasRowID && values.contains(.null) ? .number(rowID) : .values(values)
    }
}

/// The class to which a column converts values, where that loses nothing.
package enum ColumnAffinity: Sendable {
    case integer, text, blob, real, numeric
}

/// What identifies a row of a table across two states of the store.
package enum RowKey: Sendable, Hashable {
    /// The rowid, for a table without a primary key.
    case number(Int64)
    /// The key of one column.
    case value(SQLValue)
    /// The key of several columns.
    case values([SQLValue])

    /// Whether both keys are whole numbers, of which this one is the smaller.
    func isNumber(below other: RowKey) -> Bool {
        switch (self, other) {
        case (.number(let left), .number(let right)): left < right
        case (.value(.integer(let left)), .value(.integer(let right))): left < right
        default: false
        }
    }
}
