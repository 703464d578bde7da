import Foundation

/// Tells listeners of what the writer commits: captures rows while there is a listener, and costs nothing else.
///
/// Everything here runs on the writer's queue, between transactions or as part of one.
final class ChangeFeed {
    private let session: Session
    private let decoder = RowDecoder()
    private var listeners: [ChangeListener] = []
    private var capture: ChangeCapture?
    private var isStopped = false

    init(_ session: Session) {
        self.session = session
    }

    /// Whether rows are being captured.
    var isCapturing: Bool { capture != nil }

    /// Takes a listener in, which hears of every commit from now on.
    func add(_ listener: ChangeListener) {
        guard !isStopped, !listener.isEnded else { return }
        listeners.append(listener)
        adapt()
    }

    /// Lets a listener go.
    func remove(_ listener: ChangeListener) {
        listeners.removeAll { $0 === listener }
        adapt()
    }

    /// Lets everybody go, before the connection is closed.
    func stop() {
        isStopped = true
        listeners = []
        adapt()
    }

    /// Begins a transaction.
    func begin() {
        if listeners.contains(where: \.isEnded) {
            listeners.removeAll(where: \.isEnded)
            adapt()
        }
        capture?.begin()
    }

    /// Finds out what the transaction has come to; called right before it is committed.
    func settle() {
        capture?.settle()
    }

    /// Tells of the transaction, which is committed.
    func committed(_ number: Int, _ transaction: WriteTransaction) {
        guard let capture, !transaction.changed.isEmpty else { return discard() }
        let journal = capture.journal
        discard()
        let extent = journal.isComplete ? ChangeSet.Extent.rows : .unknown(.tables)
        let tables = journal.isComplete ? journal.net() : [:]
        guard !tables.isEmpty || !journal.isComplete else { return }
        tell(
            ChangeSet(
                commit: number, author: transaction.author, time: Date(), extent: extent, tables: tables,
                decoder: decoder))
    }

    /// Forgets what a transaction did that was rolled back.
    func discard() {
        capture?.journal = ChangeJournal()
    }

    /// Tells of a commit of another connection.
    func committedElsewhere(_ number: Int) {
        guard !listeners.isEmpty else { return }
        tell(ChangeSet(commit: number, unknown: .otherConnection))
    }

    private func tell(_ changes: ChangeSet) {
        for listener in listeners { listener.offer(changes) }
    }

    /// Captures what the listeners want to hear of, and nothing when there is none.
    private func adapt() {
        guard !listeners.isEmpty else {
            capture?.stop()
            capture = nil
            return
        }
        let tables = listeners.map(\.request.tables)
        let wanted: Set<String>? = tables.contains(nil) ? nil : Set(tables.compactMap { $0 }.joined())
        let isTold: (String) -> Bool = { table in wanted?.contains(table) ?? true }
        if let capture { capture.tell(isTold) } else { capture = ChangeCapture(session, isTold: isTold) }
    }
}
