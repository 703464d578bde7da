import Dispatch
import Testing

@testable import RepositoryCore
@testable import SignalRepository
@testable import SignalRepositoryPostgres

/// Commits that a stream keeps: which, how many, and for how long.
@Suite("R4 R14 The commits that a stream keeps") struct StreamLimitsTests {
    private static func reading(_ snapshot: String, _ inserted: UInt64) throws -> SnapshotReading {
        SnapshotReading(
            snapshot: try #require(ServerSnapshot(snapshot)), inserted: WALPosition(inserted), isFlushed: true)
    }

    private static func commit(
        _ transaction: UInt32, end: UInt64 = 10, tables: Set<String> = ["Box"], weight: Int = 1,
        hasNewTables: Bool = false
    ) -> StreamedCommit {
        StreamedCommit(
            transaction: transaction, end: WALPosition(end),
            commit: UnnumberedCommit(tables: .some(tables), rows: .unknown), weight: weight, hasNewTables: hasNewTables)
    }

    private static func relation(
        _ number: UInt32 = 7, name: String = "Box", columns: [String] = ["id", "n"]
    ) -> StreamedRelation {
        StreamedRelation(
            number: number, schema: "public", name: name,
            columns: columns.map { StreamedRelation.Column(name: $0, type: 20) })
    }

    /// The state of an active stream that has reported nothing.
    private static func active(_ snapshot: String = "1:1:", _ inserted: UInt64 = 0) throws -> StreamState {
        var state = StreamState(first: nil)
        state.activate(try reading(snapshot, inserted))
        return state
    }

    // Pending commits.

    @Test("More commits than may be pending, or heavier ones, are too many") func tooMuch() {
        var state = StreamState(first: nil)
        state.pending = Array(repeating: Self.commit(7), count: 100_000)
        state.pendingWeight = 1_000_000
        #expect(!state.isTooFarBehind)
        state.pendingWeight += 1
        #expect(state.isTooFarBehind)
        state.pendingWeight = 0
        state.pending.append(Self.commit(7))
        #expect(state.isTooFarBehind)
    }

    @Test("A commit that everybody has re-read is not reported, nor is one that changed no table")
    func reread() throws {
        var state = try Self.active("7:9:8", 100)
        #expect(state.lastInserted == nil)
        state.add(Self.commit(6, end: 100))
        #expect(state.pending.isEmpty && state.pendingWeight == 0)
        // One ended after the re-read position, and the re-read snapshot did not show the other.
        state.add(Self.commit(6, end: 101, weight: 3))
        state.add(Self.commit(8, end: 90, weight: 4))
        state.add(Self.commit(9, end: 110, tables: []))
        #expect(state.pending.map(\.transaction) == [6, 8] && state.pendingWeight == 7)
        state.recordReread(try Self.reading("7:7:", 200))
        #expect(state.pending.map(\.transaction) == [8] && state.pendingWeight == 4)
        #expect(state.reread?.end == WALPosition(200))
    }

    @Test("Commits that a snapshot shows are taken in order, with their weight, and say once whether a table is new")
    func taken() throws {
        var state = try Self.active()
        state.add(Self.commit(5, tables: ["a"], weight: 2, hasNewTables: true))
        state.add(Self.commit(9, tables: ["b"], weight: 3))
        state.add(Self.commit(6, tables: ["c"], weight: 4))
        let seen = state.take(seenBy: ServerSnapshot("9:9:"))
        #expect(seen.map(\.tables) == [DirtyTables.some(["a"]), .some(["c"])])
        #expect(state.pending.map(\.transaction) == [9] && state.pendingWeight == 3)
        let isNew = [state.takeNewTables(), state.takeNewTables()]
        #expect(isNew == [true, false])
        // Without a snapshot, all commits are taken.
        let rest = state.take(seenBy: nil)
        #expect(rest.map(\.tables) == [DirtyTables.some(["b"])] && state.pending.isEmpty && state.pendingWeight == 0)
        #expect(!state.hasNewTables)
    }

    @Test("Commits not received in time are reported once as unknown, and again if a later snapshot shows more")
    func unheardInTime() throws {
        var state = StreamState(first: nil)
        // Without a stream, nothing that a snapshot shows was received.
        let without = state.take(try Self.reading("7:7:", 100), isReported: true)
        state = try Self.active("5:5:", 50)
        state.hasReaders = true
        state.add(Self.commit(6, end: 80))
        #expect(without.map(\.tables) == [.all])
        let readings: [(snapshot: String, inserted: UInt64, isTold: Bool)] = [
            ("7:7:", 100, true), ("7:7:", 100, false), ("7:7:", 90, false), ("8:8:", 100, true), ("8:8:", 101, true),
            ("8:8:", 101, false), ("7:7:", 102, true),
        ]
        for (snapshot, inserted, isTold) in readings {
            let taken = state.take(try Self.reading(snapshot, inserted), isReported: false)
            #expect(taken.map(\.tables) == (isTold ? [.all] : []), "\(snapshot) \(inserted)")
            #expect(state.pending.isEmpty)
        }
        state.hasReaders = false
        let unread = state.take(try Self.reading("9:9:", 120), isReported: false)
        #expect(unread.isEmpty && state.reread?.end == WALPosition(120))
    }

    // Positions.

    @Test("A thread that waits for a position is woken once it is reached, and a re-read state ends then")
    func positions() throws {
        var state = try Self.active("5:5:", 50)
        let (early, late) = (DispatchSemaphore(value: 0), DispatchSemaphore(value: 0))
        state.waiters[ObjectIdentifier(early)] = (WALPosition(40), early)
        state.waiters[ObjectIdentifier(late)] = (WALPosition(60), late)
        let steps: [(position: UInt64, woken: DispatchSemaphore?, left: Int, isReread: Bool)] = [
            (39, nil, 2, true), (40, early, 1, true), (30, nil, 1, true), (49, nil, 1, true), (50, nil, 1, false),
            (60, late, 0, false),
        ]
        var furthest = WALPosition.zero
        for (position, waiter, left, isReread) in steps {
            let woken = state.reach(WALPosition(position))
            furthest = max(furthest, WALPosition(position))
            #expect(woken.first === waiter && woken.count == (waiter == nil ? 0 : 1), "\(position)")
            #expect(state.waiters.count == left && state.position == furthest, "\(position)")
            #expect(state.reread?.end == (isReread ? WALPosition(50) : nil), "\(position)")
        }
    }

    @Test("A stream that ends forgets its commits and those that wait for it") func ended() throws {
        var state = try Self.active("5:5:", 50)
        let wake = DispatchSemaphore(value: 0)
        state.waiters[ObjectIdentifier(wake)] = (WALPosition(60), wake)
        state.add(Self.commit(7))
        (state.hasNewTables, state.position) = (true, WALPosition(40))
        state.end()
        #expect(!state.isActive && state.reread?.end == nil && state.position == .zero)
        #expect(state.waiters.isEmpty && state.pending.isEmpty && state.pendingWeight == 0 && !state.hasNewTables)
    }

    // When commits are admitted.

    @Test("Without readers, commits are admitted in batches, and without a stream not at all")
    func batches() throws {
        var state = try Self.active()
        for number in 1...255 { state.add(Self.commit(UInt32(number))) }
        #expect(state.pending.count == 255)
        let early = state.scheduleAdmission()
        state.add(Self.commit(256))
        let due = state.scheduleAdmission()
        #expect(early == nil && due != nil)
        var followed = try Self.active()
        followed.hasReaders = true
        let none = followed.scheduleAdmission()
        followed.add(Self.commit(7))
        followed.isActive = false
        let without = followed.scheduleAdmission()
        followed.isActive = true
        let one = followed.scheduleAdmission()
        #expect(none == nil && without == nil && one != nil)
    }

    @Test("An admission begins if something is pending, and then no other is due") func begins() throws {
        var state = try Self.active()
        state.log = CommitLog()
        state.hasReaders = true
        let nothing = state.beginAdmission()
        state.add(Self.commit(7))
        // The attempt before found nothing, so it does not count as an admission.
        let time = state.scheduleAdmission()
        let log = state.beginAdmission()
        let other = state.scheduleAdmission()
        state.isActive = false
        let without = state.beginAdmission()
        #expect(nothing == nil && time != nil && log === state.log && other == nil && without == nil)
    }

    // Tables.

    @Test("An unchanged table stays the same object; a changed or removed one is named")
    func keptTables() throws {
        var state = StreamState(first: nil)
        let first = StreamedTable(Self.relation(), key: [0], version: "1")
        let added = state.keep([7: first])
        let same = state.keep([7: StreamedTable(Self.relation(), key: [0], version: "1")])
        #expect(added.isEmpty && same.isEmpty && state.capture.tables[7] === first && state.tableNames == ["Box"])
        let others = [
            StreamedTable(Self.relation(), key: [0], version: "2"),
            StreamedTable(Self.relation(), key: [1], version: "2"),
            StreamedTable(Self.relation(columns: ["id", "m"]), key: [1], version: "2"),
        ]
        for other in others {
            let changed = state.keep([7: other])
            #expect(changed == ["Box"] && state.capture.tables[7] === other)
        }
        let next = StreamedTable(Self.relation(8, name: "Next"), key: [0], version: "1")
        let gone = state.keep([8: next])
        #expect(gone == ["Box"] && state.tableNames == ["Next"] && state.capture.tables.count == 1)
    }

    @Test("A table of the stream has the classes of its columns, and a key distinguishes its rows")
    func layout() {
        let relation = StreamedRelation(
            number: 7, schema: "public", name: "Box",
            columns: [20, 701, 25, 600].map { StreamedRelation.Column(name: "c\($0)", type: $0) })
        let table = StreamedTable(relation, key: [2, 0], version: "1")
        let keyless = StreamedTable(relation, key: [], version: "1")
        #expect(table.layout.columns.map(\.affinity) == [.blob, .real, .blob, .blob])
        #expect(table.layout.columns.map(\.name) == ["c20", "c701", "c25", "c600"])
        #expect(table.layout.key == [2, 0] && table.layout.isFollowed && !keyless.layout.isFollowed)
        #expect(!table.layout.hasRowID && !table.layout.findsCharacters && table.name == "Box" && table.number == 7)
    }

    @Test("The old values of a key alone are not a row, and a type that no property has may come as text")
    func tuples() throws {
        let relation = StreamedRelation(
            number: 7, schema: "public", name: "Box", columns: [StreamedRelation.Column(name: "p", type: 600)])
        let table = StreamedTable(relation, key: [0], version: "1")
        func deleted(_ letter: Unicode.Scalar) throws -> [SQLValue]? {
            let head = [UInt8(ascii: "D"), 0, 0, 0, 7, UInt8(ascii: letter), 0, 1]
            let bytes = head + [UInt8(ascii: "t"), 0, 0, 0, 2, 0x31, 0x32]
            return try bytes.withUnsafeBytes { bytes in
                guard case .delete(_, let tuple) = try ReplicationMessage(bytes) else { return nil }
                return try table.values(of: tuple)
            }
        }
        #expect(try deleted("O") == [.blob([0x31, 0x32])])
        #expect(try deleted("K") == nil)
    }

    @Test("Unreported tables may have changed if anything was committed, or if they are new")
    func unheardTables() {
        var tables = UnreportedTables()
        tables.read = ["A", "elsewhere.B", "C"]
        #expect(tables.lockable == ["A", "C"])
        let steps: [(unreported: Set<String>, position: Int64, changed: Set<String>)] = [
            (["A"], 5, ["A"]), (["A"], 5, []), (["A", "B"], 5, ["B"]), (["B"], 5, ["A"]), (["B"], 6, ["B"]),
            (["C"], 7, ["B", "C"]), ([], 8, ["C"]), ([], 9, []),
        ]
        for (unreported, position, changed) in steps {
            let taken = tables.take(UnreportedTables.State(unreported: unreported, position: position))
            #expect(taken == changed, "\(unreported) \(position)")
        }
    }

    @Test("A number of a snapshot that is one too large is refused, and a frame says whether it wants a reply")
    func bounds() throws {
        #expect(ServerSnapshot("0:18446744073709551616:") == nil && ServerSnapshot("0:18446744073709551620:") == nil)
        let head = [UInt8(ascii: "k")] + [UInt8](repeating: 0, count: 16)
        for (byte, isWanted) in [(0, false), (1, true)] as [(UInt8, Bool)] {
            try (head + [byte]).withUnsafeBytes { bytes in
                guard case .keepalive(.zero, let requestsReply) = try ReplicationFrame(bytes) else {
                    return #expect(Bool(false))
                }
                #expect(requestsReply == isWanted)
            }
        }
        #expect(throws: ReplicationFault.tooLong) {
            try (head + [0, 0]).withUnsafeBytes { _ = try ReplicationFrame($0) }
        }
    }

    @Test("Each rule can be left out by itself")
    func rules() {
        let rules: [StreamRules] = [.admission, .catchingUp, .fence, .locking, .beginning, .gathering]
        for (left, rule) in rules.enumerated() {
            let rest = StreamRules.all.subtracting(rule)
            for (index, other) in rules.enumerated() {
                #expect(rest.contains(other) == (index != left), "\(left) \(index)")
            }
        }
    }
}
