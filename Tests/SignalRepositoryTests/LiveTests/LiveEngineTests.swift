import Foundation
import Signals
import SignalsTesting
import Testing

@testable import RepositoryCore
@testable import SignalRepository

@Suite("The engine behind live signals", .timeLimit(.minutes(10))) struct LiveEngineTests {
    /// Calls back when it is released.
    private final class Companion: Sendable {
        private let release: @Sendable () -> Void

        init(onRelease release: @escaping @Sendable () -> Void) { self.release = release }

        deinit { release() }
    }

    @Test("S34 A cancelled live query releases what it has captured, without a commit", arguments: StoreKind.allCases)
    func departures(kind: StoreKind) async throws {
        try await withRepository(kind) { repository in
            let (isRead, isReleased, releases) = (Gate(), Gate(), Counter())
            func follow() -> SignalToken {
                let companion = Companion {
                    releases.add()
                    isReleased.open()
                }
                let query = LiveQuery { store in try withExtendedLifetime(companion) { try store.count(Film.self) } }
                return repository.follow(query).sink(onValue: { _ in isRead.open() }, onCompletion: { _ in })
            }
            // Another query goes on, so that the engine does not drop all of them at once.
            let other = repository.countSubscription(Film.self).record()
            _ = await other.values(1)
            let token = follow()
            await isRead.opened()
            token.cancel()
            await isReleased.opened()
            #expect(releases.value == 1)
            other.cancel()
        }
    }

    @Test("R14 A live query of a view follows the tables of its current definition", arguments: StoreKind.allCases)
    func view(kind: StoreKind) async throws {
        try await withRepository(kind, [Film.self, Measure.self]) { repository in
            try await repository.transaction { store in
                _ = try store.execute(#"CREATE VIEW Things AS SELECT id FROM "Film""#)
            }.value()
            let things = repository.follow(LiveQuery { store in try store.rows("SELECT count(*) FROM Things") })
                .map(\.value).record()
            #expect(await things.values(1) == [[[.integer(0)]]])
            try await repository.transaction { store in
                try store.execute("DROP VIEW Things")
                try store.execute(#"CREATE VIEW Things AS SELECT id FROM "Measure""#)
            }.value()
            // A new query gets its first value in the pass that handles the new view, or later.
            try await repository.countSubscription(Film.self).value()
            var random = SeededGenerator(seed: 1)
            try await repository.create(Measure.random(1, &random)).value()
            #expect(await things.values(2) == [[[.integer(0)]], [[.integer(1)]]])
            things.cancel()
        }
    }

    @Test("R3 R5 R17 Alone, it reads equal queries once, updates them in place after commits, and ends them on closing")
    func alone() async throws {
        let (log, queue) = (CommitLog(), Executor(label: "writer"))
        let connection = try Memory(Film.self).connection
        let writer = WriterQueue(
            SQLiteWriter(connection, checkpointBound: nil, now: { Date() }), queue: queue, log: log)
        // Safe because only the queue uses it.
        nonisolated(unsafe) let reader = connection
        let engine = LiveEngine(queue: queue, log: log, source: SQLiteCommitSource(), ownsSession: false) {
            () throws(RepositoryError) in (writer.session, reader)
        }
        let query = LiveQuery { try $0.count(Film.self) }.following(
            Result { () throws(RepositoryError) in try Aggregation<Film, Int>(.rows, of: nil, over: Film.all) })
        let recorders = (0..<2).map { _ in Recorder<Committed<Int>, RepositoryError>() }
        for recorder in recorders { #expect(Self.attach(recorder, query, engine)) }
        for recorder in recorders { #expect(await recorder.values(1) == [Committed(commit: 0, value: 0)]) }
        for isRolledBack in [true, false] {
            queue.async {
                let transaction = WriteTransaction(writer.session, CancellationFlag(), author: nil)
                _ = writer.perform(transaction) { store in
                    _ = try store.insert([Film.numbered(1)])
                    if isRolledBack { throw RepositoryError.cancelled }
                }
            }
        }
        for recorder in recorders { #expect(await recorder.values(2).last == Committed(commit: 1, value: 1)) }
        let statistics = engine.statistics
        #expect(statistics.subscriptions == 2 && statistics.queries == 1)
        #expect(statistics.reads == 1 && statistics.firstReads == 1)
        #expect(statistics.matched == 1 && statistics.updatedInPlace == 1 && statistics.changedRows == 1)
        let isClosed = Gate()
        engine.close { isClosed.open() }
        await isClosed.opened()
        for recorder in recorders { #expect(await recorder.end() == .failure(.closed)) }
        let late = Recorder<Committed<Int>, RepositoryError>()
        #expect(!Self.attach(late, query, engine))
        late.cancel()
        #expect(log.capture.interest.isEmpty)
        // The writer's hooks refer to the writer.
        let isReleased = Gate()
        queue.async {
            writer.close()
            isReleased.open()
        }
        await isReleased.opened()
    }

    @Test("R3 A commit during a query's first read is not missed, whatever else is followed")
    func duringTheFirstRead() async throws {
        try await withRepository(.file, [Film.self, Measure.self]) { repository in
            // Before that, the engine follows another table only.
            let others = repository.countSubscription(Measure.self).record()
            _ = await others.values(1)
            for number in 1...3 { try await repository.create(Film.numbered(number)).value() }
            let (isReading, mayGo, reads) = (Gate(), Gate(), Counter())
            let counts = repository.follow(
                LiveQuery { store in
                    let count = try store.count(Film.self)
                    reads.add()
                    if reads.value == 1 {
                        isReading.open()
                        mayGo.wait()
                    }
                    return count
                }
            ).map(\.value).record()
            await isReading.opened()
            try await repository.create(Film.numbered(4)).value()
            mayGo.open()
            #expect(await counts.last(where: { $0 == 4 }) == 4)
            // Commits to a table that nobody follows, between commits to one that is followed.
            counts.cancel()
            for number in 5...7 {
                try await repository.create(Film.numbered(number)).value()
                var random = SeededGenerator(seed: UInt64(number))
                try await repository.create(Measure.random(number, &random)).value()
                let count = number - 4
                #expect(await others.last(where: { $0 == count }) == count)
            }
            others.cancel()
        }
    }

    static func attach(
        _ recorder: Recorder<Committed<Int>, RepositoryError>, _ query: LiveQuery<Int>, _ engine: LiveEngine
    ) -> Bool {
        engine.add(LiveArrival(outbox(of: recorder), query, in: SQLiteDialect()))
    }

    /// Makes the outbox of a recorder, and gives the recorder its upstream.
    static func outbox(
        of recorder: Recorder<Committed<Int>, RepositoryError>
    ) -> NumberedOutbox<Int, RepositoryError> {
        let outbox = NumberedOutbox<Int, RepositoryError>(
            onValue: { recorder.sink.receive(Committed(commit: $0, value: $1)) },
            onCompletion: { recorder.sink.receive(completion: $0) })
        recorder.sink.receive(upstream: outbox.upstream)
        return outbox
    }
}
