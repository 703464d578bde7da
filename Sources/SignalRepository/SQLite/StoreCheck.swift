/// What a check of a whole store has found.
public struct StoreCheck: Sendable, Hashable {
    /// Rows that refer to nothing.
    public struct BrokenReference: Sendable, Hashable, CustomStringConvertible {
        /// The table with the reference.
        public let table: String
        /// The table in which there is no such row.
        public let target: String
        /// The number of rows.
        public let rows: Int
        /// Whether SQLite can look for the row; false if the reference names columns that are neither a key nor unique.
        public let isResolved: Bool

        /// A sentence.
        public var description: String {
            let fault =
                isResolved ? "do not exist" : "cannot be found: the columns are neither its key nor unique"
            return "\(rows) of \(table) refer to rows of \(target) that \(fault)"
        }
    }

    /// What SQLite's integrity check reports, and entries of the history that cannot be read: at most a hundred
    /// sentences of each; empty where the file is sound.
    public internal(set) var damage: [String] = []
    /// Rows that refer to nothing; empty where every reference holds.
    public internal(set) var brokenReferences: [BrokenReference] = []
    /// The entities whose full-text index is not that of their texts.
    public internal(set) var wrongSearches: [String] = []

    /// Whether nothing was found.
    public var isSound: Bool { damage.isEmpty && brokenReferences.isEmpty && wrongSearches.isEmpty }
}

extension StoreCheck: CustomStringConvertible {
    /// A sentence for each fault, or one that says that there is none.
    public var description: String {
        let references = brokenReferences.map(\.description)
        let searches = wrongSearches.map { "the full-text index of \($0) is not that of its texts" }
        let faults = damage + references + searches
        return faults.isEmpty ? "sound" : faults.joined(separator: "; ")
    }
}
