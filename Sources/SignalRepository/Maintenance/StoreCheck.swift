/// The result of checking a whole store.
public struct StoreCheck: Sendable, Hashable {
    /// Rows of a table that refer to missing rows.
    public struct BrokenReference: Sendable, Hashable, CustomStringConvertible {
        /// The table that has the foreign key.
        public let table: String
        /// The table in which rows are missing.
        public let target: String
        /// The number of rows that refer to missing rows.
        public let rows: Int
        /// Whether SQLite can look up the missing rows; false if the referenced columns are neither a key nor unique.
        public let isResolvable: Bool

        /// The fault in one sentence.
        public var description: String {
            let fault =
                isResolvable ? "do not exist" : "cannot be found: the columns are neither its key nor unique"
            return "\(rows) of \(table) refer to rows of \(target) that \(fault)"
        }
    }

    /// The faults that SQLite's integrity check reports, and the damaged entries of the history.
    ///
    /// Each fault is one sentence. There are at most a hundred faults of either kind, and none if the file is sound.
    public internal(set) var damage: [String] = []
    /// The rows that refer to missing rows; empty if no foreign key is violated.
    public internal(set) var brokenReferences: [BrokenReference] = []
    /// The entities whose full-text index does not match their texts.
    public internal(set) var staleSearchIndexes: [String] = []

    /// Whether the check found no fault.
    public var isSound: Bool { damage.isEmpty && brokenReferences.isEmpty && staleSearchIndexes.isEmpty }
}

extension StoreCheck: CustomStringConvertible {
    /// All faults, each in a sentence, or "sound".
    public var description: String {
        let references = brokenReferences.map(\.description)
        let searches = staleSearchIndexes.map { "the full-text index of \($0) does not match its texts" }
        let faults = damage + references + searches
        return faults.isEmpty ? "sound" : faults.joined(separator: "; ")
    }
}
