/// The states of the groups of an aggregate, which take rows in and out.
///
/// It knows nothing of items and outputs, so that the compiler makes one fast form of it.
struct AggregateGroups {
    private var states: [SQLValue: AggregateState]
    /// The group whose rows changed last: many rows of a commit are often of one group.
    private var current: (key: SQLValue, state: AggregateState)?
    /// The keys in their order.
    private(set) var order: [SQLValue]
    /// The groups that have changed since `settle()`.
    private(set) var changed: Set<SQLValue> = []
    /// The groups of which an extreme is not known any more.
    private(set) var unknown: Set<SQLValue> = []
    /// Whether groups have come or gone since `settle()`.
    private(set) var isReordered = true
    private let empty: AggregateState
    private let keepsEmpty: Bool

    /// Without groups, there is one state, which stays when its rows have gone.
    init(_ states: [SQLValue: AggregateState], empty: AggregateState, isGrouped: Bool) {
        (self.states, self.empty, keepsEmpty) = (states, empty, !isGrouped)
        order = states.keys.sorted { $0.precedes($1) }
    }

    /// Notes that what has changed so far has been dealt with.
    mutating func settle() { (changed, isReordered) = ([], false) }

    /// The state of a group.
    func state(of key: SQLValue) -> AggregateState? {
        if let current, current.key == key { return current.state }
        return states[key]
    }

    /// Takes changes in; `nil` when they do not fit what was known, otherwise whether anything has changed.
    mutating func apply(_ changes: [RowChange], _ rows: AggregateRows) -> Bool? {
        var isAffected = false
        for change in changes {
            let (old, new) = (change.old.flatMap { rows.part(of: $0) }, change.new.flatMap { rows.part(of: $0) })
            if old == new { continue }
            isAffected = true
            if let old, !remove(old) { return nil }
            if let new { add(new) }
        }
        putBack()
        return isAffected
    }

    /// Replaces the extremes of a group.
    mutating func replace(_ key: SQLValue, least: Extremes?, greatest: Extremes?) {
        putBack()
        guard var state = states[key] else { return }
        (state.least, state.greatest) = (least, greatest)
        states[key] = state
        changed.insert(key)
        unknown.remove(key)
    }

    private mutating func remove(_ part: AggregateRows.Part) -> Bool {
        guard turn(to: part.key), current?.state.remove(part.value) == true, let state = current?.state else {
            return false
        }
        if state.rows == 0 && !keepsEmpty {
            (current, isReordered) = (nil, true)
            states[part.key] = nil
            changed.remove(part.key)
            unknown.remove(part.key)
            order.remove(at: place(of: part.key))
        } else if !state.isKnown {
            unknown.insert(part.key)
        }
        return true
    }

    private mutating func add(_ part: AggregateRows.Part) {
        if !turn(to: part.key) {
            order.insert(part.key, at: place(of: part.key))
            (current, isReordered) = ((part.key, empty), true)
            changed.insert(part.key)
        }
        current?.state.add(part.value)
    }

    /// Makes a group the current one; false when there is none with the key.
    private mutating func turn(to key: SQLValue) -> Bool {
        if let current, current.key == key { return true }
        putBack()
        guard let state = states.removeValue(forKey: key) else { return false }
        current = (key, state)
        changed.insert(key)
        return true
    }

    private mutating func putBack() {
        guard let last = current.take() else { return }
        states[last.key] = last.state
    }

    /// Where a key stands among the others, or would.
    func place(of key: SQLValue) -> Int {
        var (low, high) = (0, order.count)
        while low < high {
            let middle = (low + high) / 2
            if order[middle].precedes(key) { low = middle + 1 } else { high = middle }
        }
        return low
    }
}
