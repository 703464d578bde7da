import Foundation

/// A maintainer of a query that compares rows with the current time.
///
/// It appends the current time to each row, and the base maintainer's conditions read it there. When time passes, it
/// reads the rows whose value lies between the old and the new bound of a window. To the base maintainer, it reports
/// each of them as a changed row, whose last value (the time) is different.
final class TimedMaintainer<Output>: Maintainer {
    /// The shortest pause between two results that differ only by the time.
    private static var pause: TimeInterval { 0.01 }

    private let base: any Maintainer<Output>
    private let bounds: [TimeBound]
    /// For each table with a bound: its layout if the table is foreign (see `TableLayout.isForeign`), otherwise a
    /// layout of the columns that the base maintainer may need.
    private let layouts: [String: TableLayout]
    /// The time of the result, in seconds since the reference date.
    private var time = 0.0
    /// The time of the last result for which rows were read.
    private var timeOfRead = 0.0
    /// The time at which the next row enters or leaves a window; `nil` until the result is read.
    private var next: Double?
    /// Whether the base maintainer has a result that `output()` has not returned.
    private var isUpdated = false
    private var values = PerLayout<[RowTerm?]>()

    var comparesOutput: Bool { base.comparesOutput }

    /// Returns `nil` if the statement uses the time other than as a bound.
    init?(_ statement: SelectStatement, _ base: any Maintainer<Output>, _ rules: StoreRules) {
        guard let bounds = statement.timeBounds, let links = try? statement.links() else { return nil }
        (self.base, self.bounds) = (base, bounds)
        layouts = statement.layouts(of: links, bounds, rules)
    }

    var due: Date? {
        next.map { Date(timeIntervalSinceReferenceDate: max($0, timeOfRead + Self.pause)) }
    }

    func advance(to date: Date) -> UpdateEffect {
        guard let next else { return .unaffected }
        let date = date.timeIntervalSinceReferenceDate
        if date < time { return .rereadByKey }
        if date >= next { return date >= timeOfRead + Self.pause ? .rereadByKey : .unaffected }
        time = date
        return .unaffected
    }

    func fill(in transaction: ReadTransaction) throws -> Output? {
        (next, isUpdated) = (nil, false)
        time = transaction.session.time.timeIntervalSinceReferenceDate
        let output = try base.fill(in: transaction)
        try findNext(in: transaction)
        return output
    }

    func refill(in transaction: ReadTransaction) throws -> Output? {
        let isNow = time == transaction.session.time.timeIntervalSinceReferenceDate
        return try isNow ? base.refill(in: transaction) : fill(in: transaction)
    }

    func apply(_ changes: TableChanges) -> UpdateEffect {
        for change in changes.changes {
            if let row = change.new { note(row, of: changes.layout) }
        }
        return note(base.apply(changes.adding(old: time, new: time)))
    }

    func readKeys(in transaction: ReadTransaction) throws -> UpdateEffect {
        let now = transaction.session.time.timeIntervalSinceReferenceDate
        var effect = UpdateEffect.unaffected
        if now != time {
            for bounds in Dictionary(grouping: bounds, by: { [$0.table, $0.label] }).values {
                guard let changes = try changes(bounds, until: now, in: transaction) else {
                    return .needsReread
                }
                effect = max(effect, note(base.apply(changes)))
            }
            time = now
            try findNext(in: transaction)
        }
        if effect <= .rereadByKey { effect = note(try base.readKeys(in: transaction)) }
        if effect > .rereadByKey { return effect }
        return isUpdated ? .updatedInPlace : .unaffected
    }

    func output() throws -> Output? {
        isUpdated = false
        return try base.output()
    }

    private func note(_ effect: UpdateEffect) -> UpdateEffect {
        if effect == .updatedInPlace { isUpdated = true }
        return effect
    }

    /// Reads the rows of a table between the bounds at `time` and at `now`, and returns each as a change of its time;
    /// `nil` if a bound is not a number, or if a value has another type than its column.
    private func changes(
        _ bounds: [TimeBound], until now: Double, in transaction: ReadTransaction
    ) throws(RepositoryError) -> TableChanges? {
        let (table, label) = (bounds[0].table, bounds[0].label)
        guard let layout = layouts[table] else { return nil }
        var tests: [StoredTest] = []
        for bound in bounds {
            guard let last = bound.bound(at: time), let next = bound.bound(at: now) else { return nil }
            tests.append(bound.rows(from: min(last, next), to: max(last, next)))
        }
        let session = transaction.session
        let sql = try session.dialect.rows(of: layout, as: label, where: .any(tests))
        var changes: [RowChange] = []
        try transaction.query(try session.statement(sql)) { statement throws(RepositoryError) in
            try statement.forEach { statement throws(RepositoryError) in
                var row = try statement.values()
                var id: Int64 = 0
                if row.count > layout.columns.count, case .integer(let number)? = row.popLast() { id = number }
                // Maintainers of lists and of groups do not use the key of a change, so any number will do.
                let key = RowKey.number(Int64(changes.count))
                changes.append(RowChange(key: key, old: row, new: row, ids: RowIDs(old: id, new: id)))
            }
        }
        let found = TableChanges(layout, changes)
        return found.haveTypes ? found.adding(old: time, new: now) : nil
    }

    private func findNext(in transaction: ReadTransaction) throws(RepositoryError) {
        (timeOfRead, next) = (time, Date.distantFuture.timeIntervalSinceReferenceDate)
        let session = transaction.session
        for bound in bounds {
            guard let last = bound.bound(at: time) else { continue }
            let sql = try session.dialect.least(
                bound.value, of: bound.table, as: bound.label, where: bound.rows(after: last))
            try transaction.query(try session.statement(sql)) { statement throws(RepositoryError) in
                try statement.forEach { statement throws(RepositoryError) in
                    if let value = try statement.value(at: 0).seconds { note(value, last) }
                }
            }
        }
    }

    /// Brings the next time forward if a new row enters or leaves a window earlier.
    private func note(_ row: [SQLValue], of layout: TableLayout) {
        let terms = values.made(of: layout) { layout in
            bounds.map { $0.table == layout.name ? $0.value.rowTerm(RowColumns(layout)) : .constant(.null) }
        }
        for (bound, term) in zip(bounds, terms ?? []) {
            guard let last = bound.bound(at: time), let value = try? term?.value(row) else {
                // The next time is unknown, so a read becomes due at once, in which the store finds the next time.
                next = time
                continue
            }
            guard let value = value.seconds, bound.isReached ? value > last : value >= last else { continue }
            note(value, last)
        }
    }

    private func note(_ value: Double, _ bound: Double) {
        if let known = next { next = min(known, time + (value - bound)) }
    }
}

extension SelectStatement {
    /// Returns a layout for each table with a bound; see `TimedMaintainer.layouts`.
    fileprivate func layouts(
        of links: TableLinks, _ bounds: [TimeBound], _ rules: StoreRules
    ) -> [String: TableLayout] {
        var layouts = rules.layouts
        for table in Set(bounds.map(\.table)) where layouts[table] == nil {
            let source = tables.first { $0.name == table }
            var names = source?.columns ?? []
            for column in links.occurrences.filter({ $0.table == table }).flatMap(\.columns)
            where !names.contains(column.name) {
                names.append(column.name)
            }
            let key = (try? source?.key.get()) ?? []
            layouts[table] = TableLayout(
                name: table, columns: names.map { TableLayout.Column(name: $0, affinity: .blob, absent: .null) },
                key: key.compactMap { names.firstIndex(of: $0) }, hasRowID: rules.isSQLite, isFollowed: true,
                findsCharacters: rules.isSQLite)
        }
        return layouts
    }
}

extension SQLValue {
    /// The seconds of a stored date; another program may have stored them as an integer.
    fileprivate var seconds: Double? {
        switch self {
        case .real(let number): number
        case .integer(let number): Double(number)
        case .null, .text, .blob: nil
        }
    }
}

extension TableChanges {
    /// Returns the changes with a time added to the end of each row.
    fileprivate func adding(old: Double, new: Double) -> TableChanges {
        func adding(_ change: RowChange) -> RowChange {
            RowChange(
                key: change.key, old: change.old.map { $0 + [.real(old)] }, new: change.new.map { $0 + [.real(new)] },
                ids: change.ids)
        }
        return TableChanges(layout, changes.map(adding), renumbered: renumbered.map(adding))
    }
}
