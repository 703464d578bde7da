import Foundation
import Signals
import SignalsTesting
import TestTraits
import Testing

@testable import RepositoryCore
@testable import SignalRepository

/// An entity with both managed times.
private struct Note: Entity, Equatable {
    let id: Int
    var text: String
    var created = Date.distantPast
    var updated = Date.distantPast

    static let schema = Schema(
        Column("id", \Note.id), Column("text", \.text), Column("created", \.created, .created),
        Column("updated", \.updated, .updated), make: Note.init)
}

/// A source that treats every failure as temporary, and never reports an external commit.
private final class PatientSource: CommitSource {
    var refusal: RepositoryError? { nil }

    func passes(_ error: RepositoryError) -> Bool { true }

    func beginSnapshot(_ connection: Connection, after number: Int) throws(RepositoryError) -> [UnnumberedCommit] {
        try connection.begin(.read)
        return []
    }
}

/// The clocks of a repository are parameters: the one that gives the time, and the one that measures pauses.
@Suite("A5 Time is a parameter", .timeLimit(.minutes(10))) struct ClockTests {
    /// Seconds since 1970: the present, a jump back by a second, to 1970, before it, forward by years, back by years.
    private static let jumps: [Double] = [1_800_000_000, 1_799_999_999, 0, -86_400, 2_100_000_000, 1_500_000_000]

    @Test(
        "A5 R6 R16 R19 A clock that jumps back, to 1970 or by years, still dates commits and loses nothing",
        arguments: StoreKind.allCases, [StoreHistory.none, .kept(for: .seconds(10_000_000_000))])
    func jumping(kind: StoreKind, history: StoreHistory) async throws {
        let seconds = Lock(0.0)
        var configuration = RepositoryConfiguration()
        configuration.now = { Date(timeIntervalSince1970: seconds.withLock { $0 }) }
        // A server keeps no history.
        if kind == .postgres, history != .none { return }
        try await withStore(kind) { store in
            let repository = try Self.open(store, history, configuration)
            await repository.streaming()
            let (changes, counts) = (repository.changes().record(), repository.countSubscription(Note.self).record())
            _ = await counts.values(1)
            for (number, jump) in Self.jumps.enumerated() {
                seconds.withLock { $0 = jump }
                let note = try await repository.create(Note(id: number, text: "new")).value()
                let now = Date(timeIntervalSince1970: jump)
                #expect(note.created == now && note.updated == now)
                #expect(await counts.values(until: { $0 == number + 1 }).last == number + 1)
            }
            // The time of creation stays, whatever the clock says.
            let edited = try await repository.update(Note(id: 0, text: "edited")).value()
            #expect(edited.created == Date(timeIntervalSince1970: Self.jumps[0]))
            #expect(edited.updated == Date(timeIntervalSince1970: Self.jumps[5]))
            let sets = await changes.values(Self.jumps.count + 1)
            let times = (Self.jumps + [Self.jumps[5]]).map { Date(timeIntervalSince1970: $0) }
            #expect(sets.map(\.time) == times)
            #expect(try sets.flatMap { try $0.inserted(of: Note.self) }.map(\.id) == Array(Self.jumps.indices))
            try await Self.expectEntries(of: repository, history, times)
            changes.cancel()
            counts.cancel()
            await closed(repository)
        }
    }

    private static func open(
        _ store: TestStore, _ history: StoreHistory, _ configuration: RepositoryConfiguration
    ) throws -> any Repository {
        guard case .file(let location) = store else { return try store.open([Note.self], configuration: configuration) }
        return try SQLiteRepository(
            location, entities: [Note.self], configuration: configuration.with(durability: .normal, history: history))
    }

    /// Expects that the history still holds every commit, each with one of the clock's times.
    private static func expectEntries(
        of repository: any Repository, _ history: StoreHistory, _ times: [Date]
    ) async throws {
        guard history != .none, let repository = repository as? SQLiteRepository else { return }
        let entries = try await repository.read { try $0.history(since: .beginning) }.value()
        #expect(entries.count == times.count)
        for entry in entries { #expect(times.contains(entry.time) && entry.extent == .rows) }
    }

    @Test("A5 R6 A change set that replaces a backlog has the time of its commit") func backlog() async throws {
        let seconds = Lock(0.0)
        var configuration = RepositoryConfiguration()
        configuration.now = { Date(timeIntervalSince1970: seconds.withLock { $0 }) }
        try await withRepository(.memory, [Note.self], configuration: configuration) { repository in
            let changes = repository.changes(backlog: 1).record(demand: .none)
            for number in 0..<3 {
                seconds.withLock { $0 = Double(number) }
                try await repository.create(Note(id: number, text: "")).value()
            }
            changes.request(.unlimited)
            let set = await changes.values(1).first
            #expect(set?.extent == .unknown(.backlog) && set?.time == Date(timeIntervalSince1970: 2))
            changes.cancel()
        }
    }

    /// A live engine on virtual time, whose connection cannot be opened the first few times.
    private struct Bench {
        let clock = VirtualScheduler()
        let log = CommitLog()
        let queue: Executor
        let engine: LiveEngine
        let attempts = Counter()

        init(failures: Int, _ error: RepositoryError) throws {
            queue = Executor(label: "live", clock: clock)
            let connection = try Memory<Box<Int>>().connection
            // Safe because only the live queue uses it from now on.
            nonisolated(unsafe) let opened = (Session(connection), connection)
            engine = LiveEngine(queue: queue, log: log, source: PatientSource(), ownsSession: false) {
                [attempts] () throws(RepositoryError) in
                guard attempts.add() > failures else { throw error }
                return opened
            }
        }

        /// Waits until the queue has done the work that was submitted before.
        func settled() async {
            // The submitted work may submit a pass.
            for _ in 0..<2 {
                let isIdle = Gate()
                queue.async { isIdle.open() }
                await isIdle.opened()
            }
        }

        /// Closes the engine, which refers to itself until then.
        func closed() async {
            let isClosed = Gate()
            engine.close { isClosed.open() }
            await isClosed.opened()
        }

        /// Attaches a recorder to a live count.
        func count() -> Recorder<Committed<Int>, RepositoryError> {
            let recorder = Recorder<Committed<Int>, RepositoryError>()
            #expect(LiveEngineTests.attach(recorder, LiveQuery { try $0.count(Box<Int>.self) }, engine))
            return recorder
        }
    }

    @Test("A5 R14 The clock measures the pauses before a store is tried again", arguments: [true, false])
    func retries(isLocked: Bool) async throws {
        let error = RepositoryError.busy(Diagnosis(engine: "SQLite", code: "5", message: "locked"))
        let bench = try Bench(failures: 7, isLocked ? error : .closed)
        let recorder = bench.count()
        // A locked store is tried at a fixed pause. After other failures the pause grows.
        let pauses = isLocked ? Array(repeating: 20, count: 7) : [40, 80, 160, 320, 500, 500, 500]
        for (number, pause) in pauses.enumerated() {
            await bench.settled()
            #expect(bench.attempts.value == number + 1 && bench.clock.pendingCount == 1)
            bench.clock.advance(by: .milliseconds(pause - 1))
            await bench.settled()
            #expect(bench.attempts.value == number + 1)
            bench.clock.advance(by: .milliseconds(1))
        }
        #expect(await recorder.values(1) == [Committed(commit: 0, value: 0)])
        #expect(bench.attempts.value == 8 && bench.clock.pendingCount == 0)
        await bench.closed()
    }

    @Test("A5 S34 A cancelled query is forgotten after the pause") func sweep() async throws {
        let bench = try Bench(failures: 0, .closed)
        let recorder = Recorder<Committed<Int>, RepositoryError>()
        let query = LiveQuery { try $0.count(Box<Int>.self) }
        #expect(LiveEngineTests.attach(recorder, query, bench.engine))
        _ = await recorder.values(1)
        recorder.cancel()
        bench.clock.advance(by: .milliseconds(9))
        await bench.settled()
        #expect(bench.engine.statistics.queries == 1)
        bench.clock.advance(by: .milliseconds(1))
        await bench.settled()
        #expect(bench.engine.statistics.queries == 0)
        await bench.closed()
    }
}
