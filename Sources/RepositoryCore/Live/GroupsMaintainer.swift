/// A maintainer of aggregates: for each changed row, it removes the old values and adds the new values.
///
/// It holds groups and, if rows are read by key, the keys and values of each row. A group's minimum or maximum is
/// re-read when all its known extreme values have been removed.
final class GroupsMaintainer<Element, Output>: Maintainer {
    /// The closures that make the output from groups.
    struct OutputBuilder {
        let element: (_ group: [SQLValue]) throws -> Element
        /// Receives the elements of all groups in the order of the groups' keys, and the order of the output.
        let output: ([Element], ListOrder) throws -> Output
    }

    private let plan: GroupPlan
    private let sql: QuerySQL
    private let builder: OutputBuilder
    private var order: ListOrder
    private var rows = PerLayout<GroupRows>()
    private var groups: GroupStates?
    /// If rows are read by key: for each row of the first table, by its key, the parts that are made from it.
    private var parts: [[SQLValue]: [GroupPart]] = [:]
    private var changes: KeyedChanges?
    /// The elements that were last made from the groups, and the groups' keys, both in the order of the keys.
    private var elements: [Element] = []
    private var keys: [GroupValues] = []
    /// Whether `fill` reads the groups.
    ///
    /// If the query may stop at its limit, it costs less than reading all groups, so only a changed row sets this.
    private var readsGroups: Bool
    /// After groups could not be computed in memory, the next `pause` reads run the query itself.
    ///
    /// `readsLeft` of these reads remain. Each further failure doubles `pause`.
    private var (pause, readsLeft) = (0, 0)

    private static var longestPause: Int { 1_024 }
    /// The maximum memory of the groups and the parts of rows, in estimated bytes.
    private var limit = Int.max

    /// The maximum number of groups that are refilled one by one; if there are more, one statement reads all groups.
    private static var mostRefills: Int { 8 }
    /// The maximum number of groups inserted or removed one by one; if there are more, all elements are made again.
    private static var mostMoves: Int { 64 }

    init(_ plan: GroupPlan, _ builder: OutputBuilder) {
        (self.plan, sql, self.builder, readsGroups) = (plan, plan.sql, builder, plan.visitsAll)
        order = plan.order
        changes = plan.keyed.map { KeyedChanges($0.links) }
    }

    func fill(in transaction: ReadTransaction) throws -> Output? {
        groups = nil
        guard readsGroups else { return nil }
        readsGroups = plan.visitsAll
        guard readsLeft == 0 else {
            readsLeft -= 1
            return nil
        }
        guard let order = plan.order.prepared(by: transaction.session.connection) else { return nil }
        (self.order, limit) = (order, transaction.session.liveMemoryLimit)
        return try inMemory {
            groups = try read(in: transaction)
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
            _ = lose()
            guard error is RowFault else { throw error }
            pause = min(max(1, 2 * pause), Self.longestPause)
            readsLeft = pause
            return nil
        }
    }

    private func read(in transaction: ReadTransaction) throws -> GroupStates {
        try transaction.checkUsable()
        if plan.readsRows { return try readRows(in: transaction) }
        let read = try rows(of: sql.text(in: transaction.session.dialect), transaction).map { try plan.group($0) }
        var groups = Dictionary(read) { _, last in last }
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
        let states = GroupStates(groups, empty: plan.empty, keepsEmpty: plan.keys.isEmpty)
        // The store usually returns the groups in the order of their keys, so sorting them takes little time.
        try make(read.map(\.0), states)
        return states
    }

    private func rows(of sql: SQLText, _ transaction: ReadTransaction) throws -> [[SQLValue]] {
        try transaction.query(try transaction.session.statement(sql)) { statement throws(RepositoryError) in
            try statement.all { row throws(RepositoryError) in try row.values() }
        }
    }

    private func readRows(in transaction: ReadTransaction) throws -> GroupStates {
        _ = lose()
        var groups = GroupStates(
            plan.keys.isEmpty ? [GroupValues([]): plan.empty] : [:], empty: plan.empty, keepsEmpty: plan.keys.isEmpty)
        if let keyed = plan.keyed {
            parts = try changes?.measure { try parts(of: keyed, nil, in: transaction) } ?? [:]
            changes?.count = parts.values.reduce(0) { $0 + $1.count }
            groups.add(parts.values.joined())
        } else {
            groups.add(
                try transaction.query(try transaction.session.statement(sql)) { statement throws(RepositoryError) in
                    try statement.all { row throws(RepositoryError) in try plan.part(row) }
                })
        }
        try make(Array(groups.states.keys), groups)
        groups.forgetChanges()
        return groups
    }

    private func parts(
        of keyed: KeyedQuery<GroupPart>, _ keys: Set<[SQLValue]>?, in transaction: ReadTransaction
    ) throws -> [[SQLValue]: [GroupPart]] {
        var parts: [[SQLValue]: [GroupPart]] = [:]
        let most = limit / plan.partBytes
        var count = 0
        try keyed.forEach(keys, in: transaction) { key, part throws(RepositoryError) in
            count += 1
            if count <= most { parts[keyed.key(in: key), default: []].append(try part()) }
        }
        if count > most { throw RowFault() }
        return parts
    }

    func readKeys(in transaction: ReadTransaction) throws -> UpdateEffect {
        guard let keyed = plan.keyed else { return .unaffected }
        guard groups != nil, let keys = try changes?.takeKeys(in: transaction),
            let new = try changes?.measure(keys: keys.count, { try parts(of: keyed, keys, in: transaction) })
        else { return lose() }
        var pairs: [GroupStates.Row] = []
        for key in keys where parts[key] != new[key] {
            pairs += (parts[key] ?? []).map { ($0, nil) } + (new[key] ?? []).map { (nil, $0) }
            changes?.count += (new[key]?.count ?? 0) - (parts[key]?.count ?? 0)
            parts[key] = new[key]
        }
        let effect = groups?.apply(pairs) ?? .needsReread
        return effect == .needsReread ? lose() : effect
    }

    private func lose() -> UpdateEffect {
        (groups, parts) = (nil, [:])
        changes?.clear()
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
            let effect = self.changes?.add(changes) ?? .needsReread
            return effect == .needsReread ? lose() : effect
        }
        let rows = rows.made(of: changes.layout) { GroupRows(plan, $0) }
        let pairs = rows.flatMap { rows in
            try? changes.changes.map { (old: try rows.part(of: $0.old), new: try rows.part(of: $0.new)) }
        }
        let effect = pairs.flatMap { groups?.apply($0) } ?? .needsReread
        return effect == .needsReread ? lose() : effect
    }

    func output() throws -> Output? { try settled() }

    private func settled() throws -> Output {
        guard let current = groups, bytes(current) <= limit else { throw RowFault() }
        let output = try result(current)
        groups?.forgetChanges()
        return output
    }

    private func bytes(_ groups: GroupStates) -> Int {
        let distinct = plan.countsDistinct ? groups.states.values.reduce(0) { $0 + $1.distinctCount } : 0
        let rows = changes?.count ?? 0
        return groups.states.count * (plan.groupBytes + MemoryLayout<Element>.stride) + distinct * 80
            + rows * plan.partBytes
    }

    /// Makes the elements of the changed groups again, and the output from the elements of all groups.
    private func result(_ groups: GroupStates) throws -> Output {
        let moved = groups.arrived.union(groups.gone)
        if moved.count > Self.mostMoves {
            try make(Array(groups.states.keys), groups)
        } else {
            for key in groups.changed.union(moved) {
                let index = keys.partitioningIndex { !$0.precedes(key) }
                if groups.gone.contains(key) {
                    keys.remove(at: index)
                    elements.remove(at: index)
                } else if groups.arrived.contains(key) {
                    keys.insert(key, at: index)
                    elements.insert(try element(key, groups), at: index)
                } else {
                    elements[index] = try element(key, groups)
                }
            }
        }
        return try builder.output(elements, order)
    }

    /// Makes the elements of all groups.
    private func make(_ keys: [GroupValues], _ groups: GroupStates) throws {
        self.keys = keys.sorted { $0.precedes($1) }
        elements = try self.keys.map { try element($0, groups) }
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
    /// The `GroupPart` of a row, before and after a change.
    typealias Row = (old: GroupPart?, new: GroupPart?)

    private(set) var states: [GroupValues: GroupState]
    /// The last changed group, moved out of `states` during `apply`, because consecutive changes are often in one
    /// group.
    private var current: GroupState
    private var currentKey: GroupValues?
    /// The groups that were added since `forgetChanges()`.
    private(set) var arrived: Set<GroupValues> = []
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
    }

    mutating func forgetChanges() { (arrived, gone, changed) = ([], [], []) }

    /// Replaces the old parts of rows by the new ones; `.needsReread` if the parts contradict the states.
    mutating func apply(_ rows: [Row]) -> UpdateEffect {
        var isAffected = false
        do throws(RowFault) {
            for row in rows where try apply(row) { isAffected = true }
        } catch {
            return .needsReread
        }
        putBack()
        if !unknown.isEmpty { return .needsRefill }
        return isAffected ? .updatedInPlace : .unaffected
    }

    /// Adds the parts of rows.
    mutating func add(_ parts: some Sequence<GroupPart>) {
        for part in parts { add(part) }
        putBack()
    }

    private mutating func apply(_ row: Row) throws(RowFault) -> Bool {
        switch row {
        case (nil, nil): return false
        case (let old?, let new?) where old.key == new.key:
            if old.inputs == new.inputs { return false }
            guard makeCurrent(old.key) else { throw RowFault() }
            if current.rows == 1 {
                // In a group with one row, the new values alone determine the state, including every extreme.
                guard current.remove(old.inputs) else { throw RowFault() }
                current = empty
                current.add(new.inputs)
            } else if !current.replace(old.inputs, by: new.inputs) {
                throw RowFault()
            }
            if current.isKnown { unknown.remove(old.key) } else { unknown.insert(old.key) }
        case (let old, let new):
            if let old { try remove(old) }
            if let new { add(new) }
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
