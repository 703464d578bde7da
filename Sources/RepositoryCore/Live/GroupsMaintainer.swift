/// A maintainer of aggregates: for each changed row, it removes the old values and adds the new values.
///
/// It holds groups and, if rows are read by key, the keys and values of each row. A group's minimum or maximum is
/// re-read when all its known extreme values have been removed.
final class GroupsMaintainer<Element, Output>: Maintainer {
    /// The closures that make the output from groups.
    struct OutputBuilder {
        let element: (_ group: [SQLValue]) throws -> Element
        /// Receives the elements of all groups, in the order of the groups' keys.
        let output: ([Element]) throws -> Output
    }

    let use: LiveUse

    private let plan: GroupPlan
    private let sql: QuerySQL
    private let builder: OutputBuilder
    private var rows = PerLayout<GroupRows>()
    private var groups: GroupStates?
    /// In a plan whose rows are read by key: the parts of each row, by the key of the first table's row.
    private var parts: [[SQLValue]: [GroupPart]] = [:]
    private var changes: KeyedChanges?
    private var cost = KeyedCost()
    /// The last elements that were made of the groups, and the groups' keys, both in key order.
    private var elements: [Element] = []
    private var keys: [GroupValues] = []
    /// Whether to read the groups.
    ///
    /// If the result omits some groups, reading all costs more than the query, so this waits for the first change.
    private var readsGroups: Bool
    /// After groups could not be computed in memory, `pause` reads use the query itself; `readsLeft` of these are left.
    ///
    /// `pause` doubles with each such failure.
    private var (pause, readsLeft) = (0, 0)

    private static var longestPause: Int { 1_024 }
    /// The maximum number of groups that are refilled one by one; if there are more, one statement reads all groups.
    private static var mostRefills: Int { 8 }

    init(_ plan: GroupPlan, _ builder: OutputBuilder) {
        (self.plan, sql, self.builder, readsGroups) = (plan, plan.sql, builder, plan.showsAll)
        use = plan.keyed?.links.use ?? LiveUse(table: plan.table, filter: plan.test?.rowFilter ?? .any)
    }

    func fill(in transaction: ReadTransaction) throws -> Output? {
        groups = nil
        guard readsGroups else { return nil }
        readsGroups = plan.showsAll
        guard readsLeft == 0 else {
            readsLeft -= 1
            return nil
        }
        return try inMemory {
            groups = try read(in: transaction)
            (elements, keys) = ([], [])
        }
    }

    func refill(in transaction: ReadTransaction) throws -> Output? {
        guard let unknown = groups?.unknown, unknown.count <= Self.mostRefills, changes?.isEmpty ?? true else {
            return try fill(in: transaction)
        }
        return try inMemory {
            for key in unknown {
                try groups?.refill(key) { input, isLeast in
                    try extremes(of: input, in: key, isLeast: isLeast, transaction)
                }
            }
        }
    }

    /// Calls `read` and returns the output; returns `nil` if the groups cannot be computed in memory.
    private func inMemory(_ read: () throws -> Void) throws -> Output? {
        do {
            try read()
            let output = try settled()
            pause = 0
            return output
        } catch {
            groups = nil
            guard error is RowFault else { throw error }
            pause = min(max(1, 2 * pause), Self.longestPause)
            readsLeft = pause
            return nil
        }
    }

    private func read(in transaction: ReadTransaction) throws -> GroupStates {
        try transaction.checkUsable()
        if let keyed = plan.keyed { return try read(keyed, in: transaction) }
        var groups: [GroupValues: GroupState] = [:]
        for row in try rows(of: sql.text(in: transaction.session.dialect), transaction) {
            let (key, state) = try plan.group(row)
            groups[key] = state
        }
        for index in plan.inputs.indices where plan.inputs[index].isDistinct {
            var occurrences: [GroupValues: [SQLValue: Int]] = [:]
            let sql = try transaction.session.dialect.select(plan.occurrences(of: index))
            for row in try rows(of: sql, transaction) {
                guard case .integer(let count)? = row.last else { throw RowFault() }
                let value = row[row.count - 2]
                if value != .null { occurrences[GroupValues(row.dropLast(2)), default: [:]][value] = Int(count) }
            }
            for (key, values) in occurrences { groups[key]?.set(values, of: index) }
        }
        return GroupStates(groups, empty: plan.empty, keepsEmpty: plan.keys.isEmpty)
    }

    private func rows(of sql: SQLText, _ transaction: ReadTransaction) throws -> [[SQLValue]] {
        try transaction.query(try transaction.session.statement(sql)) { statement throws(RepositoryError) in
            try statement.all { row throws(RepositoryError) in try row.values() }
        }
    }

    private func read(_ keyed: KeyedQuery<GroupPart>, in transaction: ReadTransaction) throws -> GroupStates {
        (parts, changes) = ([:], KeyedChanges(keyed.links))
        var groups = GroupStates(
            plan.keys.isEmpty ? [GroupValues([]): plan.empty] : [:], empty: plan.empty, keepsEmpty: plan.keys.isEmpty)
        try cost.measure {
            parts = try parts(of: keyed, nil, in: transaction)
            let all = parts.values.flatMap(\.self)
            guard groups.replace([], by: all) < .needsReread else { throw RowFault() }
            return all.count
        }
        return groups
    }

    private func parts(
        of keyed: KeyedQuery<GroupPart>, _ keys: Set<[SQLValue]>?, in transaction: ReadTransaction
    ) throws -> [[SQLValue]: [GroupPart]] {
        var parts: [[SQLValue]: [GroupPart]] = [:]
        try keyed.forEach(keys, in: transaction) { key, part throws(RepositoryError) in
            parts[keyed.key(in: key), default: []].append(try part())
        }
        return parts
    }

    func readKeys(in transaction: ReadTransaction) throws -> UpdateEffect {
        guard let keyed = plan.keyed, groups != nil, let changes,
            let keys = try keyed.keys(concernedBy: changes, limit: cost.limit, in: transaction)
        else { return lose() }
        self.changes = KeyedChanges(keyed.links)
        var new: [[SQLValue]: [GroupPart]] = [:]
        try cost.measure(keys: keys.count) { new = try parts(of: keyed, keys, in: transaction) }
        var (removed, added) = ([GroupPart](), [GroupPart]())
        for key in keys where parts[key] != new[key] {
            removed += parts[key] ?? []
            added += new[key] ?? []
            parts[key] = new[key]
        }
        let effect = groups?.replace(removed, by: added) ?? .needsReread
        return effect == .needsReread ? lose() : effect
    }

    private func lose() -> UpdateEffect {
        (groups, parts, changes) = (nil, [:], nil)
        return .needsReread
    }

    private func extremes(
        of input: Int, in key: GroupValues, isLeast: Bool, _ transaction: ReadTransaction
    ) throws -> Extremes {
        let sql = try transaction.session.dialect.select(plan.extremes(of: input, in: key, isLeast: isLeast))
        let values = try rows(of: sql, transaction).map { $0[0] }
        return Extremes(isLeast: isLeast, values, isComplete: values.count < Extremes.few)
    }

    func apply(_ changes: TableChanges) -> UpdateEffect {
        readsGroups = true
        guard groups != nil else { return .needsReread }
        if plan.keyed != nil {
            guard self.changes?.add(changes, limit: cost.limit) == true else { return lose() }
            return self.changes?.isEmpty == true ? .unaffected : .rereadByKey
        }
        let rows = rows.made(of: changes.layout) { GroupRows(plan, $0) }
        let effect = rows.flatMap { groups?.apply(changes.changes, $0) } ?? .needsReread
        return effect == .needsReread ? lose() : effect
    }

    func output() throws -> Output? { try settled() }

    private func settled() throws -> Output {
        guard let current = groups else { throw RowFault() }
        let output = try result(current)
        groups?.forgetChanges()
        return output
    }

    /// Makes the elements of the changed groups again, and the output from the elements of all groups.
    private func result(_ groups: GroupStates) throws -> Output {
        if groups.arrived.isEmpty && groups.gone.isEmpty {
            for key in groups.changed {
                elements[keys.partitioningIndex { !$0.precedes(key) }] = try element(key, groups)
            }
            return try builder.output(elements)
        }
        var arrived = groups.arrived.sorted { $0.precedes($1) }[...]
        var (made, order) = ([Element](), [GroupValues]())
        made.reserveCapacity(groups.states.count)
        order.reserveCapacity(groups.states.count)
        func add(before key: GroupValues?) throws {
            while let next = arrived.first, key.map({ next.precedes($0) }) ?? true {
                made.append(try element(arrived.removeFirst(), groups))
                order.append(next)
            }
        }
        for (key, last) in zip(keys, elements) where !groups.gone.contains(key) {
            try add(before: key)
            made.append(groups.changed.contains(key) ? try element(key, groups) : last)
            order.append(key)
        }
        try add(before: nil)
        (elements, keys) = (made, order)
        return try builder.output(elements)
    }

    private func element(_ key: GroupValues, _ groups: GroupStates) throws -> Element {
        guard let state = groups.states[key] else { throw RowFault() }
        return try builder.element(key.values(plan.keys.count) + state.results(plan.measures))
    }
}

/// The states of all groups, updated row by row.
///
/// The type is not generic, so that it is compiled once for all outputs.
private struct GroupStates {
    private(set) var states: [GroupValues: GroupState]
    /// The last changed group, moved out of `states` during `apply`, because consecutive changes are often in one
    /// group.
    private var current: GroupState
    private var currentKey: GroupValues?
    /// The groups that were added since `forgetChanges()`.
    private(set) var arrived: Set<GroupValues>
    /// The groups that existed at the last `forgetChanges()` and have been removed since.
    private(set) var gone: Set<GroupValues> = []
    private(set) var changed: Set<GroupValues> = []
    /// The groups with an unknown minimum or maximum.
    private(set) var unknown: Set<GroupValues> = []
    private let empty: GroupState
    private let keepsEmpty: Bool

    /// Creates the states; with `keepsEmpty`, a group without rows remains, as it must if there are no keys.
    init(_ states: [GroupValues: GroupState], empty: GroupState, keepsEmpty: Bool) {
        (self.states, self.empty, self.keepsEmpty) = (states, empty, keepsEmpty)
        current = empty
        arrived = Set(states.keys)
    }

    mutating func forgetChanges() { (arrived, gone, changed) = ([], [], []) }

    /// Applies changes; returns `.needsReread` if they contradict the states, or cannot be computed in memory.
    mutating func apply(_ changes: [RowChange], _ rows: GroupRows) -> UpdateEffect {
        var isAffected = false
        do throws(RowFault) {
            for change in changes where try apply(change, rows) { isAffected = true }
        } catch {
            return .needsReread
        }
        putBack()
        if !unknown.isEmpty { return .needsRefill }
        return isAffected ? .updatedInPlace : .unaffected
    }

    /// Removes the parts of rows, and adds others; `.needsReread` if they contradict the states.
    mutating func replace(_ old: [GroupPart], by new: [GroupPart]) -> UpdateEffect {
        do throws(RowFault) {
            for part in old { try remove(part) }
            for part in new { add(part) }
        } catch {
            return .needsReread
        }
        putBack()
        if !unknown.isEmpty { return .needsRefill }
        return old.isEmpty && new.isEmpty ? .unaffected : .updatedInPlace
    }

    private mutating func apply(_ change: RowChange, _ rows: GroupRows) throws(RowFault) -> Bool {
        switch (try rows.part(of: change.old), try rows.part(of: change.new)) {
        case (nil, nil): return false
        case (let old?, nil): try remove(old)
        case (nil, let new?): add(new)
        case (let old?, let new?) where old.key == new.key:
            if old.inputs == new.inputs { return false }
            guard makeCurrent(old.key), current.remove(old.inputs) else { throw RowFault() }
            if current.rows == 0 {
                // The state of a group without rows is fully known.
                current = empty
                unknown.remove(old.key)
            }
            current.add(new.inputs)
            if !current.isKnown { unknown.insert(old.key) }
        case (let old?, let new?):
            try remove(old)
            add(new)
        }
        return true
    }

    /// Reads the unknown minima and maxima of a group.
    mutating func refill(_ key: GroupValues, _ read: (_ input: Int, _ isLeast: Bool) throws -> Extremes) rethrows {
        try states[key]?.refill(read)
        changed.insert(key)
        unknown.remove(key)
    }

    private mutating func remove(_ part: GroupPart) throws(RowFault) {
        guard makeCurrent(part.key), current.remove(part.inputs) else { throw RowFault() }
        if current.rows == 0 && !keepsEmpty {
            currentKey = nil
            if arrived.remove(part.key) == nil { gone.insert(part.key) }
            changed.remove(part.key)
            unknown.remove(part.key)
        } else if !current.isKnown {
            unknown.insert(part.key)
        }
    }

    private mutating func add(_ part: GroupPart) {
        if !makeCurrent(part.key) {
            (currentKey, current) = (part.key, empty)
            if gone.remove(part.key) == nil { arrived.insert(part.key) }
            changed.insert(part.key)
        }
        current.add(part.inputs)
    }

    /// Moves a group from `states` to `current`; returns `false` if the group does not exist.
    private mutating func makeCurrent(_ key: GroupValues) -> Bool {
        if let currentKey, currentKey == key { return true }
        putBack()
        guard let state = states.removeValue(forKey: key) else { return false }
        (currentKey, current) = (key, state)
        changed.insert(key)
        return true
    }

    private mutating func putBack() {
        guard let key = currentKey.take() else { return }
        states[key] = current
        // Resets `current`, because a second reference to the state would make the next change copy it.
        current = empty
    }
}
