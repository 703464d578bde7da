/// The kind of constraint that refused a change.
public enum ConstraintKind: String, Sendable, Hashable, CaseIterable {
    /// A unique column, or a unique set of columns.
    case unique
    /// A reference to an item that does not exist, or from items that still exist.
    case foreignKey
    /// A CHECK constraint.
    case check
    /// A column that must hold a value.
    case notNull
    /// The key of an entity.
    case primaryKey
    /// Another rule of the table, such as the storage class of a column.
    case other

    init(_ diagnosis: SQLiteDiagnosis) {
        switch diagnosis.code {
        // A reference that forbids the deletion is held by a trigger inside SQLite, and reported as one.
        case _ where diagnosis.message.hasPrefix("FOREIGN KEY"): self = .foreignKey
        case .constraintUnique: self = .unique
        case .constraintForeignKey: self = .foreignKey
        case .constraintCheck: self = .check
        case .constraintNotNull: self = .notNull
        case .constraintPrimaryKey, .constraintRowID: self = .primaryKey
        default: self = .other
        }
    }
}
