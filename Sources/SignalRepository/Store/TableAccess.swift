/// The tables that a prepared statement reads and writes, including through triggers and cascades; names as declared.
@usableFromInline
struct TableAccess: Sendable, Equatable {
    var read: Set<String> = []
    var written: Set<String> = []
    /// The tables that triggers of the statement write.
    var writtenByTriggers: Set<String> = []
    /// Whether the statement changes the schema, or settings.
    var changesSchema = false
    /// Why raw SQL must not do what the statement does; nil when it may.
    var refusal: String?
}
