/// The tables that a prepared statement reads and writes, triggers and cascades included; names as declared.
struct TableAccess: Sendable, Equatable {
    var read: Set<String> = []
    var written: Set<String> = []
    /// Whether the statement changes tables themselves, or settings.
    var changesSchema = false
    /// Whether the statement begins or ends a transaction or a savepoint.
    var controlsTransactions = false
}
