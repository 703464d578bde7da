import Foundation
import Signals

/// Numbers the commits, one at a time, and records them for its readers.
///
/// The writer commits in a turn, and a reader opens a snapshot for live queries in one, so that it is known exactly
/// which commits a snapshot shows. No lock is held during a turn, and nothing else waits for it. Each reader gets the
/// records since its last read, of the tables that it follows.
package final class CommitLog: Sendable {
    fileprivate struct State: TakesTurns {
        var turn = Turn()
        /// External commits that were reported during a turn; they follow the commits that the turn adds.
        var reported: [(commit: UnnumberedCommit, time: Date)] = []
        var number = 0
        /// The number of times that the interest of the readers has changed.
        var captureVersion = 0
        var readers: [ObjectIdentifier: Subscriber] = [:]
        /// Receives the combined interest of the readers, if the source of the commits captures rows itself.
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
        /// The tables that it follows; commits to other tables are not recorded for it and do not wake it.
        var tables = DirtyTables.all
        /// The first capture version that includes its interest; 0 if it also receives commits without their rows.
        let firstVersion: Int
        var records: [CommitRecord] = []
        var isReading = false

        mutating func takeRecords() -> [CommitRecord] {
            defer { records = [] }
            return records
        }
    }

    /// The reason why changed rows are not recorded; `nil` if they are.
    package let refusal: RepositoryError?
    /// The clock for commits; it is foreign code, so it is called before the log is locked.
    private let now: @Sendable () -> Date
    private let state = Lock(State())
    private let activity: @Sendable (Bool) -> Void

    /// Creates a log that calls `activity` when the first reader is added and when the last one is removed.
    ///
    /// It is called with the log locked, so that the calls come in that order.
    package init(
        refusal: RepositoryError? = nil, activity: @escaping @Sendable (_ hasReaders: Bool) -> Void = { _ in },
        now: @escaping @Sendable () -> Date = { Date() }
    ) {
        (self.refusal, self.activity, self.now) = (refusal, activity, now)
    }

    /// The number of commits so far, including the one in progress; on the writer's queue, no commit can intervene.
    package var number: Int {
        state.takeTurn { _ in }
        return state.passTurn { $0.number }
    }

    /// The combined interest of all readers, and the number of times that it has changed.
    package var capture: (interest: CaptureInterest, version: Int) {
        state.withLock { ($0.interest, $0.captureVersion) }
    }
}

// For writers.
extension CommitLog {
    /// Commits with `body`, and records the commit if it succeeds and changed anything; returns its number.
    ///
    /// `captureVersion` is the version of `capture` when the transaction began.
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

    /// Commits with `body`, which returns the tables that it changed: for work that commits by itself.
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

    /// Records a commit by another connection, whose changes are unknown.
    package func recordExternalCommit() { report(.external) }

    /// Records unknown changes to some tables, by other connections or by triggers and cascades of this program.
    package func recordExternalCommit(_ tables: DirtyTables) {
        report(UnnumberedCommit(tables: tables, rows: .unknown))
    }

    /// Records a commit, at the end of the turn if one is in progress.
    private func report(_ commit: UnnumberedCommit) {
        let time = now()
        let readers = state.withLock { state -> [any LogReader] in
            guard state.turn.isTaken else { return state.append(commit, time) }
            state.reported.append((commit, time))
            return []
        }
        for reader in readers { reader.wake() }
    }

    /// Records the commits that `body` returns, in their order, whichever connections made them.
    package func add<Failure: Error>(
        _ body: (_ hasReaders: Bool) throws(Failure) -> [UnnumberedCommit]
    ) throws(Failure) {
        for reader in try append(body).woken { reader.wake() }
    }

    /// Does the same, and lets the reader work on the calling thread if it is the only one to wake.
    package func addOnThisThread<Failure: Error>(
        _ body: (_ hasReaders: Bool) throws(Failure) -> [UnnumberedCommit]
    ) throws(Failure) {
        let (readers, rows) = try append(body)
        if readers.count == 1 { return readers[0].wakeOnThisThread(rows: rows) }
        for reader in readers { reader.wake() }
    }

    /// Records commits; returns the readers to wake, and how many rows are known to have changed.
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

    /// Runs `body` while nothing else commits or opens a snapshot, and then adds its result to the log.
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

    /// Calls `follow` with the combined interest of the readers, now and whenever it changes.
    ///
    /// It is called with the log locked, so that the calls come in that order.
    package func followInterest(
        _ follow: @escaping @Sendable (CaptureInterest, _ version: Int, _ hasReaders: Bool) -> Void
    ) {
        state.withLock { state in
            state.follower = follow
            follow(state.interest, state.captureVersion, !state.readers.isEmpty)
        }
    }

    /// Accepts no more readers, and ends the existing ones after they have read their remaining records.
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

// For readers.
extension CommitLog {
    /// Keeps records for a reader from now on, and has rows captured for it; returns `false` if the log is closed.
    ///
    /// A transaction that has already begun captures nothing for the reader yet: its commit is left out, unless
    /// `includesUncaptured` is set.
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
    /// The rows in `interest` are captured from the next transaction on. Until its next read, the reader is given only
    /// commits that change one of `tables`, and is woken only for them; with `nil`, for every commit.
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

    /// Opens a snapshot with `body`; returns its number and the records since the reader's last read.
    ///
    /// `body` is passed the number of commits so far and returns the commits to add. From now on, the reader receives
    /// every commit, because reading the snapshot may change which tables it follows.
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

    /// Passes the records since the last call to `body`, one after another, even if several threads call.
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
    /// Adds a record for the readers that it concerns and that were added before its transaction began; returns them.
    fileprivate mutating func append(_ commit: UnnumberedCommit, _ time: Date) -> [any LogReader] {
        number += 1
        let record = CommitRecord(
            number: number, author: commit.author, time: time, tables: commit.tables, rows: commit.rows)
        var woken: [any LogReader] = []
        // By index: iterating over the values would retain them, and each append would copy all unread records.
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

    /// Appends the commits that were reported during a turn; returns the readers that they concern.
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
    /// Notifies the reader of new records; called on any thread, not under the log's lock.
    func wake()
    /// Notifies on a thread that may do the reader's work; `rows` is how many rows are known to have changed.
    func wakeOnThisThread(rows: Int)
    /// Notifies that there will be no more records.
    func logClosed()
}

extension LogReader {
    package func wakeOnThisThread(rows: Int) { wake() }
}
