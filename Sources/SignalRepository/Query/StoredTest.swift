/// A condition in terms of stored values: columns by name, constants as they are stored, and no nesting that grows with
/// the condition.
package indirect enum StoredTest: Sendable {
    case constant(Bool)
    case comparison(StoredColumn, Comparison, SQLValue)
    case range(StoredColumn, SQLValue, SQLValue)
    case membership(StoredColumn, [SQLValue])
    /// Whether columns have the values of one of some rows, none of which is NULL.
    case rows([StoredColumn], [[SQLValue]])
    case search(StoredColumn, TextSearch, [UInt8])
    case raw(SQLText)
    case terms(TermComparison, StoredTerm, StoredTerm)
    /// Whether words are in the full-text index of a table; `table` is its name within the statement.
    case matches(table: String?, SearchPattern)
    /// Whether a row of a table is the one that a row of its full-text index stands for, and words are in that; `table`
    /// is its name within the statement.
    case found(table: String, SearchPattern)
    /// A term that is true or not, or NULL.
    case truth(StoredTerm)
    case all([StoredTest])
    case any([StoredTest])
    case not(StoredTest)
    /// The answer next to the first test that is true, otherwise the last answer.
    case decision([(test: StoredTest, answer: Bool)], otherwise: StoredTest)
}

/// What a test needs to know about a column.
package struct StoredColumn: Sendable {
    /// The name of the table within the statement, where there are several.
    package let table: String?
    package let name: String
    package let isOptional: Bool
    /// Whether its bytes are those of a UUID; `nil` where that is not known.
    package let holdsID: Bool?
    /// The class of its property's values; `nil` where that is not known.
    let storageClass: StorageClass?
    /// The number of the kept condition in which it is written; 0 for none.
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

    /// The same column of a table that has another name within the statement.
    init(_ column: StoredColumn, of table: String?, keeper: Int = 0) {
        (self.table, name, isOptional) = (table, column.name, column.isOptional)
        (holdsID, storageClass, self.keeper) = (column.holdsID, column.storageClass, keeper)
    }

    /// A column by its name, which is not compared with NULL.
    package init(_ name: String, of table: String?, isOptional: Bool = false) {
        (self.table, self.name, self.isOptional) = (table, name, isOptional)
        (holdsID, storageClass, keeper) = (nil, nil, 0)
    }
}

/// How two terms are compared in SQL, where NULL may stand for `nil` or for what is not a number.
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
