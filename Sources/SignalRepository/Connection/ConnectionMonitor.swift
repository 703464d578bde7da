import CSQLite
import Foundation

/// SQLite's callbacks on a connection: the authorizer, the progress handler, the busy handler and the trace.
///
/// SQLite holds an unretained pointer to the monitor. It is safe because the connection keeps the monitor alive, and
/// removes the callbacks before it closes.
final class ConnectionMonitor {
    /// The flag by which a running statement is cancelled.
    var flag: CancellationFlag?
    /// The error that a custom function threw; the statement that called the function fails with it.
    var thrown: (any Error)?
    /// Collects the names of the tables that the statement being prepared reads or writes.
    var access: TableAccess?
    /// Whether the statement being prepared is raw SQL.
    ///
    /// Some statements change a setting already while SQLite prepares them, so SQLite must not prepare rejected SQL.
    var isGuarding = false
    /// Whether SQLite has, or may have, recompiled a statement by itself.
    ///
    /// The schema may have changed in that case, so the tables recorded for prepared statements may be wrong.
    var hasRecompiled = true
    /// Receives changed rows, savepoints and ends of statements; `nil` if the connection does not report them.
    var hooks: (any ConnectionHooks)?
    private var previousAction: Int32 = 0
    private let trace: (@Sendable (String) -> Void)?
    private let log: StatementLog?
    /// The number of rows that each running statement has returned so far; counted only for the log.
    private var rows: [OpaquePointer: Int] = [:]
    private let busyTimeout: Int32
    /// How long the current statement has waited for a lock, in milliseconds.
    private var waited: Int32 = 0

    init(_ options: ConnectionOptions) {
        trace = options.trace
        log = options.log
        busyTimeout = options.busyTimeout
    }

    func install(on handle: OpaquePointer?) {
        let context = Unmanaged.passUnretained(self).toOpaque()
        sqlite3_progress_handler(
            handle, 1000,
            { context in
                guard let context else { return 0 }
                return ConnectionMonitor.of(context).flag?.reason == nil ? 0 : 1
            }, context)
        sqlite3_set_authorizer(
            handle,
            { context, action, first, second, database, trigger in
                guard let context else { return SQLITE_OK }
                let monitor = ConnectionMonitor.of(context)
                if trigger != nil { monitor.collect(action, first) }
                return monitor.authorize(action, first, second, database)
            }, context)
        sqlite3_busy_handler(
            handle,
            { context, attempt in
                guard let context else { return 0 }
                return ConnectionMonitor.of(context).waits(attempt) ? 1 : 0
            }, context)
        let events = (trace == nil ? 0 : SQLITE_TRACE_STMT) | (log == nil ? 0 : SQLITE_TRACE_PROFILE | SQLITE_TRACE_ROW)
        guard events != 0 else { return }
        sqlite3_trace_v2(
            handle, UInt32(events),
            { event, context, subject, detail in
                if let context, let subject {
                    ConnectionMonitor.of(context).note(Int32(event), OpaquePointer(subject), detail)
                }
                return 0
            }, context)
    }

    /// Handles a trace event of a statement: the start with its SQL text, a returned row, or the end with its duration.
    private func note(_ event: Int32, _ subject: OpaquePointer, _ detail: UnsafeMutableRawPointer?) {
        switch event {
        case SQLITE_TRACE_ROW: rows[subject, default: 0] += 1
        case SQLITE_TRACE_PROFILE:
            guard let time = detail?.load(as: sqlite3_int64.self), let text = sqlite3_sql(subject) else {
                return
            }
            log?.add(String(cString: text), nanoseconds: time, rows: rows.removeValue(forKey: subject) ?? 0)
        default:
            guard let detail else { return }
            trace?(String(cString: detail.assumingMemoryBound(to: CChar.self)))
        }
    }

    func remove(from handle: OpaquePointer?) {
        sqlite3_busy_handler(handle, nil, nil)
        sqlite3_progress_handler(handle, 0, nil, nil)
        sqlite3_set_authorizer(handle, nil, nil)
        sqlite3_trace_v2(handle, 0, nil, nil)
        guard hooks != nil else { return }
        hooks = nil
        sqlite3_preupdate_hook(handle, nil, nil)
    }

    fileprivate static func of(_ context: UnsafeMutableRawPointer) -> ConnectionMonitor {
        Unmanaged<ConnectionMonitor>.fromOpaque(context).takeUnretainedValue()
    }

    /// Waits briefly for another connection to release a lock; returns false after the timeout or a cancellation.
    func waits(_ attempt: Int32) -> Bool {
        if attempt == 0 { waited = 0 }
        guard waited < busyTimeout, flag?.reason == nil else { return false }
        let pause = min(1 << min(attempt, 5), 25, busyTimeout - waited)
        waited += pause
        sqlite3_sleep(pause)
        return true
    }

    private func authorize(
        _ action: Int32, _ first: UnsafePointer<CChar>?, _ second: UnsafePointer<CChar>?,
        _ database: UnsafePointer<CChar>?
    ) -> Int32 {
        if access == nil, action != SQLITE_PRAGMA { hasRecompiled = true }
        let isDropping = action == SQLITE_DELETE && Self.drops.contains(previousAction)
        previousAction = action
        switch action {
        case SQLITE_READ:
            // A commit to `main` cannot change a table of an attached file, so such a table gets a qualified name.
            if let database, sqlite3_stricmp(database, "main") != 0, sqlite3_stricmp(database, "temp") != 0, let first {
                access?.attached.insert("\(String(cString: database)).\(String(cString: first))")
            } else {
                collect(first, \.read)
            }
        case SQLITE_INSERT, SQLITE_UPDATE:
            collect(first, \.written)
        case SQLITE_DELETE:
            collect(first, \.written)
            // SQLITE_IGNORE still deletes the rows, but disables SQLite's truncate optimization, which bypasses the
            // hook. While a table is being dropped, SQLITE_IGNORE would prevent the drop.
            let isRowByRow = hooks != nil && !isDropping
            return isRowByRow && !Self.isInternal(first) ? SQLITE_IGNORE : SQLITE_OK
        case SQLITE_SELECT, SQLITE_FUNCTION, SQLITE_RECURSIVE:
            break
        default:
            if let refusal = RawSQLRules.refusal(of: action, first, second, database) {
                access?.refusal = refusal
                if isGuarding { return SQLITE_DENY }
            }
            if action != SQLITE_PRAGMA { access?.changesSchema = true }
        }
        return SQLITE_OK
    }

    private func collect(_ name: UnsafePointer<CChar>?, _ tables: WritableKeyPath<TableAccess, Set<String>>) {
        guard access != nil, let name, !Self.isInternal(name) else { return }
        access?[keyPath: tables].insert(String(cString: name))
    }

    /// Collects a table that a trigger writes.
    private func collect(_ action: Int32, _ name: UnsafePointer<CChar>?) {
        guard [SQLITE_INSERT, SQLITE_UPDATE, SQLITE_DELETE].contains(action) else { return }
        collect(name, \.writtenByTriggers)
    }

    /// The actions that SQLite reports right before it deletes all rows of a dropped table or view.
    private static let drops: Set = [
        SQLITE_DROP_TABLE, SQLITE_DROP_TEMP_TABLE, SQLITE_DROP_VIEW, SQLITE_DROP_TEMP_VIEW, SQLITE_DROP_VTABLE,
    ]

    private static func isInternal(_ name: UnsafePointer<CChar>?) -> Bool {
        guard let name else { return true }
        return sqlite3_strnicmp(name, "sqlite_", 7) == 0
    }
}

/// Receives a connection's events: rows that are about to change, savepoints, and ends of statements.
///
/// SQLite calls `rowChanges(_:)` while a statement runs, so the method must not execute SQL.
protocol ConnectionHooks: AnyObject {
    func rowChanges(_ row: HookedRow)
    func statementEnded(isFailed: Bool)
    func savepoint(_ step: SavepointStep)
}

extension Connection {
    static var hasPreupdateHook: Bool { csqlite_has_preupdate_hook() != 0 }

    var hooks: (any ConnectionHooks)? { monitor.hooks }

    /// Installs `hooks`; `nil` removes the installed ones.
    ///
    /// Must be called between two transactions.
    ///
    /// The caller must discard its prepared statements: a `DELETE` of all rows that was prepared without hooks does not
    /// report the rows.
    func setHooks(_ hooks: (any ConnectionHooks)?) {
        monitor.hooks = hooks
        guard let handle else { return }
        guard hooks != nil else {
            sqlite3_preupdate_hook(handle, nil, nil)
            return
        }
        // Safe because the connection keeps the monitor alive, and removes the hook before it closes.
        sqlite3_preupdate_hook(
            handle,
            { context, handle, operation, database, table, oldID, newID in
                guard let context, let handle, let database, let table else { return }
                // Outside `main` there are only temporary tables, which no other connection sees.
                guard strcmp(database, "main") == 0, sqlite3_strnicmp(table, "sqlite_", 7) != 0 else { return }
                let row = HookedRow(handle: handle, operation: operation, table: table, oldID: oldID, newID: newID)
                ConnectionMonitor.of(context).hooks?.rowChanges(row)
                // Safe because the monitor lives as long as its connection.
            }, Unmanaged.passUnretained(monitor).toOpaque())
    }
}
