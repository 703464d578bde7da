/// What happens to the items that refer to a deleted one.
public enum DeleteRule: String, Sendable, Hashable, CaseIterable {
    /// They are deleted with it.
    case cascade
    /// Their reference becomes `nil`.
    case nullify
    /// The deletion is rejected while there are any.
    case restrict

    /// The words in a column's declaration.
    var declaration: String {
        switch self {
        case .cascade: "CASCADE"
        case .nullify: "SET NULL"
        case .restrict: "RESTRICT"
        }
    }
}
