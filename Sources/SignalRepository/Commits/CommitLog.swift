import Foundation
import Signals

/// Where commits get their numbers, one at a time, and are recorded for those who follow them.
///
/// The writer commits in a turn, and a reader opens a snapshot for live queries in one, so that it is known exactly
/// which commits a snapshot shows. No lock is held during a turn, and nothing else waits for it. Each reader
/// gets the records since it last looked, of the tables that it waits for.
package final class CommitLog: Sendable {
    fileprivate struct State: TakesTurns {
        var turn = Turn()
        /// The commits of others that were reported during a turn; they follow what it adds.
        var reported: [(commit: UnnumberedCommit, time: Date)] = []
        var number = 0
        /// How often what is to be captured has changed.
        var captureVersion = 0
        var readers: [ObjectIdentifier: Subscriber] = [:]
        /// Is told what is to be captured, where commits are captured away from the log.
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
        /// The tables of which it hears; of commits to others nothing is kept, and it is not woken.
        var tables = DirtyTables.all
        /// The first version that captures for it; 0 for one that hears of commits of which nothing was captured.
        let firstVersion: Int
        var records: [CommitRecord] = []
        var isReading = false

        mutating func takeRecords() -> [CommitRecord] {
            defer { records = [] }
            return records
        }
    }

    /// Why it is not recorded which rows commits change; `nil` where it is.
    package let refusal: RepositoryError?
    /// Tells the time of commits; it is foreign code, so it is called before the log is locked.
    private let now: @Sendable () -> Date
    private let state = Lock(State())
    private let activity: @Sendable (Bool) -> Void

    /// Makes a log that notifies `activity` when the first reader is added and when the last one is removed.
    ///
    /// It is called with the log locked, so that the notices come in that order.
    package init(
        refusal: RepositoryError? = nil, activity: @escaping @Sendable (_ hasReaders: Bool) -> Void = { _ in },
        now: @escaping @Sendable () -> Date = { Date() }
    ) {
        (self.refusal, self.activity, self.now) = (refusal, activity, now)
    }

    /// The number of commits so far, with the one under way; on the writer's queue none can be added in between.
    package var number: Int {
        state.takeTurn { _ in }
        return state.passTurn { $0.number }
    }

    /// What is to be captured for all readers, and how often that has changed so far.
    package var capture: (interest: CaptureInterest, version: Int) {
        state.withLock { ($0.interest, $0.captureVersion) }
    }
}

// For writers.
extension CommitLog {
    /// Commits with `body`, and records the commit if it succeeds and changed anything; returns its number.
    ///
    /// `captureVersion` is that of what was captured when the transaction began.
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

    /// Commits with `body`, which returns the tables that it changed: work that is committed as it is done.
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

    /// Records a commit by another connection, whose changes are not known.
    package func commitElsewhere() { report(.elsewhere) }

    /// Records that others have changed some tables, or triggers and cascades of our own commit.
    package func commitElsewhere(_ tables: DirtyTables) { report(UnnumberedCommit(tables: tables, rows: .unclear)) }

    /// Records a commit, at the end of the turn that somebody has.
    private func report(_ commit: UnnumberedCommit) {
        let time = now()
        let readers = state.withLock { state -> [any LogReader] in
            guard state.turn.isTaken else { return state.append(commit, time) }
            state.reported.append((commit, time))
            return []
        }
        for reader in readers { reader.wake() }
    }

    /// Records the commits that `body` returns, in their order, which were made by whoever made them.
    package func add<Failure: Error>(
        _ body: (_ hasReaders: Bool) throws(Failure) -> [UnnumberedCommit]
    ) throws(Failure) {
        for reader in try append(body).woken { reader.wake() }
    }

    /// The same, by a thread that does for a reader what is to be done, if it is the only one.
    package func addHere<Failure: Error>(
        _ body: (_ hasReaders: Bool) throws(Failure) -> [UnnumberedCommit]
    ) throws(Failure) {
        let (readers, rows) = try append(body)
        if readers.count == 1 { return readers[0].wakeHere(rows: rows) }
        for reader in readers { reader.wake() }
    }

    /// Records commits; returns the readers that are to be woken, and how many rows are known to have changed.
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

    /// Does something while nobody commits or opens a snapshot, and then adds to the log what came of it.
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

    /// Has `follow` told what is to be captured, now and whenever it changes.
    ///
    /// It is called with the log locked, so that the notices come in that order.
    package func followCapture(
        _ follow: @escaping @Sendable (CaptureInterest, _ version: Int, _ hasReaders: Bool) -> Void
    ) {
        state.withLock { state in
            state.follower = follow
            follow(state.interest, state.captureVersion, !state.readers.isEmpty)
        }
    }

    /// Accepts no more readers, and ends those it has, after what they have still to read.
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
    /// Keeps records for a reader from now on, and has rows captured for it; false when the log is closed.
    ///
    /// A transaction that has already begun captures nothing for the reader yet: its commit is left out, unless the
    /// reader hears of all.
    package func subscribe(_ reader: some LogReader, capturing interest: CaptureInterest, hearsAll: Bool = false)
        -> Bool
    {
        state.withLock { state in
            guard !state.isClosed else { return false }
            if state.readers.isEmpty { activity(true) }
            state.readers[ObjectIdentifier(reader)] = Subscriber(
                reader: reader, interest: interest, firstVersion: hearsAll ? 0 : state.captureVersion + 1)
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

    /// Returns the records since the reader's last one, and the number of the last of all.
    ///
    /// The rows that it asks for are captured from the next transaction on. From now on, and until it reads again, it
    /// sleeps while commits change other tables than `tables`; `nil` for a reader that hears of every one.
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

    /// Opens a snapshot with `body`; returns its number and the records since the reader's last one.
    ///
    /// `body` is passed the number of commits so far and returns those that are to be added. From now on the reader
    /// hears of every commit, because it may learn from the snapshot what concerns it.
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

    /// Passes the records since the last call to `body`, one after the other, whichever threads call.
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
    /// Keeps a record for the readers that it concerns and that were added before its transaction began; returns them.
    fileprivate mutating func append(_ commit: UnnumberedCommit, _ time: Date) -> [any LogReader] {
        number += 1
        let record = CommitRecord(
            number: number, author: commit.author, time: time, tables: commit.tables, rows: commit.rows)
        var woken: [any LogReader] = []
        // By index: who goes through the values holds them, and each record would copy all that nobody has read yet.
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

    /// Appends what was reported during a turn; returns the readers that it concerns.
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
    /// Notifies that there is something to read; called on any thread, not under the log's lock.
    func wake()
    /// The same, on a thread that may do what is to be done, of so many rows that are known to have changed.
    func wakeHere(rows: Int)
    /// Notifies that there will be no more records.
    func logClosed()
}

extension LogReader {
    package func wakeHere(rows: Int) { wake() }
}
