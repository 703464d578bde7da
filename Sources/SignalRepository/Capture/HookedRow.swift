import CSQLite
import Foundation

/// A row that is about to change, as SQLite reports it, readable only during the hook's call.
struct HookedRow {
    fileprivate let handle: OpaquePointer
    private let operation: Int32
    /// The name of the table, valid during the hook's call.
    let table: UnsafePointer<CChar>
    /// The rowid before and after the change.
    let ids: (old: Int64, new: Int64)

    init(handle: OpaquePointer, operation: Int32, table: UnsafePointer<CChar>, oldID: Int64, newID: Int64) {
        self.handle = handle
        self.operation = operation
        self.table = table
        ids = (oldID, newID)
    }

    /// The number of columns that SQLite reports for the row.
    var columnCount: Int { Int(sqlite3_preupdate_count(handle)) }

    var hasOld: Bool { operation != SQLITE_INSERT }

    var hasNew: Bool { operation != SQLITE_DELETE }

    /// The values before the change; `nil` if they cannot be read.
    func old(_ layout: TableLayout, _ encoding: HookEncoding?) -> [SQLValue]? {
        row(layout, encoding, sqlite3_preupdate_old)
    }

    /// The values after the change; `nil` if they cannot be read.
    func new(_ layout: TableLayout, _ encoding: HookEncoding?) -> [SQLValue]? {
        row(layout, encoding, sqlite3_preupdate_new)
    }

    /// The row's key before the change; `nil` if the table has no key, or the key contains NULL or cannot be read.
    func oldKey(_ layout: TableLayout, _ encoding: HookEncoding?) -> [SQLValue]? {
        key(layout, encoding, sqlite3_preupdate_old)
    }

    /// The row's key after the change; `nil` if the table has no key, or the key contains NULL or cannot be read.
    func newKey(_ layout: TableLayout, _ encoding: HookEncoding?) -> [SQLValue]? {
        key(layout, encoding, sqlite3_preupdate_new)
    }

    /// Returns whether an update certainly keeps the row's key.
    ///
    /// The values are compared without copying them.
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
        _ layout: TableLayout, _ encoding: HookEncoding?,
        _ read: (OpaquePointer?, Int32, UnsafeMutablePointer<OpaquePointer?>?) -> Int32
    ) -> [SQLValue]? {
        layout.lastingKey { value(at: $0, layout, encoding, read) }
    }

    private func row(
        _ layout: TableLayout, _ encoding: HookEncoding?,
        _ read: (OpaquePointer?, Int32, UnsafeMutablePointer<OpaquePointer?>?) -> Int32
    ) -> [SQLValue]? {
        var row: [SQLValue] = []
        row.reserveCapacity(layout.columns.count)
        for index in layout.columns.indices {
            guard let value = value(at: index, layout, encoding, read) else { return nil }
            row.append(value)
        }
        return row
    }

    private func value(
        at index: Int, _ layout: TableLayout, _ encoding: HookEncoding?,
        _ read: (OpaquePointer?, Int32, UnsafeMutablePointer<OpaquePointer?>?) -> Int32
    ) -> SQLValue? {
        var value: OpaquePointer?
        guard read(handle, Int32(index), &value) == SQLITE_OK, let value else { return nil }
        if let encoding, value == encoding.absent { return layout.columns[index].absent }
        let isUTF8 = encoding?.isUTF8 ?? false
        if layout.isConverted { return SQLValue(converted: value, layout.columns[index], isUTF8: isUTF8) }
        // A pattern is used, because `==` would be a generic call into another module.
        let isReal = if case .real = layout.columns[index].affinity { true } else { false }
        return SQLValue(handedOver: value, isReal: isReal, isUTF8: isUTF8)
    }
}

extension SQLValue {
    /// Copies a reported value as its column stores it; `nil` if the stored form is unknown.
    ///
    /// In a table without rowids, SQLite reports a new value before the column's affinity converts it. It also reports
    /// some stored integers of such a table as floating-point numbers; see `isMadeReal`.
    fileprivate init?(converted value: OpaquePointer, _ column: TableLayout.Column, isUTF8: Bool) {
        var type = sqlite3_value_type(value)
        switch column.affinity {
        case .integer, .numeric, .real:
            if type == SQLITE_TEXT { type = sqlite3_value_numeric_type(value) }
        case .text:
            // SQLite stores the number as the text that `sqlite3_value_text` returns.
            if type == SQLITE_INTEGER || type == SQLITE_FLOAT {
                guard let text = sqlite3_value_text(value) else { return nil }
                self = .text(String(cString: text))
                return
            }
        case .blob: break
        }
        guard type == SQLITE_FLOAT, column.affinity != .real else {
            self.init(handedOver: value, isReal: column.affinity == .real, isUTF8: isUTF8)
            return
        }
        let number = sqlite3_value_double(value)
        if column.isMadeReal, number == number.rounded(), number.magnitude >= 0x1p53 || column.affinity == .blob {
            return nil
        }
        if column.affinity != .blob, let integer = Int64(exactly: number), integer != .min, integer != .max {
            self = .integer(integer)
        } else {
            self = .real(number)
        }
    }

    /// Copies a value that a hook reports.
    ///
    /// During an insert, SQLite reports 7.0 in a floating-point column as the integer 7. Invalid text is kept as its
    /// bytes, so decoding it as text fails.
    fileprivate init(handedOver value: OpaquePointer, isReal: Bool, isUTF8: Bool) {
        switch sqlite3_value_type(value) {
        case SQLITE_INTEGER:
            let integer = sqlite3_value_int64(value)
            self = isReal ? .real(Double(integer)) : .integer(integer)
        case SQLITE_FLOAT:
            let number = sqlite3_value_double(value)
            // SQLite stores zero without a sign.
            self = .real(number == 0 ? 0 : number)
        case SQLITE_TEXT:
            // A UTF-8 text is read as a blob, because `sqlite3_value_text` would copy it to append a NUL.
            if !isUTF8 { _ = sqlite3_value_text(value) }
            let bytes = Self.bytes(of: value)
            self = (try? ColumnCell.text(bytes)).map { .text($0) } ?? .blob(Array(bytes))
        case SQLITE_BLOB: self = .blob(Array(Self.bytes(of: value)))
        default: self = .null
        }
    }

    /// The bytes of a value, valid until the value is used again.
    private static func bytes(of value: OpaquePointer) -> UnsafeBufferPointer<UInt8> {
        // Safe because the bytes stay in place during the hook's call, and SQLite reports their number.
        let start = sqlite3_value_blob(value)?.assumingMemoryBound(to: UInt8.self)
        return UnsafeBufferPointer(start: start, count: start == nil ? 0 : Int(sqlite3_value_bytes(value)))
    }
}

/// The information needed to read the values that SQLite reports to the hook.
struct HookEncoding {
    /// The constant NULL value that SQLite reports for a column that the stored row lacks.
    ///
    /// Before version 3.47, SQLite reports this constant, instead of the column's default, if the row is older than the
    /// column. A stored NULL has a different address.
    fileprivate let absent: OpaquePointer?
    /// Whether texts are stored in UTF-8; only other programs' files may use UTF-16.
    fileprivate let isUTF8: Bool

    init(_ connection: Connection) throws(RepositoryError) {
        let statement = try connection.prepare("SELECT 1")
        absent = try statement.step() ? sqlite3_column_value(statement.pointer, Int32(statement.columnCount)) : nil
        isUTF8 = try connection.rows("PRAGMA encoding").first?.first == .text("UTF-8")
    }
}
