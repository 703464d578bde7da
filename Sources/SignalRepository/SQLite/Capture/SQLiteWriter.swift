import Foundation

/// The connection that writes: it captures what its transactions change, and checks that the file is in its place.
final class SQLiteWriter: StoreWriter, @unchecked Sendable {
    private let ownership: FileOwnership?

    // Safe because only the writer's queue touches the following, which `WriterQueue` asserts.
    let session: Session
    private let connection: Connection
    private let checkpoints: Checkpoints?
    private let capture: ChangeCapture
    private let history: HistoryKeeper?
    /// Whether there can be no other connection, because the store is in memory.
    private let isAlone: Bool
    /// The commits of others that were reported; see `commitsElsewhere()`.
    private var noticed: Int64?
    /// The tables that a transaction changed last, and the same with the history's: most change the same.
    private var changed: (tables: DirtyTables, withHistory: DirtyTables)?

    /// Takes the connection; the log is checkpointed when it is longer than a number of pages.
    init(
        _ connection: Connection, checkpointBound: Int?, history: StoreHistory = .none,
        now: @escaping @Sendable () -> Date
    ) {
        self.connection = connection
        session = Session(connection, now: now)
        self.history = HistoryKeeper(history, connection, now: now)
        connection.history = self.history
        capture = ChangeCapture(session, connection, history: self.history)
        ownership = connection.ownership
        isAlone = connection.path == ":memory:"
        checkpoints = checkpointBound.map { Checkpoints(connection, bound: $0) }
        noticed = commitsElsewhere()
    }

    func perform(
        _ transaction: WriteTransaction, log: CommitLog, _ body: (WriteTransaction) throws -> Void
    ) -> Result<Void, RepositoryError> {
        let (interest, captureVersion) = log.capture
        do {
            capture.capture(interest)
            try connection.withCancellation(transaction.cancellation) { () throws(RepositoryError) in
                try connection.begin(.write)
                noticeCommitsElsewhere(log)
                try connection.checkFiles()
                capture.begin()
                try transaction.conclude(outcome(of: body, with: transaction)).get()
                // Once more: the body may take long, or remove them itself.
                if !transaction.changed.isEmpty { try connection.checkFiles() }
                // Every later write would fail, and the store could not be opened again.
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
            if case .commitOutcomeUnknown = error { log.commitElsewhere() }
            if case .fileMoved = error { connection.saveLog() }
            return .failure(transaction.cancellation.reason ?? error)
        }
    }

    /// Writes down what a transaction has done, where the store keeps that; true where it was something.
    private func keepHistory(of transaction: WriteTransaction) throws(RepositoryError) -> Bool {
        guard let history else { return false }
        return try connection.withCancellation(nil) { () throws(RepositoryError) in
            // Only what may have changed tables of any kind may have changed the schema.
            let isSchemaChanged = transaction.changed == .all && capture.isSchemaChanged
            // Nobody is told of the history's own rows then.
            let hooks = capture.isCapturing ? nil : connection.monitor.hooks.take()
            defer { if let hooks { connection.monitor.hooks = hooks } }
            return try history.append(author: transaction.author, isSchemaChanged: isSchemaChanged)
        }
    }

    private func withHistory(_ tables: DirtyTables) -> DirtyTables {
        if let changed, changed.tables == tables { return changed.withHistory }
        var withHistory = tables
        withHistory.formUnion(.some([OwnTables.history]))
        changed = (tables, withHistory)
        return withHistory
    }

    func look(_ log: CommitLog) {
        if connection.takeRewriting() { log.commitElsewhere(.all) }
        noticeCommitsElsewhere(log)
        try? noteGap(log)
    }

    /// Writes down in the store's history that others have written; what cannot be now, the next transaction does.
    private func noteGap(_ log: CommitLog) throws(RepositoryError) {
        guard let history, history.hasGap else { return }
        do {
            try connection.begin(.write)
            // Waiting for the lock, others may have committed again.
            noticeCommitsElsewhere(log)
            try connection.checkFiles()
            try history.appendGap()
            try log.commit(.some([OwnTables.history]), .unclear) { () throws(RepositoryError) in
                try connection.commit()
            }
            history.committed()
        } catch {
            try? connection.rollback()
            history.discard()
            throw error
        }
    }

    /// Reports it if another connection has committed since this was last called.
    ///
    /// At the beginning of a transaction the answer is exact, because from then on nobody else can commit. This is the
    /// one place that takes over the commits of others. So it does not matter how our own transaction ends,
    /// or what is read after it: SQLite may have undone it and let another writer in.
    private func noticeCommitsElsewhere(_ log: CommitLog) {
        guard let now = commitsElsewhere(), now != noticed else { return }
        noticed = now
        history?.noticeOthers()
        log.commitElsewhere()
    }

    /// A number that changes when another connection commits, and never by what this one does.
    private func commitsElsewhere() -> Int64? {
        if isAlone { return nil }
        // In a file of others, whose journal is theirs to choose, a checkpoint by another program counts as a commit.
        return checkpoints?.commitsElsewhere ?? (try? connection.dataVersion())
    }

    var isUpkeepDue: Bool { checkpoints?.isDue == true }

    func keepUp() { checkpoints?.run() }

    func announceClose() {
        ownership?.announceRelease()
    }

    /// Closes the connection, which checkpoints.
    func close() {
        if history != nil { look(CommitLog()) }
        capture.stop()
        history?.close()
        session.close()
    }
}

/// Learns of commits by other connections from the version that a connection of its own sees.
final class SQLiteCommitSource: CommitSource {
    private var last: (number: Int, version: Int64)?
    private var versions: [AttachedVersion]?
    private let attached: [String]

    /// Learns of commits to the store, and to the files of some paths that readers have attached.
    init(attached: [String] = []) { self.attached = attached }

    var refusal: RepositoryError? {
        Connection.tellsRows
            ? nil : .misuse(detail: "this build of SQLite cannot tell which rows change: it lacks the preupdate hook")
    }

    func passes(_ error: RepositoryError) -> Bool {
        switch error {
        case .busy: true
        // Another file will take the name.
        case .fileMoved(let path): attached.contains(path)
        default: false
        }
    }

    func prepareSnapshot(
        _ connection: any StoreConnection, of tables: () -> Set<String>
    ) throws(RepositoryError) {
        try (connection as? Connection)?.renewAttachments()
    }

    // The version changes with our own commits too; it proves another's only if there was none of ours. The writer
    // checks for commits that others make between ours.
    func beginSnapshot(
        _ connection: any StoreConnection, after number: Int
    ) throws(RepositoryError) -> [UnnumberedCommit] {
        try connection.begin(.read)
        guard let connection = connection as? Connection else { return [.elsewhere] }
        let version = try connection.dataVersion()
        let isChanged = last.map { $0.number == number && $0.version != version } ?? false
        var commits: [UnnumberedCommit] = isChanged ? [.elsewhere] : []
        let known = versions
        let now = try connection.attachedVersions()
        versions = now
        if let known, known != now { commits.append(.beside) }
        last = (number + commits.count, version)
        return commits
    }
}
