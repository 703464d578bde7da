/// A condition on stored values, with the names of columns and the stored values of constants.
package indirect enum StoredTest: Sendable {
    case constant(Bool)
    case comparison(StoredColumn, Comparison, SQLValue)
    case range(StoredColumn, SQLValue, SQLValue)
    case membership(StoredColumn, [SQLValue])
    /// Whether the columns have the values of one of the given rows, none of which contains NULL.
    case rows([StoredColumn], [[SQLValue]])
    case search(StoredColumn, TextSearch, [UInt8])
    case raw(SQLText)
    case terms(TermComparison, StoredTerm, StoredTerm)
    /// Whether a full-text index finds words in a row of `table`, which is the table's name within the statement.
    case matches(table: String?, SearchPattern)
    /// Joins a table with its full-text index: the index row belongs to the table's row and contains the words.
    ///
    /// `table` is the table's name within the statement.
    case found(table: String, SearchPattern)
    /// A term that is true, false or NULL.
    case truth(StoredTerm)
    case all([StoredTest])
    case any([StoredTest])
    case not(StoredTest)
    /// The answer of the first step whose test is true, otherwise the result of the last test.
    case decision([(test: StoredTest, answer: Bool)], otherwise: StoredTest)
}

/// The properties of a column that conditions and terms need.
package struct StoredColumn: Sendable {
    /// The name of the table within the statement; `nil` for the only table.
    package let table: String?
    package let name: String
    package let isOptional: Bool
    /// Whether the column stores the bytes of a UUID; `nil` if this is unknown.
    package let holdsID: Bool?
    /// The storage class of the property's values; `nil` if it is unknown.
    package let storageClass: StorageClass?
    /// The number of the standalone condition (one written outside a query) that contains the column; 0 if none does.
    let keeper: Int
    var isReal: Bool { storageClass == .real }

    package init<Root: Entity>(
        _ column: AnyColumn<Root>, of table: String? = nil, isOptional: Bool = false, keeper: Int = 0
    ) {
        (self.table, self.keeper) = (table, keeper)
        name = column.name
        holdsID = column.holdsID
        storageClass = column.storageClass
        self.isOptional = isOptional || column.isOptional
    }

    /// Creates the same column of a table that has another name within the statement.
    init(_ column: StoredColumn, of table: String?, keeper: Int = 0) {
        (self.table, name, isOptional) = (table, column.name, column.isOptional)
        (holdsID, storageClass, self.keeper) = (column.holdsID, column.storageClass, keeper)
    }

    /// Creates a column from its name; its storage class is unknown.
    package init(_ name: String, of table: String?, isOptional: Bool = false) {
        (self.table, self.name, self.isOptional) = (table, name, isOptional)
        (holdsID, storageClass, keeper) = (nil, nil, 0)
    }
}

/// A comparison of two terms in SQL, where NULL stands for `nil` or for NaN.
package enum TermComparison: Sendable, Hashable {
    case plain(Comparison)
    /// Equal, or both NULL.
    case same
    /// Neither equal nor both NULL.
    case notSame
    /// Not equal, or one of them NULL.
    case notEqualOrNull

    package init(_ comparison: Comparison, _ left: TermValue, _ right: TermValue) {
        switch comparison {
        case .equal: self = left.isOptional && right.isOptional ? .same : .plain(.equal)
        case .notEqual:
            let mayBeNull = left.isOptional || right.isOptional || left.mayBeNaN || right.mayBeNaN
            self = left.isOptional && right.isOptional ? .notSame : mayBeNull ? .notEqualOrNull : .plain(.notEqual)
        default: self = .plain(comparison)
        }
    }
}
