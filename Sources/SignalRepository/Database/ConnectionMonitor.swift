import CSQLite

/// What SQLite calls back on a connection: the authorizer, the progress handler and the trace.
///
/// SQLite holds a plain pointer to the monitor. That is safe because the connection keeps the monitor alive, and
/// removes the callbacks before it closes.
final class ConnectionMonitor {
    /// Cancels the work that runs now.
    var flag: CancellationFlag?
    /// Collects the tables of the statement that is being prepared.
    var access: TableAccess?
    /// Whether SQLite compiled a statement anew by itself, because the tables changed: what is known of the tables that
    /// prepared statements touch is out of date then.
    var hasRecompiled = false
    /// What listens to changes of rows, while somebody does; it takes itself away before the connection closes.
    var capture: ChangeCapture?
    private let deletesRowByRow: Bool
    /// What the authorizer was asked last.
    private var previousAction: Int32 = 0
    private let trace: (@Sendable (String) -> Void)?
    private let busyTimeout: Int32
    /// For how long the present statement has waited for a lock, in milliseconds.
    private var waited: Int32 = 0

    init(_ options: ConnectionOptions) {
        deletesRowByRow = options.deletesRowByRow
        trace = options.trace
        busyTimeout = options.busyTimeout
    }

    func install(on handle: OpaquePointer?) {
        let context = Unmanaged.passUnretained(self).toOpaque()
        sqlite3_progress_handler(
            handle, 1000,
            { context in
                guard let context else { return 0 }
                return ConnectionMonitor.of(context).flag?.isCancelled == true ? 1 : 0
            }, context)
        sqlite3_set_authorizer(
            handle,
            { context, action, first, second, database, _ in
                guard let context else { return SQLITE_OK }
                return ConnectionMonitor.of(context).authorize(action, first, second, database)
            }, context)
        sqlite3_busy_handler(
            handle,
            { context, attempt in
                guard let context else { return 0 }
                return ConnectionMonitor.of(context).waits(attempt) ? 1 : 0
            }, context)
        guard trace != nil else { return }
        sqlite3_trace_v2(
            handle, UInt32(SQLITE_TRACE_STMT),
            { _, context, _, text in
                guard let context, let text else { return 0 }
                let sql = String(cString: text.assumingMemoryBound(to: CChar.self))
                ConnectionMonitor.of(context).trace?(sql)
                return 0
            }, context)
    }

    func remove(from handle: OpaquePointer?) {
        sqlite3_busy_handler(handle, nil, nil)
        sqlite3_progress_handler(handle, 0, nil, nil)
        sqlite3_set_authorizer(handle, nil, nil)
        sqlite3_trace_v2(handle, 0, nil, nil)
    }

    private static func of(_ context: UnsafeMutableRawPointer) -> ConnectionMonitor {
        Unmanaged<ConnectionMonitor>.fromOpaque(context).takeUnretainedValue()
    }

    /// Waits a little for another connection's lock; false when the time is up, or the work no longer wanted.
    func waits(_ attempt: Int32) -> Bool {
        if attempt == 0 { waited = 0 }
        guard waited < busyTimeout, flag?.isCancelled != true else { return false }
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
            collect(first, \.read)
        case SQLITE_INSERT, SQLITE_UPDATE:
            collect(first, \.written)
        case SQLITE_DELETE:
            collect(first, \.written)
            // "Ignore" keeps the deletion and gives up SQLite's shortcut that empties a table unseen by hooks.
            // Where a table is dropped, it would give up the drop.
            let isRowByRow = (deletesRowByRow || capture != nil) && !isDropping
            return isRowByRow && !Self.isInternal(first) ? SQLITE_IGNORE : SQLITE_OK
        case SQLITE_SELECT, SQLITE_FUNCTION, SQLITE_RECURSIVE:
            break
        case SQLITE_TRANSACTION, SQLITE_SAVEPOINT:
            access?.controlsTransactions = true
        default:
            access?.changesSchema = true
        }
        return SQLITE_OK
    }

    private func collect(_ name: UnsafePointer<CChar>?, _ tables: WritableKeyPath<TableAccess, Set<String>>) {
        guard access != nil, let name, !Self.isInternal(name) else { return }
        access?[keyPath: tables].insert(String(cString: name))
    }

    /// What is asked right before the deletion of all rows of a table or view that is dropped.
    private static let drops: Set = [
        SQLITE_DROP_TABLE, SQLITE_DROP_TEMP_TABLE, SQLITE_DROP_VIEW, SQLITE_DROP_TEMP_VIEW, SQLITE_DROP_VTABLE,
    ]

    /// Whether SQLite keeps the table for itself.
    private static func isInternal(_ name: UnsafePointer<CChar>?) -> Bool {
        guard let name else { return true }
        return sqlite3_strnicmp(name, "sqlite_", 7) == 0
    }
}
