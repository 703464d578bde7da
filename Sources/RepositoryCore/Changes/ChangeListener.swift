import Signals

/// One run of a `changes` signal, which reads the commit log and sends a change set for each commit.
final class ChangeListener: LogReader {
    private let request: ChangeRequest
    private let log: CommitLog
    private let outbox: BacklogOutbox<ChangeSet, RepositoryError>

    init(_ request: ChangeRequest, _ sink: Sink<ChangeSet, RepositoryError>, log: CommitLog) {
        self.request = request
        self.log = log
        outbox = BacklogOutbox(sink, limit: request.backlog, weight: { $0.weight }, overflow: { $0.asBacklog })
    }

    func start() {
        if let refusal = log.refusal { return outbox.fail(refusal) }
        guard !outbox.isClosed else { return }
        guard log.subscribe(self, capturing: request.tables.map { .tables($0) } ?? .all) else {
            return outbox.fail(.closed)
        }
        // If the sink cancelled before `subscribe`, `cancel()` found no listener to remove, so this removes it.
        if outbox.isClosed { log.unsubscribe(self) }
    }

    func wake() {
        log.read(self) { record in
            guard let changes = ChangeSet(record), let part = request.part(of: changes) else { return }
            let dropped = outbox.put(part)
            if dropped.isEmpty { return }
            // The call is scheduled, because the hook is the program's code, and `wake` may run on a database queue.
            Delivery.schedule { for changes in dropped { DiscardHook.report(changes, .overflow, stage: "changes") } }
        }
    }

    func logClosed() {
        outbox.fail(.closed)
        log.unsubscribe(self)
    }

    func request(_ demand: Demand) {
        outbox.request(demand)
    }

    func cancel() {
        outbox.cancel()
        log.unsubscribe(self)
    }
}

extension ChangeSet {
    /// Creates the change set of a commit; `nil` if the commit changed no rows outside internal tables.
    fileprivate init?(_ record: CommitRecord) {
        switch record.rows {
        case .known(let tables, _):
            // Excludes internal tables. Also excludes tables whose rows kept their values and got new rowids, because
            // only live lists depend on rowids.
            let changed = tables.filter { !$0.value.changes.isEmpty && !InternalTables.contains($0.key) }
            if changed.isEmpty { return nil }
            self.init(record, .rows, changed)
        case .attached: return nil
        case .external: self.init(record, .unknown(.otherConnection))
        case .unknown, .notCaptured: self.init(record, .unknown(.tables))
        }
    }

    private init(_ record: CommitRecord, _ extent: Extent, _ tables: [String: TableChanges] = [:]) {
        self.init(commit: record.number, author: record.author, time: record.time, extent: extent, tables: tables)
    }
}
