import Signals

/// A cache of the names of types.
///
/// Every statement names its table, and describing a type takes as long as reading a row from SQLite.
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
