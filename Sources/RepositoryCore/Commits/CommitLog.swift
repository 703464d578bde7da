import Foundation
import Signals

/// The log that numbers a repository's commits, and records them for live queries and `changes` signals.
///
/// A commit takes a turn (see `Turn`), and so does opening a snapshot for live queries. No two turns overlap, so it is
/// known exactly which commits a snapshot shows. The log is not locked during a turn, so other calls do not wait.
/// Each reader (see `LogReader`) receives the records since its last read, but only for commits to tables it follows.
package final class CommitLog: Sendable {
    fileprivate struct State: TakesTurns {
        var turn = Turn()
        /// External commits that were reported during a turn (see `Turn`); they are numbered after the turn's own
        /// commits.
        var reported: [(commit: UnnumberedCommit, time: Date)] = []
        var number = 0
        /// The number of times that a reader was added, was removed, or changed the rows that it wants captured.
        var captureVersion = 0
        var readers: [ObjectIdentifier: Subscriber] = [:]
        /// Receives the readers' combined `CaptureInterest` whenever it changes; set by `followInterest(_:)`.
        var follower: (@Sendable (CaptureInterest, _ version: Int, _ hasReaders: Bool) -> Void)?
        var isClosed = false

        var interest: CaptureInterest { readers.values.reduce(.none) { $0.union($1.interest) } }

        mutating func changeCapture() {
            captureVersion += 1
            follower?(interest, captureVersion, !readers.isEmpty)
        }
    }

    fileprivate struct Subscriber {
        let reader: any LogReader
        var interest: CaptureInterest
        /// The tables that the reader follows: commits to other tables are not recorded for it and do not wake it.
        var tables = DirtyTables.all
        /// The reader receives commits whose transactions began at this capture version or later; 0 for all commits.
        let firstVersion: Int
        var records: [CommitRecord] = []
        var isReading = false

        mutating func takeRecords() -> [CommitRecord] {
            defer { records = [] }
            return records
        }
    }

    /// The error that says why changed rows cannot be recorded; `nil` if they can.
    package let refusal: RepositoryError?
    /// The clock for commits; it is the program's code and may use the repository, so it is called outside the lock.
    private let now: @Sendable () -> Date
    private let state = Lock(State())
    private let activity: @Sendable (Bool) -> Void

    /// Creates a log that calls `activity` when the first reader is added and when the last one is removed.
    ///
    /// These calls are made while the log is locked, so they come in the order of the changes.
    package init(
        refusal: RepositoryError? = nil, activity: @escaping @Sendable (_ hasReaders: Bool) -> Void = { _ in },
        now: @escaping @Sendable () -> Date = { Date() }
    ) {
        (self.refusal, self.activity, self.now) = (refusal, activity, now)
    }

    /// The number of commits so far; reading it waits for a commit in progress.
    package var number: Int {
        state.takeTurn { _ in }
        return state.passTurn { $0.number }
    }

    /// The rows that all readers together want captured, and the current capture version.
    package var capture: (interest: CaptureInterest, version: Int) {
        state.withLock { ($0.interest, $0.captureVersion) }
    }
}

// Methods for connections that commit.
extension CommitLog {
    /// Runs `body`, which commits; records the commit if it changed any table, and returns the last commit's number.
    ///
    /// `captureVersion` is the version in `capture` when the transaction began.
    @discardableResult
    package func commit(
        _ tables: DirtyTables, _ rows: ChangedRows = .notCaptured, author: String? = nil, captureVersion: Int = 0,
        _ body: () throws(RepositoryError) -> Void
    ) throws(RepositoryError) -> Int {
        try commit(rows, author: author, captureVersion: captureVersion) { () throws(RepositoryError) in
            try body()
            return tables
        }
    }

    /// Runs `body`, which commits and returns the changed tables: for a caller that knows them only after the commit.
    @discardableResult
    package func commit(
        _ rows: ChangedRows, author: String?, captureVersion: Int,
        _ body: () throws(RepositoryError) -> DirtyTables
    ) throws(RepositoryError) -> Int {
        let time = now()
        let (number, readers) = try inTurn { _, _ throws(RepositoryError) in
            try body()
        } add: { state, tables in
            guard !tables.isEmpty else { return (state.number, [any LogReader]()) }
            let commit = UnnumberedCommit(
                author: author, tables: tables, rows: rows, captureVersion: captureVersion)
            let readers = state.append(commit, time)
            return (state.number, readers)
        }
        for reader in readers { reader.wake() }
        return number
    }

    /// Records a commit by another connection, with unknown changes.
    package func recordExternalCommit() { report(.external) }

    /// Records unknown changes to the given tables, such as changes by another connection, a trigger or a cascade.
    package func recordExternalCommit(_ tables: DirtyTables) {
        report(UnnumberedCommit(tables: tables, rows: .unknown))
    }

    /// Records a commit at once or, if a turn (see `Turn`) is in progress, at the end of the turn.
    private func report(_ commit: UnnumberedCommit) {
        let time = now()
        let readers = state.withLock { state -> [any LogReader] in
            guard state.turn.isTaken else { return state.append(commit, time) }
            state.reported.append((commit, time))
            return []
        }
        for reader in readers { reader.wake() }
    }

    /// Runs `body` while nothing else commits or opens a snapshot, and records the returned commits in their order.
    package func add<Failure: Error>(
        _ body: (_ hasReaders: Bool) throws(Failure) -> [UnnumberedCommit]
    ) throws(Failure) {
        for reader in try append(body).woken { reader.wake() }
    }

    /// Records commits as `add(_:)` does; if only one reader must be woken, that reader may work on the calling thread.
    package func addOnThisThread<Failure: Error>(
        _ body: (_ hasReaders: Bool) throws(Failure) -> [UnnumberedCommit]
    ) throws(Failure) {
        let (readers, rows) = try append(body)
        if readers.count == 1 { return readers[0].wakeOnThisThread(rows: rows) }
        for reader in readers { reader.wake() }
    }

    /// Records commits; returns the readers to wake, and the number of rows that are known to have changed.
    private func append<Failure: Error>(
        _ body: (_ hasReaders: Bool) throws(Failure) -> [UnnumberedCommit]
    ) throws(Failure) -> (woken: [any LogReader], rows: Int) {
        let time = now()
        return try inTurn { _, hasReaders throws(Failure) in
            try body(hasReaders)
        } add: { state, commits in
            let rows = commits.reduce(0) { $0 + $1.rows.count }
            if commits.count == 1 { return (state.append(commits[0], time), rows) }
            var woken: [ObjectIdentifier: any LogReader] = [:]
            for commit in commits {
                for reader in state.append(commit, time) { woken[ObjectIdentifier(reader)] = reader }
            }
            return (Array(woken.values), rows)
        }
    }

    /// Runs `body` while nothing else commits or opens a snapshot, and then has `add` record its result.
    private func inTurn<Work, Output, Failure: Error>(
        _ body: (_ number: Int, _ hasReaders: Bool) throws(Failure) -> Work,
        add: (inout State, Work) -> Output
    ) throws(Failure) -> Output {
        let (number, hasReaders) = state.takeTurn { ($0.number, !$0.readers.isEmpty) }
        let work: Work
        do throws(Failure) {
            work = try body(number, hasReaders)
        } catch {
            for reader in state.passTurn({ $0.appendReported() }) { reader.wake() }
            throw error
        }
        let (output, readers) = state.passTurn { state in
            let output = add(&state, work)
            return (output, state.appendReported())
        }
        for reader in readers { reader.wake() }
        return output
    }

    /// Calls `follow` with the combined `CaptureInterest` of all readers, now and whenever it changes.
    ///
    /// The log is locked during each call, so the calls come in the order of the changes.
    package func followInterest(
        _ follow: @escaping @Sendable (CaptureInterest, _ version: Int, _ hasReaders: Bool) -> Void
    ) {
        state.withLock { state in
            state.follower = follow
            follow(state.interest, state.captureVersion, !state.readers.isEmpty)
        }
    }

    /// Rejects new readers, wakes the existing ones for their remaining records, and then calls their `logClosed()`.
    package func close() {
        let readers = state.withLock { state in
            state.isClosed = true
            return state.readers.values.map(\.reader)
        }
        for reader in readers {
            reader.wake()
            reader.logClosed()
        }
    }
}

// Methods for the readers of the log: live queries and `changes` signals.
extension CommitLog {
    /// Adds a reader for the commits from now on, and captures rows for it; returns `false` if the log is closed.
    ///
    /// A transaction that has already begun does not capture rows for the new reader. The reader receives the commit of
    /// such a transaction only if `includesUncaptured` is `true`.
    package func subscribe(
        _ reader: some LogReader, capturing interest: CaptureInterest, includesUncaptured: Bool = false
    )
        -> Bool
    {
        state.withLock { state in
            guard !state.isClosed else { return false }
            if state.readers.isEmpty { activity(true) }
            state.readers[ObjectIdentifier(reader)] = Subscriber(
                reader: reader, interest: interest, firstVersion: includesUncaptured ? 0 : state.captureVersion + 1)
            state.changeCapture()
            return true
        }
    }

    package func unsubscribe(_ reader: some LogReader) {
        let released = state.withLock { state -> Subscriber? in
            guard let subscriber = state.readers.removeValue(forKey: ObjectIdentifier(reader)) else { return nil }
            state.changeCapture()
            if state.readers.isEmpty { activity(false) }
            return subscriber
        }
        withExtendedLifetime(released) {}
    }

    /// Returns the records since the reader's last read, and the number of the log's last commit.
    ///
    /// The rows in `interest` are captured from the next transaction on. Until its next read, the reader receives only
    /// commits that change one of `tables`, and other commits do not wake the reader. If `tables` is `nil`, the reader
    /// receives all commits.
    package func take(
        _ reader: some LogReader, capturing interest: CaptureInterest, until tables: Set<String>? = nil
    ) -> (number: Int, records: [CommitRecord]) {
        state.withLock { state in
            guard let index = state.readers.index(forKey: ObjectIdentifier(reader)) else { return (state.number, []) }
            state.readers.values[index].tables = tables.map { .some($0) } ?? .all
            if state.readers.values[index].interest != interest {
                state.readers.values[index].interest = interest
                state.changeCapture()
            }
            return (state.number, state.readers.values[index].takeRecords())
        }
    }

    /// Opens a snapshot with `body`; returns its last commit's number, and the records since the reader's last read.
    ///
    /// `body` receives the number of commits so far, and returns the commits that the snapshot shows but the log lacks.
    /// From now on, the reader receives the commits to all tables, because it may read further tables in the snapshot.
    package func open(
        _ reader: some LogReader, _ body: (_ number: Int) throws(RepositoryError) -> [UnnumberedCommit]
    ) throws(RepositoryError) -> (number: Int, records: [CommitRecord]) {
        let (time, id) = (now(), ObjectIdentifier(reader))
        let (number, records, others) = try inTurn { number, _ throws(RepositoryError) in
            try body(number)
        } add: { state, commits in
            state.readers[id]?.tables = .all
            let others = commits.flatMap { state.append($0, time) }
            return (state.number, state.take(id), others)
        }
        for other in others where other !== reader { other.wake() }
        return (number, records)
    }

    /// Passes the records since the reader's last read to `body`, one at a time, even if several threads call this.
    package func read(_ reader: some LogReader, _ body: (CommitRecord) -> Void) {
        let id = ObjectIdentifier(reader)
        while true {
            let records = state.withLock { state -> [CommitRecord] in
                guard state.readers[id]?.isReading == false else { return [] }
                let records = state.take(id)
                state.readers[id]?.isReading = !records.isEmpty
                return records
            }
            if records.isEmpty { return }
            for record in records { body(record) }
            state.withLock { $0.readers[id]?.isReading = false }
        }
    }
}

extension CommitLog.State {
    /// Numbers a commit and records it for the readers that should receive it; returns these readers.
    fileprivate mutating func append(_ commit: UnnumberedCommit, _ time: Date) -> [any LogReader] {
        number += 1
        let record = CommitRecord(
            number: number, author: commit.author, time: time, tables: commit.tables, rows: commit.rows)
        var woken: [any LogReader] = []
        // Loops by index. A loop over the values would retain each subscriber, so that an append would copy all of its
        // unread records.
        var index = readers.values.startIndex
        while index != readers.values.endIndex {
            if readers.values[index].firstVersion <= commit.captureVersion ?? .max,
                readers.values[index].tables.overlaps(commit.tables)
            {
                readers.values[index].records.append(record)
                woken.append(readers.values[index].reader)
            }
            readers.values.formIndex(after: &index)
        }
        return woken
    }

    /// Records the commits that were reported during a turn (see `Turn`); returns the readers to wake.
    fileprivate mutating func appendReported() -> [any LogReader] {
        if reported.isEmpty { return [] }
        defer { reported = [] }
        return reported.flatMap { append($0.commit, $0.time) }
    }

    fileprivate mutating func take(_ id: ObjectIdentifier) -> [CommitRecord] {
        readers[id]?.takeRecords() ?? []
    }
}

package protocol LogReader: AnyObject, Sendable {
    /// Notifies the reader of new records; called on any thread, while the log is not locked.
    func wake()
    /// Notifies the reader, which may work on this thread, of new records; `rows` counts the known changed rows.
    func wakeOnThisThread(rows: Int)
    /// Notifies the reader that no more records follow, because the log is closed.
    func logClosed()
}

extension LogReader {
    package func wakeOnThisThread(rows: Int) { wake() }
}
