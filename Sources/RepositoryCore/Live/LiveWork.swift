/// The queries that the live engine must update or read in its next pass; unfinished ones stay for the pass after it.
struct LiveWork {
    typealias Due = (query: any SharedQuery, effect: UpdateEffect)

    private var due: [ObjectIdentifier: Due] = [:]

    var hasReads: Bool { due.values.contains { $0.effect > .updatedInPlace } }

    /// Applies a commit to the queries that it affects, and adds them; returns how many queries its rows may affect.
    mutating func take(_ record: CommitRecord, _ index: LiveIndex) -> Int {
        let match = index.match(record)
        for query in match.reread { add(query, .needsReread) }
        for (query, changes) in match.apply where due[ObjectIdentifier(query)]?.effect != .needsReread {
            add(query, query.apply(changes))
        }
        return match.apply.count
    }

    /// Adds a query with the effect of a change, unless the query already has the same or a greater effect.
    mutating func add(_ query: any SharedQuery, _ effect: UpdateEffect) {
        let id = ObjectIdentifier(query)
        if effect > due[id]?.effect ?? .unaffected { due[id] = (query, effect) }
    }

    mutating func remove(_ query: any SharedQuery) { due[ObjectIdentifier(query)] = nil }

    /// Removes and returns the queries that were updated in place and must send their results.
    mutating func takeUpdated() -> [any SharedQuery] {
        // Every entry is at least `.updatedInPlace`, because `add` drops `.unaffected`.
        defer { if hasReads { due = due.filter { $0.value.effect > .updatedInPlace } } else { due.removeAll() } }
        return due.values.filter { $0.effect == .updatedInPlace }.map(\.query)
    }

    mutating func takeKeyed() -> [any SharedQuery] {
        defer { due = due.filter { $0.value.effect != .rereadByKey } }
        return due.values.filter { $0.effect == .rereadByKey }.map(\.query)
    }

    mutating func takeAll() -> [Due] {
        defer { due = [:] }
        return Array(due.values)
    }
}
