/// What a pass of the live engine has found to do so far; what it cannot finish stays for the next.
struct LiveWork {
    typealias Due = (query: any SharedQuery, patch: Patch)

    private var due: [ObjectIdentifier: Due] = [:]

    var hasReads: Bool { due.values.contains { $0.patch > .patched } }

    /// Takes a commit in; returns how many queries its rows were matched with.
    mutating func take(_ record: CommitRecord, _ index: LiveIndex) -> Int {
        let match = index.match(record)
        for query in match.reread { add(query, .lost) }
        for (query, changes) in match.apply where due[ObjectIdentifier(query)]?.patch != .lost {
            add(query, query.apply(changes))
        }
        return match.apply.count
    }

    /// Adds what has to be done for a query, unless more has to be done already.
    mutating func add(_ query: any SharedQuery, _ patch: Patch) {
        let id = ObjectIdentifier(query)
        if patch > due[id]?.patch ?? .unaffected { due[id] = (query, patch) }
    }

    mutating func remove(_ query: any SharedQuery) { due[ObjectIdentifier(query)] = nil }

    /// Takes the queries that are up to date by the rows alone, and have to send that.
    mutating func takePatched() -> [any SharedQuery] {
        // What is less than patched is not kept.
        defer { if hasReads { due = due.filter { $0.value.patch > .patched } } else { due.removeAll() } }
        return due.values.filter { $0.patch == .patched }.map(\.query)
    }

    mutating func takeKeyed() -> [any SharedQuery] {
        defer { due = due.filter { $0.value.patch != .keyed } }
        return due.values.filter { $0.patch == .keyed }.map(\.query)
    }

    mutating func takeAll() -> [Due] {
        defer { due = [:] }
        return Array(due.values)
    }
}
