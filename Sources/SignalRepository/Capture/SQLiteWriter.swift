import Foundation

/// The writer of an SQLite store, which captures the rows that it changes, and checks that the file has not moved.
final class SQLiteWriter: StoreWriter, @unchecked Sendable {
    private let ownership: FileOwnership?

    // Safe because only the writer's queue touches the properties below, which `WriterQueue` asserts.
    let session: Session
    private let connection: Connection
    private let checkpoints: Checkpoints?
    private let capture: ChangeCapture
    private let history: HistoryRecorder?
    /// Whether the store is in memory, so that no other connection can exist.
    private let isInMemory: Bool
    /// The value of `externalCommits()` at the last report to the commit log.
    private var noticed: Int64?
    /// The tables that the last transaction changed, without and with the history table.
    ///
    /// They are kept, because the next transaction usually changes the same tables.
    private var changed: (tables: DirtyTables, withHistory: DirtyTables)?

    /// Creates a writer, which checkpoints the write-ahead log when its length reaches `checkpointBound` pages.
    init(
        _ connection: Connection, checkpointBound: Int?, history: StoreHistory = .none,
        now: @escaping @Sendable () -> Date
    ) {
        self.connection = connection
        session = Session(connection, now: now)
        self.history = HistoryRecorder(history, connection, now: now)
        connection.history = self.history
        capture = ChangeCapture(session, connection, history: self.history)
        ownership = connection.ownership
        isInMemory = connection.path == ":memory:"
        checkpoints = checkpointBound.map { Checkpoints(connection, bound: $0) }
        noticed = externalCommits()
    }

    func perform(
        _ transaction: WriteTransaction, log: CommitLog, _ body: (WriteTransaction) throws -> Void
    ) -> Result<Void, RepositoryError> {
        let (interest, captureVersion) = log.capture
        do {
            capture.capture(interest)
            try connection.withCancellation(transaction.cancellation) { () throws(RepositoryError) in
                try connection.begin(.write)
                reportExternalCommits(log)
                try connection.checkFiles()
                capture.begin()
                try transaction.run { try body(transaction) }
                // The files are checked again, because the body may have taken long, or may have removed the files.
                if !transaction.changed.isEmpty { try connection.checkFiles() }
                // A new schema that prevents writes is rejected here. Otherwise every later write would fail, and the
                // store could not be reopened.
                if transaction.changed == .all, capture.isSchemaChanged { try connection.checkWriting?() }
            }
            var tables = transaction.changed
            if try keepHistory(of: transaction) { tables = withHistory(tables) }
            let rows = capture.settle()
            try log.commit(tables, rows, author: transaction.author, captureVersion: captureVersion) {
                () throws(RepositoryError) in try connection.commit()
            }
            history?.committed()
            transaction.committed()
            return .success(())
        } catch {
            try? connection.rollback()
            capture.discard()
            history?.discard()
            if case .commitOutcomeUnknown = error { log.recordExternalCommit() }
            if case .fileMoved = error { connection.saveLog() }
            return .failure(transaction.cancellation.reason ?? error)
        }
    }

    /// Records a transaction in the history, if the store has one; returns whether there was a change to record.
    private func keepHistory(of transaction: WriteTransaction) throws(RepositoryError) -> Bool {
        guard let history else { return false }
        return try connection.withCancellation(nil) { () throws(RepositoryError) in
            // A transaction that changes the schema always reports all tables as changed.
            let isSchemaChanged = transaction.changed == .all && capture.isSchemaChanged
            // While no rows are captured, no live query needs the new row of the history table, so the hook is off.
            let hooks = capture.isCapturing ? nil : connection.monitor.hooks.take()
            defer { if let hooks { connection.monitor.hooks = hooks } }
            return try history.append(author: transaction.author, isSchemaChanged: isSchemaChanged)
        }
    }

    private func withHistory(_ tables: DirtyTables) -> DirtyTables {
        if let changed, changed.tables == tables { return changed.withHistory }
        var withHistory = tables
        withHistory.formUnion(.some([InternalTables.history]))
        changed = (tables, withHistory)
        return withHistory
    }

    func poll(_ log: CommitLog) {
        if connection.takeRewriting() { log.recordExternalCommit(.all) }
        reportExternalCommits(log)
        try? recordGap(log)
    }

    /// Records in the store's history that another connection has written.
    ///
    /// If this fails, the next transaction records it.
    private func recordGap(_ log: CommitLog) throws(RepositoryError) {
        guard let history, history.hasGap else { return }
        do {
            try connection.begin(.write)
            // Other connections may have committed again while this connection waited for the lock.
            reportExternalCommits(log)
            try connection.checkFiles()
            try history.appendGap()
            try log.commit(.some([InternalTables.history]), .unknown) { () throws(RepositoryError) in
                try connection.commit()
            }
            history.committed()
        } catch {
            try? connection.rollback()
            history.discard()
            throw error
        }
    }

    /// Reports an external commit to the commit log if another connection has committed since the last call.
    ///
    /// At the beginning of a transaction the check is exact, because no other connection can commit until the
    /// transaction ends. No other method updates `noticed`. So if SQLite undoes a transaction of this connection, and
    /// another connection then commits, the next call finds that commit.
    private func reportExternalCommits(_ log: CommitLog) {
        guard let now = externalCommits(), now != noticed else { return }
        noticed = now
        history?.noteExternalCommits()
        log.recordExternalCommit()
    }

    /// Returns a number that changes when another connection commits, but not when this connection does.
    private func externalCommits() -> Int64? {
        if isInMemory { return nil }
        // A file made by other software may have no write-ahead log, so its data version is used. A checkpoint by
        // another program also changes that version, and then counts as a commit.
        return checkpoints?.externalCommits ?? (try? connection.dataVersion())
    }

    var isMaintenanceDue: Bool { checkpoints?.isDue == true }

    func runMaintenance() { checkpoints?.run() }

    func announceClose() {
        ownership?.announceRelease()
    }

    /// Closes the connection, which first checkpoints the write-ahead log.
    func close() {
        if history != nil { poll(CommitLog()) }
        capture.stop()
        history?.close()
        session.close()
    }
}

/// A commit source that detects external commits by the data version that a reader's connection sees.
final class SQLiteCommitSource: CommitSource {
    private var last: (number: Int, version: Int64)?
    private var versions: [AttachedVersion]?
    private let attached: [String]

    /// Creates a source that detects commits to the store, and to the files at the `attached` paths.
    init(attached: [String] = []) { self.attached = attached }

    var refusal: RepositoryError? {
        Connection.hasPreupdateHook
            ? nil : .misuse(detail: "this build of SQLite cannot report changed rows: it lacks the preupdate hook")
    }

    func passes(_ error: RepositoryError) -> Bool {
        switch error {
        case .busy: true
        // The attached file may be in the middle of a replacement, so that its path names no file yet.
        case .fileMoved(let path): attached.contains(path)
        default: false
        }
    }

    func prepareSnapshot(_ connection: Connection, of tables: () -> Set<String>) throws(RepositoryError) {
        try connection.renewAttachments()
    }

    // This program's commits also change the data version. So a changed version proves an external commit only if this
    // program has not committed since the last snapshot. Otherwise, the writer detects external commits.
    func beginSnapshot(_ connection: Connection, after number: Int) throws(RepositoryError) -> [UnnumberedCommit] {
        try connection.begin(.read)
        let version = try connection.dataVersion()
        let isChanged = last.map { $0.number == number && $0.version != version } ?? false
        var commits: [UnnumberedCommit] = isChanged ? [.external] : []
        let known = versions
        let now = try connection.attachedVersions()
        versions = now
        if let known, known != now { commits.append(.attached) }
        last = (number + commits.count, version)
        return commits
    }
}
