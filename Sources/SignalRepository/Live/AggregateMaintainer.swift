/// Keeps an aggregate of each group by taking the old row of a change out and the new one in.
///
/// It holds the groups, never rows. What cannot be had by taking out is read anew: the least or greatest value, when a
/// row goes that held it.
final class AggregateMaintainer<Item: Entity, Function: Sendable & Equatable, Output>: Maintainer {
    let table = Item.entityName
    var key: SQLValue? { nil }

    private let aggregation: Aggregation<Item, Function>
    /// Makes the output of the groups, which are in the order of their keys.
    private let make: ([(key: SQLValue, value: Function)]) throws -> Output
    private var groups: [SQLValue: AggregateGroup<Function>] = [:]
    private var order: [SQLValue] = []
    private var rows: AggregateRows?
    private var isFilled = false

    init(
        _ aggregation: Aggregation<Item, Function>,
        _ make: @escaping ([(key: SQLValue, value: Function)]) throws -> Output
    ) {
        self.aggregation = aggregation
        self.make = make
    }

    func fill(in transaction: ReadTransaction) throws -> Output {
        isFilled = false
        groups = try aggregation.states(in: transaction).mapValues { AggregateGroup($0) }
        order = groups.keys.sorted { $0.precedes($1) }
        let output = try output()
        isFilled = true
        return output
    }

    func apply(_ changes: TableChanges) -> Patch {
        guard isFilled else { return .lost }
        if rows?.layout !== changes.layout { rows = aggregation.upkeep?.rows(of: changes.layout) }
        guard let rows else { return lose() }
        var isAffected = false
        for change in changes.changes {
            let (old, new) = (change.old.flatMap { rows.part(of: $0) }, change.new.flatMap { rows.part(of: $0) })
            if old == new { continue }
            isAffected = true
            if let old, !remove(old) { return lose() }
            if let new { add(new) }
        }
        return isAffected ? .patched : .unaffected
    }

    private func lose() -> Patch {
        isFilled = false
        return .lost
    }

    private func remove(_ part: AggregateRows.Part) -> Bool {
        guard var group = groups[part.key], group.state.remove(part.value) else { return false }
        guard aggregation.knows(group.state) else { return false }
        group.value = nil
        if group.state.rows == 0 && aggregation.isGrouped {
            groups[part.key] = nil
            order.remove(at: place(of: part.key))
        } else {
            groups[part.key] = group
        }
        return true
    }

    private func add(_ part: AggregateRows.Part) {
        if groups[part.key] == nil { order.insert(part.key, at: place(of: part.key)) }
        var group = groups[part.key] ?? AggregateGroup(AggregateState())
        group.state.add(part.value)
        group.value = nil
        groups[part.key] = group
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

    func output() throws -> Output {
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
