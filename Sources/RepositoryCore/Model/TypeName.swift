import Signals

/// A cache of the names of types.
///
/// Swift takes as long to describe a type as SQLite takes to read a row, and every statement names a table.
enum TypeName {
    private static let known = Lock<[ObjectIdentifier: String]>([:])

    static func of(_ type: Any.Type) -> String {
        let id = ObjectIdentifier(type)
        if let name = known.withLock({ $0[id] }) { return name }
        let name = String(describing: type)
        known.withLock { $0[id] = name }
        return name
    }
}
