import CSQLite
import Foundation

/// One row that is about to change, as SQLite reports it: to be read only inside the hook's call.
struct RowHook {
    fileprivate let handle: OpaquePointer
    private let operation: Int32
    /// The name of the table, for as long as the call lasts.
    let table: UnsafePointer<CChar>
    /// The rowid before and after the change.
    let ids: (old: Int64, new: Int64)

    init(handle: OpaquePointer, operation: Int32, table: UnsafePointer<CChar>, oldID: Int64, newID: Int64) {
        self.handle = handle
        self.operation = operation
        self.table = table
        ids = (oldID, newID)
    }

    /// The number of columns that SQLite counts.
    var columnCount: Int { Int(sqlite3_preupdate_count(handle)) }

    /// Whether the row existed before.
    var hasOld: Bool { operation != SQLITE_INSERT }

    /// Whether the row exists afterwards.
    var hasNew: Bool { operation != SQLITE_DELETE }

    /// The values before the change; `nil` when they cannot be read.
    func old(_ layout: TableLayout, absent: AbsentValue?) -> [SQLValue]? {
        row(layout, absent, sqlite3_preupdate_old)
    }

    /// The values after the change; `nil` when they cannot be read.
    func new(_ layout: TableLayout, absent: AbsentValue?) -> [SQLValue]? {
        row(layout, absent, sqlite3_preupdate_new)
    }

    /// The values of a row's key before the change; `nil` where it has none that stays, or that cannot be read.
    func oldKey(_ layout: TableLayout, absent: AbsentValue?) -> [SQLValue]? {
        key(layout, absent, sqlite3_preupdate_old)
    }

    /// The values of a row's key after the change; `nil` where it has none that stays, or that cannot be read.
    func newKey(_ layout: TableLayout, absent: AbsentValue?) -> [SQLValue]? {
        key(layout, absent, sqlite3_preupdate_new)
    }

    /// Whether a row that is updated has the same key before and after, as far as that is seen without copying it.
    func keepsKey(_ layout: TableLayout) -> Bool {
        guard hasOld, hasNew else { return false }
        return layout.key.allSatisfy { index in
            var (old, new): (OpaquePointer?, OpaquePointer?)
            guard sqlite3_preupdate_old(handle, Int32(index), &old) == SQLITE_OK,
                sqlite3_preupdate_new(handle, Int32(index), &new) == SQLITE_OK, let old, let new
            else { return false }
            let type = sqlite3_value_type(old)
            guard type == sqlite3_value_type(new) else { return false }
            switch type {
            case SQLITE_INTEGER: return sqlite3_value_int64(old) == sqlite3_value_int64(new)
            case SQLITE_TEXT, SQLITE_BLOB:
                let count = sqlite3_value_bytes(old)
                guard count == sqlite3_value_bytes(new) else { return false }
                guard let old = sqlite3_value_blob(old), let new = sqlite3_value_blob(new) else { return count == 0 }
                return memcmp(old, new, Int(count)) == 0
            default: return false
            }
        }
    }

    private func key(
        _ layout: TableLayout, _ absent: AbsentValue?,
        _ read: (OpaquePointer?, Int32, UnsafeMutablePointer<OpaquePointer?>?) -> Int32
    ) -> [SQLValue]? {
        layout.lastingKey { value(at: $0, layout, absent, read) }
    }

    private func row(
        _ layout: TableLayout, _ absent: AbsentValue?,
        _ read: (OpaquePointer?, Int32, UnsafeMutablePointer<OpaquePointer?>?) -> Int32
    ) -> [SQLValue]? {
        var row: [SQLValue] = []
        row.reserveCapacity(layout.columns.count)
        for index in layout.columns.indices {
            guard let value = value(at: index, layout, absent, read) else { return nil }
            row.append(value)
        }
        return row
    }

    private func value(
        at index: Int, _ layout: TableLayout, _ absent: AbsentValue?,
        _ read: (OpaquePointer?, Int32, UnsafeMutablePointer<OpaquePointer?>?) -> Int32
    ) -> SQLValue? {
        var value: OpaquePointer?
        guard read(handle, Int32(index), &value) == SQLITE_OK, let value else { return nil }
        let column = layout.columns[index]
        return value == absent?.value ? column.absent : SQLValue(handedOver: value, isReal: column.isReal)
    }
}

extension SQLValue {
    /// Copies a value that a hook reports.
    ///
    /// A floating-point column reports 7.0 as the integer 7 while it is inserted. Text that is not Unicode is kept as
    /// its bytes, and so fails as text when it is decoded.
    fileprivate init(handedOver value: OpaquePointer, isReal: Bool) {
        let cell = ColumnCell(SQLiteValue(value))
        do {
            let plain = try SQLValue(cell)
            switch plain {
            case .integer(let whole) where isReal: self = .real(Double(whole))
            // Stored, zero has no sign.
            case .real(let number) where number == 0: self = .real(0)
            default: self = plain
            }
        } catch {
            let start = sqlite3_value_blob(value)
            self = .blob(Array(UnsafeRawBufferPointer(start: start, count: Int(sqlite3_value_bytes(value)))))
        }
    }
}

/// What SQLite reports for a value that a row does not have: one constant of SQLite's.
///
/// Before version 3.47, a row older than a column is reported without the column's default; this is how such a value is
/// distinguished from a NULL that was stored.
struct AbsentValue {
    fileprivate let value: OpaquePointer?

    init(_ connection: Connection) throws(RepositoryError) {
        let statement = try connection.prepare("SELECT 1")
        value = try statement.step() ? sqlite3_column_value(statement.pointer, Int32(statement.columnCount)) : nil
    }
}
