/// Keeps what a query computes of groups, or of all rows, by taking the old row of a change out and the new one in.
///
/// It holds the groups, never rows. What cannot be had by taking out is read again: an extreme whose rows have gone,
/// and sums so large that it matters in which order they are added.
final class GroupsMaintainer<Row: Sendable>: Maintainer {
    /// How the rows of the query are read: all of them by the query's own statement, and one of values in memory.
    struct Form: Sendable {
        let all: @Sendable (ReadTransaction) throws -> StoredRows<Row>
        let one: @Sendable (RowSource) throws(RepositoryError) -> Row
    }

    let use: LiveUse

    private let plan: GroupPlan
    private let form: Form
    private var rows = PerLayout<GroupRows>()
    private var groups: Groups?
    /// Whether changes of rows have come since the groups were last asked for.
    ///
    /// To know the groups takes longer than the query itself, so it has to be worth it: the first value comes without,
    /// and so does that of a table whose rows are never told.
    private var isOfUse = false
    /// How many reads come without the groups, since they could not be known when they were last asked for.
    ///
    /// They are asked for again after twice as many reads each time: a sum that is too large for it stays so as a rule.
    private var (pause, readsLeft) = (0, 0)

    private static var longestPause: Int { 1_024 }

    private typealias Groups = [[SQLValue]: GroupState]

    init(_ plan: GroupPlan, _ form: Form) {
        (self.plan, self.form) = (plan, form)
        use = LiveUse(table: plan.table, filter: plan.test?.rowFilter ?? .any)
    }

    func fill(in transaction: ReadTransaction) throws -> StoredRows<Row> {
        groups = nil
        try transaction.checkUsable()
        guard isOfUse else { return try form.all(transaction) }
        isOfUse = false
        guard readsLeft == 0 else {
            readsLeft -= 1
            return try form.all(transaction)
        }
        do {
            let filled = try filled(in: transaction)
            let output = try result(filled)
            (groups, pause) = (filled, 0)
            return output
        } catch is RowFault {
            pause = min(max(1, 2 * pause), Self.longestPause)
            readsLeft = pause
            return try form.all(transaction)
        }
    }

    private func filled(in transaction: ReadTransaction) throws -> Groups {
        // Without groups there is one row, also of nothing.
        var filled: Groups = plan.keys.isEmpty ? [[]: GroupState(plan.aggregates)] : [:]
        var fault: RowFault?
        try transaction.query(try transaction.session.statement(plan.sql)) { statement throws(RepositoryError) in
            try statement.forEach { row throws(RepositoryError) in
                let part = part(of: try row.values())
                do throws(RowFault) {
                    try filled[part.key, default: GroupState(plan.aggregates)].add(part)
                } catch {
                    fault = error
                }
            }
        }
        if let fault { throw fault }
        return filled
    }

    /// What a row that was read adds to its group.
    private func part(of values: [SQLValue]) -> GroupPart {
        let count = plan.keys.count
        return GroupPart(
            key: Array(values.prefix(count)),
            values: plan.aggregates.indices.map { index in
                values[count + 2 * index + 1] == .integer(1) ? values[count + 2 * index] : nil
            })
    }

    func apply(_ changes: TableChanges) -> Patch {
        isOfUse = true
        guard groups != nil, let rows = rows.made(of: changes.layout, { GroupRows(plan, $0) }),
            let isAffected = try? apply(changes.changes, rows)
        else {
            groups = nil
            return .lost
        }
        return isAffected ? .patched : .unaffected
    }

    private func apply(_ changes: [RowChange], _ rows: GroupRows) throws(RowFault) -> Bool {
        var isAffected = false
        for change in changes {
            let (old, new) = (try rows.part(of: change.old), try rows.part(of: change.new))
            if old == new { continue }
            isAffected = true
            if let old { try remove(old) }
            if let new { try groups?[new.key, default: GroupState(plan.aggregates)].add(new) }
        }
        return isAffected
    }

    private func remove(_ part: GroupPart) throws(RowFault) {
        guard var state = groups?[part.key] else { throw RowFault() }
        groups?[part.key] = nil
        try state.remove(part)
        if state.rows > 0 || plan.keys.isEmpty { groups?[part.key] = state }
    }

    func output() throws -> StoredRows<Row>? {
        guard let groups else { throw RepositoryError.misuse(detail: "the groups are not filled") }
        return try result(groups)
    }

    /// The rows of all groups that pass, in their order.
    private func result(_ groups: Groups) throws -> StoredRows<Row> {
        var made: [(order: [SQLValue], values: [SQLValue])] = []
        made.reserveCapacity(groups.count)
        for (key, state) in groups {
            let row = key + (try state.aggregates())
            if let having = plan.having, try !having.passes(row) { continue }
            made.append((try plan.order.map { try $0.term.value(row) }, try plan.outputs.map { try $0.value(row) }))
        }
        made.sort { isBefore($0.order, $1.order) }
        let shown = made.dropFirst(plan.offset).prefix(plan.limit ?? .max).map(\.values)
        return StoredRows(rows: try shown.map { try item(of: $0) }, values: shown)
    }

    private func isBefore(_ left: [SQLValue], _ right: [SQLValue]) -> Bool {
        for (index, key) in plan.order.enumerated() {
            let order = left[index].order(right[index])
            if order != 0 { return key.isDescending ? order > 0 : order < 0 }
        }
        return false
    }

    private func item(of values: [SQLValue]) throws(RepositoryError) -> Row {
        // Safe because the values stay in place while they are read, and there is one for each output.
        try values.withUnsafeBufferPointer { values in
            Result { () throws(RepositoryError) in try form.one(RowSource(values: values.baseAddress)) }
        }.get()
    }
}
