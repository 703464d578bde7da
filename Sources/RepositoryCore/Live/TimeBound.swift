/// A comparison of a row's value with the current time, plus or minus a constant: the bound of a window of time.
struct TimeBound: Sendable {
    let table: String
    /// The table's name within the statement; `nil` for the only table.
    let label: String?
    /// The term whose value in a row is compared.
    let value: StoredTerm
    /// The current time, plus or minus a constant.
    let bound: StoredTerm
    /// Whether a row enters or leaves the window when the bound reaches the row's value, not when it passes the value.
    let isReached: Bool

    /// The bound at a time, in seconds since the reference date; `nil` if it is not a number.
    func bound(at time: Double) -> Double? {
        let term = bound.rowTerm(RowColumns(byCharacters: true, now: 0) { _ in nil })
        guard case .real(let bound)? = try? term?.value([.real(time)]) else { return nil }
        return bound
    }

    /// Selects the rows whose value lies between two bounds, both included.
    func rows(from lower: Double, to upper: Double) -> StoredTest {
        .all([
            .terms(.plain(.greaterOrEqual), value, .constant(.real(lower))),
            .terms(.plain(.lessOrEqual), value, .constant(.real(upper))),
        ])
    }

    /// Selects the rows that have yet to enter or leave the window, given the value of its bound.
    func rows(after bound: Double) -> StoredTest {
        .terms(.plain(isReached ? .greater : .greaterOrEqual), value, .constant(.real(bound)))
    }
}

extension SelectStatement {
    /// The bounds that move with the current time; `nil` if the statement uses the time in any other way.
    var timeBounds: [TimeBound]? {
        var finder = TimeBoundFinder(tables: tables.map { (label: $0.label, name: $0.name) })
        for part in parts where !finder.add(part) { return nil }
        return finder.bounds
    }
}

private struct TimeBoundFinder {
    /// The tables of the statement, with their names within it.
    var tables: [(label: String?, name: String)]
    private(set) var bounds: [TimeBound] = []

    init(tables: [(label: String?, name: String)]) { self.tables = tables }

    /// Adds the bounds in a part of a statement; returns false if the part uses the time other than as a bound.
    mutating func add(_ part: StoredPart) -> Bool {
        switch part {
        case .term(.now): return false
        case .test(.terms(.plain(let comparison), let left, let right)) where left.isShiftedTime || right.isShiftedTime:
            guard comparison != .equal, comparison != .notEqual else { return false }
            let isReached = comparison == .greater || comparison == .lessOrEqual
            // `left > right` is the same as `right < left`.
            return add(left, right, isReached: isReached) || add(right, left, isReached: !isReached)
        case .term(.children(let children)): tables.append((children.alias, children.table))
        default: break
        }
        for part in part.parts where !add(part) { return false }
        return true
    }

    private mutating func add(_ value: StoredTerm, _ bound: StoredTerm, isReached: Bool) -> Bool {
        guard bound.isShiftedTime else { return false }
        var columns: [StoredColumn] = []
        let hasOther = StoredPart.term(value).contains { part in
            switch part {
            case .term(.column(let column)): columns.append(column)
            case .term(.constant), .term(.unlessNaN), .term(.checked), .term(.real): break
            case .term(.operation(let operation, _)): return operation.isAggregate
            default: return true
            }
            return false
        }
        guard !hasOther, let column = columns.first, columns.allSatisfy({ $0.table == column.table }),
            let table = column.table == nil
                ? tables.first : tables.last(where: { ($0.label ?? $0.name) == column.table })
        else { return false }
        bounds.append(
            TimeBound(table: table.name, label: table.label, value: value, bound: bound, isReached: isReached))
        return true
    }
}

extension StoredTerm {
    /// Whether the term is the current time, plus or minus a constant.
    var isShiftedTime: Bool {
        switch self {
        case .now: true
        case .unlessNaN(let term): term.isShiftedTime
        case .operation(.arithmetic(.plus), let terms), .operation(.arithmetic(.minus), let terms):
            if terms.count == 2, case .constant(.real(let shift)) = terms[1] {
                shift.isFinite && terms[0].isShiftedTime
            } else {
                false
            }
        default: false
        }
    }
}
