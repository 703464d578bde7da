/// The tables that commits have changed: a set of names, or all tables if the names are unknown.
package enum DirtyTables: Sendable, Equatable {
    case some(Set<String>)
    case all

    package static let none = DirtyTables.some([])

    package var isEmpty: Bool { self == .none }

    package func contains(_ table: String) -> Bool {
        switch self {
        case .all: true
        case .some(let tables): tables.contains(table)
        }
    }

    /// Returns whether a table may be in both sets.
    package func overlaps(_ other: DirtyTables) -> Bool {
        switch (self, other) {
        case (.some(let mine), .some(let others)): !mine.isDisjoint(with: others)
        case (.all, _), (_, .all): true
        }
    }

    package mutating func formUnion(_ other: DirtyTables) {
        switch (self, other) {
        case (.all, _), (_, .all): self = .all
        case (.some(let mine), .some(let others)): self = .some(mine.isEmpty ? others : mine.union(others))
        }
    }
}
