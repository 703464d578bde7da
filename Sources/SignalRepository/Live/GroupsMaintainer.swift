/// Keeps what a query computes of groups, or of all rows, by taking the old row of a change out and the new one in.
///
/// It holds the groups, never rows. What cannot be had by taking out is read again: the least or greatest value, when
/// the rows are gone that were known to hold the first ones.
final class GroupsMaintainer<Element, Output>: Maintainer {
    /// How an output is made of the groups, each of which is its keys and what is computed of it.
    struct Form {
        let element: (_ group: [SQLValue]) throws -> Element
        /// Takes the elements of all groups, in the order of their keys.
        let output: ([Element]) throws -> Output
    }

    let use: LiveUse

    private let plan: GroupPlan
    private let form: Form
    private var rows = PerLayout<GroupRows>()
    private var groups: KeptGroups?
    /// What was last made of each group, and their keys.
    private var elements: [Element] = []
    private var keys: [GroupKey] = []
    /// Whether the groups are read.
    ///
    /// Where few of them are shown, to know all takes longer than the query itself. So the first value comes without,
    /// and so does that of a table whose rows are never told.
    private var isOfUse: Bool
    /// Whether the groups have turned out to be more than can be computed here.
    private var isRefused = false

    init(_ plan: GroupPlan, _ form: Form) {
        (self.plan, self.form, isOfUse) = (plan, form, plan.showsAll)
        use = LiveUse(table: plan.table, filter: plan.test?.rowFilter ?? .any)
    }

    func fill(in transaction: ReadTransaction) throws -> Output? {
        groups = nil
        guard isOfUse, !isRefused else { return nil }
        do {
            let filled = try read(in: transaction)
            (elements, keys) = ([], [])
            let output = try result(filled)
            groups = filled
            groups?.settle()
            return output
        } catch is RowFault {
            isRefused = true
            return nil
        }
    }

    private func read(in transaction: ReadTransaction) throws -> KeptGroups {
        try transaction.checkUsable()
        let statement = try transaction.session.statement(plan.sql)
        let states = try transaction.query(statement) { statement throws(RepositoryError) in
            try statement.all { row throws(RepositoryError) in try row.values() }
        }
        let groups = try states.map { row in try plan.group(row) }
        return KeptGroups(
            Dictionary(groups) { first, _ in first }, empty: plan.empty, keepsEmpty: plan.keys.isEmpty)
    }

    func refill(in transaction: ReadTransaction) throws -> Output? {
        guard var filled = groups else { return try fill(in: transaction) }
        for key in filled.unknown {
            try filled.refill(key) { values, isLeast in
                try extremes(of: values, in: key, isLeast: isLeast, transaction)
            }
        }
        groups = filled
        return try settled()
    }

    /// Reads the first values of a group in their order.
    private func extremes(
        of values: Int, in key: GroupKey, isLeast: Bool, _ transaction: ReadTransaction
    ) throws -> Extremes {
        let sql = try transaction.session.dialect.select(plan.extremes(of: values, in: key, isLeast: isLeast))
        return try transaction.query(transaction.session.statement(sql)) { statement throws(RepositoryError) in
            let values = try statement.all { row throws(RepositoryError) in try row.value(at: 0) }
            return Extremes(isLeast: isLeast, values, isWhole: values.count < Extremes.few)
        }
    }

    func apply(_ changes: TableChanges) -> Patch {
        isOfUse = true
        guard groups != nil else { return .lost }
        let rows = rows.made(of: changes.layout) { GroupRows(plan, $0) }
        guard let rows, let isAffected = groups?.apply(changes.changes, rows) else {
            groups = nil
            return .lost
        }
        if groups?.unknown.isEmpty == false { return .usedUp }
        return isAffected ? .patched : .unaffected
    }

    func output() throws -> Output? { try settled() }

    private func settled() throws -> Output {
        // Taken out for the time being: what is held twice would be copied.
        guard var current = groups.take() else { throw RepositoryError.misuse(detail: "the groups are not filled") }
        defer { groups = current }
        let output = try result(current)
        current.settle()
        return output
    }

    /// Makes the elements again of those groups that have changed.
    private func result(_ groups: KeptGroups) throws -> Output {
        if groups.isReordered {
            var (made, index) = ([Element](), 0)
            made.reserveCapacity(groups.order.count)
            for key in groups.order {
                while index < keys.count, keys[index].precedes(key) { index += 1 }
                let isThere = index < keys.count && keys[index] == key && !groups.changed.contains(key)
                made.append(isThere ? elements[index] : try element(key, groups))
            }
            (elements, keys) = (made, groups.order)
        } else {
            for key in groups.changed { elements[groups.index(of: key)] = try element(key, groups) }
        }
        return try form.output(elements)
    }

    private func element(_ key: GroupKey, _ groups: KeptGroups) throws -> Element {
        guard let state = groups.state(of: key) else { throw RepositoryError.misuse(detail: "a group is missing") }
        return try form.element(key.values(plan.keys.count) + state.results(plan.measures))
    }
}

/// The states of the groups, which take rows in and out.
///
/// It knows nothing of outputs, so that the compiler makes one fast form of it.
private struct KeptGroups {
    private var states: [GroupKey: GroupState]
    /// The group whose rows changed last: many rows of a commit are often of one group.
    private var current: (key: GroupKey, state: GroupState)?
    /// The keys in their order.
    private(set) var order: [GroupKey]
    /// The groups that have changed since `settle()`.
    private(set) var changed: Set<GroupKey> = []
    /// The groups of which an extreme is not known any more.
    private(set) var unknown: Set<GroupKey> = []
    /// Whether groups have come or gone since `settle()`.
    private(set) var isReordered = true
    private let empty: GroupState
    private let keepsEmpty: Bool

    /// Without keys there is one group, which stays when its rows have gone.
    init(_ states: [GroupKey: GroupState], empty: GroupState, keepsEmpty: Bool) {
        (self.states, self.empty, self.keepsEmpty) = (states, empty, keepsEmpty)
        order = states.keys.sorted { $0.precedes($1) }
    }

    /// Notes that what has changed so far has been dealt with.
    mutating func settle() { (changed, isReordered) = ([], false) }

    /// The state of a group.
    func state(of key: GroupKey) -> GroupState? {
        if let current, current.key == key { return current.state }
        return states[key]
    }

    /// Takes changes in; `nil` when they do not fit what was known, otherwise whether anything has changed.
    mutating func apply(_ changes: [RowChange], _ rows: GroupRows) -> Bool? {
        var isAffected = false
        for change in changes {
            guard let (old, new) = try? (rows.part(of: change.old), rows.part(of: change.new)) else { return nil }
            if old == new { continue }
            isAffected = true
            if let old, !remove(old) { return nil }
            if let new { add(new) }
        }
        putBack()
        return isAffected
    }

    /// Reads the extremes of a group that are not known any more.
    mutating func refill(_ key: GroupKey, _ read: (_ values: Int, _ isLeast: Bool) throws -> Extremes) rethrows {
        putBack()
        try states[key]?.refill(read)
        changed.insert(key)
        unknown.remove(key)
    }

    private mutating func remove(_ part: GroupPart) -> Bool {
        guard turn(to: part.key), current?.state.remove(part) == true, let state = current?.state else {
            return false
        }
        if state.rows == 0 && !keepsEmpty {
            (current, isReordered) = (nil, true)
            states[part.key] = nil
            changed.remove(part.key)
            unknown.remove(part.key)
            order.remove(at: index(of: part.key))
        } else if !state.isKnown {
            unknown.insert(part.key)
        }
        return true
    }

    private mutating func add(_ part: GroupPart) {
        if !turn(to: part.key) {
            order.insert(part.key, at: index(of: part.key))
            (current, isReordered) = ((part.key, empty), true)
            changed.insert(part.key)
        }
        current?.state.add(part)
    }

    /// Makes a group the current one; false when there is none with the key.
    private mutating func turn(to key: GroupKey) -> Bool {
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

    /// The index of a key in the order, or the one that it would have.
    func index(of key: GroupKey) -> Int { order.partitioningIndex { !$0.precedes(key) } }
}
