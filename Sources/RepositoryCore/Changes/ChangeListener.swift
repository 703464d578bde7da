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
        // If the sink cancelled before `subscribe`, `cancel()` had no subscription to end, so it is ended here.
        if outbox.isClosed { log.unsubscribe(self) }
    }

    func wake() {
        log.read(self) { record in
            guard let changes = ChangeSet(record), let part = request.part(of: changes) else { return }
            let dropped = outbox.put(part)
            if dropped.isEmpty { return }
            // `wake` may run on a database queue, but the hook is the program's code, which must not run there.
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
            // Omits internal tables, and tables in which rows only got new rowids. `changes` signals do not report
            // rowids.
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
