import CSQLite

/// The class in which SQLite stores a value.
public enum StorageClass: Int32, Sendable, Hashable, CaseIterable {
    /// A signed 64-bit integer.
    case integer = 1
    /// A 64-bit floating-point number.
    case real = 2
    /// Unicode text.
    case text = 3
    /// Bytes.
    case blob = 4
    /// SQL NULL.
    case null = 5

    package var declaration: String {
        switch self {
        case .integer: "INTEGER"
        case .real: "REAL"
        case .text: "TEXT"
        case .blob: "BLOB"
        case .null: "ANY"
        }
    }
}
