/// The kind of constraint that rejected a change.
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
    /// A trigger of the program's own or of another, which gives the reason in SQLite's message; or one that ignored
    /// the change.
    case trigger
    /// Another rule of the table, such as the storage class of a column.
    case other
}
