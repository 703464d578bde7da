/// A connection's prepared statements, found by their SQL; a full cache evicts the least recently used one.
struct StatementCache {
    private struct Entry {
        let statement: Statement
        var lastUse: Int
    }

    private let capacity: Int
    private var entries: [ExactText: Entry] = [:]
    private var clock = 0

    init(capacity: Int) {
        self.capacity = max(1, capacity)
    }

    var count: Int { entries.count }

    subscript(sql: String) -> Statement? {
        mutating get {
            clock += 1
            guard let index = entries.index(forKey: ExactText(sql)) else { return nil }
            entries.values[index].lastUse = clock
            return entries.values[index].statement
        }
        set {
            let sql = ExactText(sql)
            guard let newValue else {
                entries[sql] = nil
                return
            }
            clock += 1
            if entries[sql] == nil, entries.count >= capacity { removeOldest() }
            entries[sql] = Entry(statement: newValue, lastUse: clock)
        }
    }

    mutating func removeAll() {
        entries.removeAll()
    }

    private mutating func removeOldest() {
        guard let oldest = entries.min(by: { $0.value.lastUse < $1.value.lastUse }) else { return }
        entries[oldest.key] = nil
    }
}
