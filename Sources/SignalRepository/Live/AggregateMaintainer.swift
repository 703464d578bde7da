/// Keeps an aggregate of each group by taking the old row of a change out and the new one in.
///
/// It holds the groups, never rows. What cannot be had by taking out is read anew: the least or greatest value, when a
/// row goes that held it.
final class AggregateMaintainer<Item: Entity, Function: Sendable & Equatable, Output>: Maintainer {
    var use: LiveUse { LiveUse(table: upkeep.table, filter: upkeep.test?.filter ?? .any) }
    var comparesOutput: Bool { false }

    private let aggregation: Aggregation<Item, Function>
    private let upkeep: AggregateUpkeep
    /// Makes the output of the groups, which are in the order of their keys.
    private let make: ([(key: SQLValue, value: Function)]) throws -> Output
    private var groups: [SQLValue: AggregateGroup<Function>] = [:]
    private var order: [SQLValue] = []
    /// The groups of which an extreme is not known any more.
    private var unknown: Set<SQLValue> = []
    private var rows: AggregateRows?
    private var isFilled = false

    init(
        _ aggregation: Aggregation<Item, Function>, _ upkeep: AggregateUpkeep,
        _ make: @escaping ([(key: SQLValue, value: Function)]) throws -> Output
    ) {
        (self.aggregation, self.upkeep, self.make) = (aggregation, upkeep, make)
    }

    func fill(in transaction: ReadTransaction) throws -> Output {
        (isFilled, unknown) = (false, [])
        groups = try aggregation.states(upkeep, in: transaction).mapValues { AggregateGroup($0) }
        order = groups.keys.sorted { $0.precedes($1) }
        let output = try result()
        isFilled = true
        return output
    }

    func refill(in transaction: ReadTransaction) throws -> Output {
        for key in unknown {
            let least = try extremes(of: key, isLeast: true, in: transaction)
            let greatest = try extremes(of: key, isLeast: false, in: transaction)
            groups[key]?.state.least = least
            groups[key]?.state.greatest = greatest
            groups[key]?.value = nil
        }
        unknown = []
        return try result()
    }

    /// Reads the extremes of a group anew; `nil` when they are not asked for.
    private func extremes(of key: SQLValue, isLeast: Bool, in transaction: ReadTransaction) throws -> Extremes? {
        guard let state = groups[key]?.state, (isLeast ? state.least : state.greatest) != nil else { return nil }
        let sql = try upkeep.extremes(isLeast: isLeast, of: key)
        return try transaction.query(transaction.session.statement(sql)) { statement throws(RepositoryError) in
            var values: [SQLValue] = []
            while try statement.step() { values.append(try statement.value(at: 0)) }
            return Extremes(isLeast: isLeast, values, isWhole: values.count < Extremes.few)
        }
    }

    func apply(_ changes: TableChanges) -> Patch {
        guard isFilled else { return .lost }
        if rows?.layout !== changes.layout { rows = upkeep.rows(of: changes.layout) }
        guard let rows else { return lose() }
        var isAffected = false
        for change in changes.changes {
            let (old, new) = (change.old.flatMap { rows.part(of: $0) }, change.new.flatMap { rows.part(of: $0) })
            if old == new { continue }
            isAffected = true
            if let old, !remove(old) { return lose() }
            if let new { add(new) }
        }
        if !unknown.isEmpty { return .usedUp }
        return isAffected ? .patched : .unaffected
    }

    private func lose() -> Patch {
        isFilled = false
        return .lost
    }

    private func remove(_ part: AggregateRows.Part) -> Bool {
        guard groups[part.key]?.state.remove(part.value) == true, let state = groups[part.key]?.state else {
            return false
        }
        groups[part.key]?.value = nil
        if state.rows == 0 && aggregation.isGrouped {
            groups[part.key] = nil
            unknown.remove(part.key)
            order.remove(at: place(of: part.key))
        } else if !state.isKnown {
            unknown.insert(part.key)
        }
        return true
    }

    private func add(_ part: AggregateRows.Part) {
        if groups[part.key] == nil {
            order.insert(part.key, at: place(of: part.key))
            groups[part.key] = AggregateGroup(upkeep.empty)
        }
        groups[part.key]?.state.add(part.value)
        groups[part.key]?.value = nil
    }

    /// Where a key stands among the others, or would.
    private func place(of key: SQLValue) -> Int {
        var (low, high) = (0, order.count)
        while low < high {
            let middle = (low + high) / 2
            if order[middle].precedes(key) { low = middle + 1 } else { high = middle }
        }
        return low
    }

    func output() throws -> Output? { try result() }

    private func result() throws -> Output {
        try make(
            try order.map { key in
                guard var group = groups[key] else { throw RepositoryError.misuse(detail: "a group is missing") }
                if let value = group.value { return (key, value) }
                let value = try aggregation.output(of: group.state)
                group.value = value
                groups[key] = group
                return (key, value)
            })
    }
}

/// One group, with what was last made of it.
private struct AggregateGroup<Value: Sendable> {
    var state: AggregateState
    var value: Value?

    init(_ state: AggregateState) { self.state = state }
}
