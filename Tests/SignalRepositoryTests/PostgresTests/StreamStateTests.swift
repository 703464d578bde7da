import Dispatch
import SignalRepository
import Testing

@testable import SignalRepositoryPostgres

/// The times at which the commits of a stream are admitted.
@Suite("R4 The admission of a stream's commits") struct StreamStateTests {
    private static func reading(_ snapshot: String) throws -> SnapshotReading {
        SnapshotReading(snapshot: try #require(ServerSnapshot(snapshot)), inserted: .zero, isFlushed: true)
    }

    /// The state of a stream that has a reader, and that has received some transactions.
    private func state(hearing transactions: UInt32...) throws -> StreamState {
        var state = StreamState(first: nil)
        state.activate(try Self.reading("1:1:"))
        state.hasReaders = true
        for transaction in transactions { hear(transaction, &state) }
        return state
    }

    private func hear(_ transaction: UInt32, _ state: inout StreamState) {
        state.add(
            StreamedCommit(
                transaction: transaction, end: WALPosition(UInt64(transaction)),
                commit: UnnumberedCommit(tables: .some(["Box"]), rows: .unknown), weight: 1, hasNewTables: false))
    }

    /// Whether the next admission is due at once; `nil` when none is.
    private func isDueNow(_ time: DispatchTime?, _ state: StreamState) -> Bool? {
        time.map { _ in state.nextAdmission == nil }
    }

    @Test("A query that came too early is repeated once at once, and then after a pause")
    func misses() throws {
        var state = try state(hearing: 7)
        let (early, late) = (try #require(ServerSnapshot("7:7:")), try #require(ServerSnapshot("9:9:")))
        #expect(isDueNow(state.scheduleAdmission(), state) == true && state.scheduleAdmission() == nil)
        for isAtOnce in [true, false, false] {
            #expect(state.admit(seenBy: early).isEmpty)
            #expect(isDueNow(state.endAdmission(), state) == isAtOnce)
        }
        #expect(state.admit(seenBy: late).count == 1)
        #expect(state.endAdmission() == nil)
        // The next commit is treated in the same way.
        hear(8, &state)
        #expect(isDueNow(state.scheduleAdmission(), state) == true)
        #expect(state.admit(seenBy: early).isEmpty)
        #expect(isDueNow(state.endAdmission(), state) == true)
    }

    @Test("If the query fails, or shows only some commits, it is repeated after a pause")
    func pauses() throws {
        let (early, late) = (try #require(ServerSnapshot("7:9:8")), try #require(ServerSnapshot("9:9:")))
        var state = try state(hearing: 7, 8)
        _ = state.scheduleAdmission()
        for _ in 0..<3 {
            state.failAdmission()
            #expect(isDueNow(state.endAdmission(), state) == false)
        }
        #expect(state.admit(seenBy: early).count == 1)
        #expect(isDueNow(state.endAdmission(), state) == false)
        #expect(state.admit(seenBy: late).count == 1)
        #expect(state.endAdmission() == nil)
    }

    @Test("Commits that a pass takes in its own snapshot do not count as a miss of an admission") func passes() throws {
        var state = try state(hearing: 7)
        _ = state.scheduleAdmission()
        for _ in 0..<3 { #expect(state.take(try Self.reading("7:7:"), isReported: true).isEmpty) }
        #expect(state.take(try Self.reading("8:8:"), isReported: true).count == 1)
        #expect(state.admit(seenBy: ServerSnapshot("8:8:")).isEmpty)
        #expect(state.endAdmission() == nil)
        hear(8, &state)
        _ = state.scheduleAdmission()
        #expect(state.admit(seenBy: ServerSnapshot("8:8:")).isEmpty)
        #expect(isDueNow(state.endAdmission(), state) == true)
    }

    @Test("After an admission of several commits, the next comes after a pause; after one, at once") func crowds()
        throws
    {
        var state = try state(hearing: 7, 8)
        for count in [2, 1, 1] {
            _ = state.scheduleAdmission()
            #expect(state.admit(seenBy: ServerSnapshot("20:20:")).count == count)
            #expect(state.endAdmission() == nil)
            hear(9, &state)
            #expect(isDueNow(state.scheduleAdmission(), state) == (count == 1))
            _ = state.beginAdmission()
        }
    }

    @Test("Each begin and each end raises the epoch") func epochs() throws {
        var state = StreamState(first: nil)
        #expect(state.epoch == 0)
        state.end()
        #expect(state.epoch == 0 && state.run == 1)
        state.activate(try Self.reading("1:1:"))
        #expect(state.epoch == 1 && state.isActive)
        state.end()
        #expect(state.epoch == 2 && state.run == 2 && !state.isActive)
    }

    @Test("After a miss and a failure the query is not repeated at once; a failure with nothing pending delays nothing")
    func failures() throws {
        var missed = try state(hearing: 7)
        _ = missed.scheduleAdmission()
        #expect(missed.admit(seenBy: ServerSnapshot("7:7:")).isEmpty)
        #expect(isDueNow(missed.endAdmission(), missed) == true)
        missed.failAdmission()
        #expect(isDueNow(missed.endAdmission(), missed) == false)
        var empty = try state()
        empty.failAdmission()
        #expect(empty.endAdmission() == nil)
        hear(7, &empty)
        #expect(isDueNow(empty.scheduleAdmission(), empty) == true)
        let isNew = empty.takeNewTables()
        #expect(!isNew)
    }
}
