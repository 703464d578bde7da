import Foundation

/// A term that is evaluated for rows in memory, with the result that the store computes for the same rows.
///
/// It is made from the same `StoredTerm` as the SQL. A term that only the store can evaluate has no `RowTerm`. If the
/// store would fail for a row, evaluation throws a `RowFault`.
indirect enum RowTerm: Sendable {
    case column(Int)
    case constant(SQLValue)
    /// An operation on numbers; with `hasInfinity`, a floating-point result that is too large is infinite.
    case arithmetic(Arithmetic, RowTerm, RowTerm, hasInfinity: Bool)
    case joined([RowTerm])
    case magnitude(RowTerm)
    case coalesced([RowTerm])
    /// An integer; evaluation throws if it does not fit into 64 bits.
    case checked(RowTerm)
    /// An integer, or infinity if it does not fit into 64 bits.
    case saturated(RowTerm)
    case real(RowTerm)
    case text(TextFunction, RowTerm, RowTerm?)
    case search(TextSearch, RowTerm, [UInt8], byCharacters: Bool)
    case datePart(DatePart, RowTerm, TimeZone?)
    case distance(VectorMetric, RowTerm, [UInt8])
    case test(RowTest)
}

/// The error of a term that cannot be evaluated for a row: the store would fail, or a value has an unexpected class.
struct RowFault: Error {}

/// The indexes of a row's columns, and the rules by which the store computes.
struct RowColumns {
    /// Whether the store computes with texts, dates and floating-point numbers as Swift does; PostgreSQL does not.
    let byCharacters: Bool
    /// Returns the index of a column; `nil` if rows lack it, or if only the store can compute with its values.
    let index: (StoredColumn) -> Int?
    /// The index at which `TimedMaintainer` appends the current time to each row; `nil` if rows have no such value.
    var now: Int?

    init(byCharacters: Bool, now: Int? = nil, index: @escaping (StoredColumn) -> Int?) {
        (self.byCharacters, self.now, self.index) = (byCharacters, now, index)
    }

    init(_ layout: TableLayout) {
        self.init(byCharacters: layout.findsCharacters, now: layout.columns.count) { column in
            // A NUMERIC column holds a whole number as an integer.
            layout.index(of: column.name).flatMap { index in
                let found = layout.columns[index]
                return !found.isExact || column.isReal && found.affinity == .numeric ? nil : index
            }
        }
    }
}

/// The rules by which a store evaluates the rows of a query's tables.
struct StoreRules {
    /// Whether the store is SQLite, whose tables have a row order, and which computes with texts, dates and numbers as
    /// Swift does.
    let isSQLite: Bool
    /// The layouts of the foreign tables; see `TableLayout.isForeign`.
    let layouts: [String: TableLayout]

    init(isSQLite: Bool, layouts: [String: TableLayout] = [:]) {
        (self.isSQLite, self.layouts) = (isSQLite, layouts)
    }

    func hasRowOrder(_ table: String) -> Bool { isSQLite && layouts[table]?.hasRowOrder ?? true }

    /// Returns columns with which to test whether a term has a `RowTerm`; their indexes may be placeholders.
    func columns(of table: String) -> RowColumns {
        layouts[table].map { RowColumns($0) } ?? RowColumns(byCharacters: isSQLite, now: 0) { _ in 0 }
    }

    /// Returns the operation that orders the texts of a sort key, if the key is a column with a collation.
    func order(of key: StoredTerm, in statement: SelectStatement) -> Operation? {
        guard let column = key.column, let layout = statement.table(of: column).flatMap({ layouts[$0.name] }) else {
            return nil
        }
        return layout.columns.first { $0.isNamed(column.name) }?.collation.map { .collated($0) }
    }

    /// Whether values of a term compare in memory as they do in the store, for equality and for order.
    func isExact(_ term: StoredTerm, in statement: SelectStatement) -> Bool {
        if StoredPart.term(term).firstOrder != nil { return false }
        return layouts.isEmpty
            || !StoredPart.term(term).contains { part in
                guard case .term(.column(let column)) = part else { return false }
                // A column of a subquery may belong to any of the tables.
                let tables = statement.table(of: column).map { [$0.name] } ?? Array(layouts.keys)
                return tables.contains { table in
                    layouts[table]?.columns.contains { $0.isNamed(column.name) && !$0.isExact } ?? false
                }
            }
    }

    /// Whether values of some columns compare in memory as they do in the store.
    func areExact(_ names: [String], of table: String) -> Bool {
        guard let layout = layouts[table] else { return true }
        return names.allSatisfy { name in layout.columns.contains { $0.name == name && $0.isExact } }
    }
}

extension StoredTerm {
    /// Returns the term for rows in memory, or `nil` if only the store can evaluate it.
    ///
    /// Only this function decides which terms can be evaluated in memory: the ones with an exact equivalent in Swift.
    func rowTerm(_ rowColumns: RowColumns) -> RowTerm? {
        // Evaluation is recursive, and each level takes stack space, so deep terms are left to the store.
        guard StoredPart.term(self).levels <= 64 else { return nil }
        return switch self {
        case .column(let column): rowColumns.index(column).map { .column($0) }
        // SQLite binds NaN as NULL.
        case .constant(.real(let number)) where number.isNaN: .constant(.null)
        case .constant(let value): .constant(value)
        case .now: rowColumns.now.map { .column($0) }
        case .operation(let operation, let arguments): Self.rowTerm(operation, arguments, rowColumns)
        case .checked(let number): number.rowTerm(rowColumns).map { .checked($0) }
        // Every `RowTerm` evaluates to NULL instead of NaN. PostgreSQL fails where SQLite computes an infinity. A
        // shifted time is never infinite, so it has the same value in both.
        case .unlessNaN(let number) where isShiftedTime:
            number.rowTerm(RowColumns(byCharacters: true, now: rowColumns.now, index: rowColumns.index))
        case .unlessNaN(let number): rowColumns.byCharacters ? number.rowTerm(rowColumns) : nil
        case .real(let number): number.rowTerm(rowColumns).map { .real($0) }
        case .test(let test): test.rowTest(rowColumns).map { .test($0) }
        case .filtered, .distinct, .children, .key, .rowNumber, .rank: nil
        }
    }

    private static func rowTerm(
        _ operation: Operation, _ arguments: [StoredTerm], _ rowColumns: RowColumns
    ) -> RowTerm? {
        let terms = arguments.compactMap { $0.rowTerm(rowColumns) }
        guard terms.count == arguments.count, let first = terms.first else { return nil }
        let second = terms.dropFirst().first
        let hasInfinity = rowColumns.byCharacters
        switch operation {
        case .arithmetic(let sign):
            return second.map { .arithmetic(sign, first, $0, hasInfinity: hasInfinity) }
        case .negated: return .arithmetic(.minus, .constant(.integer(0)), first, hasInfinity: hasInfinity)
        case .magnitude: return .magnitude(first)
        case .joined: return .joined(terms)
        case .coalesced: return .coalesced(terms)
        case .saturated: return .saturated(first)
        case .text(let function): return rowColumns.byCharacters ? .text(function, first, second) : nil
        case .search(let search):
            guard case .constant(.blob(let pattern)) = arguments.last else { return nil }
            return .search(search, first, pattern, byCharacters: rowColumns.byCharacters)
        case .datePart:
            // PostgreSQL has another calendar and its own time zones, so only PostgreSQL can compute its date parts.
            guard rowColumns.byCharacters, arguments.count == 3, case .constant(.integer(let number)) = arguments[1],
                let part = DatePart(rawValue: Int(number)), case .constant(.text(let zone)) = arguments[2]
            else { return nil }
            return .datePart(part, first, Zones.zone(zone))
        case .distance(let metric):
            guard case .constant(.blob(let target)) = arguments.last else { return nil }
            return .distance(metric, first, target)
        // `.bounded` checks that a number is in the range of its type, and occurs in assignments only.
        case .bounded, .own, .collated, .localized, .count, .sum, .exactSum, .total, .totalState, .average, .mean,
            .minimum, .maximum:
            return nil
        }
    }
}
