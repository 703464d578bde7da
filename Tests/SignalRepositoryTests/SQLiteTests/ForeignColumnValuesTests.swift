import Foundation
import Signals
import SignalsTesting
import Testing

@testable import RepositoryCore
@testable import SignalRepository

/// Values in other programs' columns: acknowledged values are read back, and sums refuse all values of other types.
@Suite("Values in other programs' columns", .timeLimit(.minutes(10))) struct ForeignColumnValuesTests {
    @Test("B3 Text that a DATE column turns into a number is refused", arguments: ["DATE", "DATETIME", "TIMESTAMP"])
    func dates(type: String) async throws {
        let folder = try TemporaryFolder()
        let store = try folder.adopt(
            """
            CREATE TABLE Event (id INTEGER PRIMARY KEY, day \(type) NOT NULL, note TEXT);
            INSERT INTO Event VALUES (1, '2024-02-29', '7');
            """, Event.self)
        let numbers = ["20240229", "2024", "007", "1.50", "10.", "1e5", " 5", "-1"]
        let texts = numbers + ["0x10", "2024-02-29 10:00", "", "today"]
        var stored = [Event(id: 1, day: "2024-02-29", note: "7")]
        for (number, text) in texts.enumerated() {
            let (id, item) = (number + 10, Event(id: number + 10, day: text, note: nil))
            do {
                #expect(try await store.create(item).value() == item)
                stored.append(item)
            } catch {
                guard case .encoding("Event", "day", _, let failed) = error else { throw error }
                #expect(failed?.id == "\(id)" && numbers.contains(text), "\(error)")
            }
            #expect(try await store.fetch(Event.all).value() == stored, "\(text)")
        }
        #expect(stored.count == 5)
        await expectFailure(\.isEncoding) { try await store.insert([Event(id: 2, day: "2024", note: nil)]).value() }
        await expectFailure(\.isEncoding) { try await store.upsert(Event(id: 1, day: "2024", note: nil)).value() }
        await expectFailure(\.isEncoding) { try await store.update(Event(id: 1, day: "2024", note: nil)).value() }
        await expectFailure(\.isEncoding) {
            try await store.update(Event.self, id: 1, set: [.set(\.day, to: "2024")]).value()
        }
        await expectFailure(\.isEncoding) {
            try await store.update(Event.self, set: [.set(\.day, to: "2024")]) { _ in .true }.value()
        }
        await expectFailure(\.isEncoding) {
            try await store.update(Event.self, set: [.set(\.day) { $0.note ?? "x" }]) { $0.id == 1 }.value()
        }
        #expect(try await store.create([Event(id: 2, day: "2024", note: nil)]).value().failed.count == 1)
        #expect(try await store.fetch(Event.all).value() == stored)
        await closed(store)
    }

    @Test(
        "B6 A sum over values that the property cannot hold is an error",
        arguments: ["2.5", "'12abc'", "'text'", "x'31'"])
    func sums(value: String) async throws {
        let folder = try TemporaryFolder()
        for type in ["INTEGER", ""] {
            let store = try folder.adopt(
                """
                CREATE TABLE Number (id INTEGER PRIMARY KEY, n \(type) NOT NULL, d NUMERIC);
                INSERT INTO Number VALUES (1, 1, 1), (2, \(value), 1);
                """, Number.self)
            try await expectNoSums(store)
            await closed(store)
        }
    }

    @Test("B6 A sum over a text is an error, even if it looks like a number or the other values overflow")
    func disguised() async throws {
        let folder = try TemporaryFolder()
        let text = try folder.adopt(
            """
            CREATE TABLE Number (id INTEGER PRIMARY KEY, n NOT NULL, d NUMERIC);
            INSERT INTO Number VALUES (1, 1, 1), (2, '12', 1);
            """, Number.self)
        try await expectNoSums(text)
        await closed(text)
        let large = try folder.adopt(
            """
            CREATE TABLE Number (id INTEGER PRIMARY KEY, n INTEGER NOT NULL, d NUMERIC);
            INSERT INTO Number VALUES (1, 9223372036854775807, 1), (2, 9223372036854775807, 1), (3, 'text', 1);
            """, Number.self)
        try await expectNoSums(large)
        await closed(large)
    }

    private func expectNoSums(_ store: SQLiteRepository) async throws {
        await expectFailure(\.isDecoding) { try await store.sum(of: \Number.n).value() }
        await expectFailure(\.isDecoding) { try await store.sumSubscription(of: \Number.n).first().value() }
        await expectFailure(\.isDecoding) { try await store.average(of: \Number.n).value() }
        await expectFailure(\.isDecoding) { try await store.averageSubscription(of: \Number.n).first().value() }
        await expectFailure(\.isDecoding) { try await store.aggregate(.sum, of: \Number.n, groupedBy: \.d).value() }
        await expectFailure(\.isDecoding) {
            try await store.fetch(Number.all.grouped { $0.d }.aggregate { $0.n.sum() }).value()
        }
        await expectFailure(\.isDecoding) {
            try await store.fetch(Number.all.grouped { $0.d }.aggregate { $0.n.average() }).value()
        }
    }

    @Test("B6 Sums of valid values are correct, and so are sums of whole numbers in a NUMERIC column")
    func rightSums() async throws {
        let folder = try TemporaryFolder()
        let store = try folder.adopt(
            """
            CREATE TABLE Number (id INTEGER PRIMARY KEY, n INTEGER NOT NULL, d NUMERIC);
            INSERT INTO Number VALUES (1, 9223372036854775807, 9e18), (2, 1, 9e18), (3, -2, 1.5), (4, 0, NULL);
            """, Number.self)
        #expect(try await store.sum(of: \Number.n).value() == Int.max - 1)
        #expect(try await store.sum(of: \Number.d).value() == 9e18 + 9e18 + 1.5)
        #expect(try await store.sumSubscription(of: \Number.d).first().value() == 9e18 + 9e18 + 1.5)
        #expect(try await store.sum(of: \Number.d) { $0.id < 0 }.value() == 0)
        await closed(store)
    }

    @Test("B6a A Double may be stored as an integer, and every way to read it accepts that")
    func wholeNumbers() async throws {
        let folder = try TemporaryFolder()
        for type in ["NUMERIC(10,2)", "DECIMAL", "REAL"] {
            let store = try folder.adopt(
                """
                CREATE TABLE Number (id INTEGER PRIMARY KEY, n INTEGER NOT NULL, d \(type));
                INSERT INTO Number VALUES (1, 1, 7), (2, 1, 0.99);
                """, Number.self)
            let changes = store.changes().record()
            #expect(try await store.max(of: \Number.d).value() == 7)
            #expect(try await store.min(of: \Number.d).value() == 0.99)
            #expect(try await store.maxSubscription(of: \Number.d).first().value() == 7)
            #expect(try await store.fetch(Number.all.count(groupedBy: \.d)).value().map(\.key) == [0.99, 7])
            try await store.create(Number(id: 3, n: 1, d: 5)).value()
            try await store.update(Number(id: 1, n: 1, d: 8)).value()
            try await store.delete(Number.self, id: 3).value()
            let sets = await changes.values(3)
            #expect(try sets[0].inserted(of: Number.self).map(\.d) == [5])
            #expect(try sets[1].updated(of: Number.self).map(\.old.d) == [7])
            #expect(try sets[1].updated(of: Number.self).map(\.new.d) == [8])
            #expect(try sets[2].deleted(of: Number.self).map(\.d) == [5])
            await closed(store)
        }
    }

    @Test("B6b An upsert into a table with a virtual column stores the item that it returns")
    func virtualColumn() async throws {
        let folder = try TemporaryFolder()
        let store = try folder.adopt(
            """
            CREATE TABLE F (id INTEGER PRIMARY KEY, twice INTEGER GENERATED ALWAYS AS (id * 2), c REAL NOT NULL UNIQUE,
                n INTEGER NOT NULL);
            INSERT INTO F VALUES (3, 1, 1);
            """, Beside.self)
        let item = Beside(id: 3, c: 1, n: 9_007_199_254_740_993)
        #expect(try await store.upsert(item).value() == item)
        #expect(try await store.read(Beside.self, id: 3).value() == item)
        let other = Beside(id: 3, c: 1, n: 9_007_199_254_740_995)
        #expect(try await store.upsert(other, on: [\.c], updating: [\.n]).value() == other)
        #expect(try await store.read(Beside.self, id: 3).value() == other)
        await closed(store)
    }

    @Test("B16 A zero is stored without its sign, and equals the returned one", arguments: [StoreKind.memory, .file])
    func negativeZero(kind: StoreKind) async throws {
        try await withSQLite(kind, [Beside.self]) { store async throws in
            let item = Beside(id: 1, c: -0.0, n: 1)
            for answered in [
                try await store.create(item).value(), try await store.update(item).value(),
                try await store.upsert(item).value(), try await store.upsert([item]).value().success[0],
            ] {
                let stored = try await store.read(Beside.self, id: 1).value()
                #expect(stored.c.sign == .plus && answered == stored)
            }
        }
    }

    @Test("S-M11 A table's conflict clause neither deletes other rows nor hides a broken constraint")
    func conflictClauses() async throws {
        let folder = try TemporaryFolder()
        for clause in ["REPLACE", "IGNORE", "ROLLBACK", "FAIL", "ABORT"] {
            let store = try folder.adopt(
                """
                CREATE TABLE Coded (id INTEGER PRIMARY KEY ON CONFLICT \(clause),
                    code TEXT UNIQUE ON CONFLICT \(clause));
                INSERT INTO Coded VALUES (1, 'a'), (2, 'b');
                """, Coded.self)
            let before = try await store.fetch(Coded.all).value()
            await expectFailure(\.isConstraint) { try await store.create(Coded(id: 1, code: "z")).value() }
            await expectFailure(\.isConstraint) { try await store.create(Coded(id: 3, code: "a")).value() }
            await expectFailure(\.isConstraint) { try await store.update(Coded(id: 2, code: "a")).value() }
            await expectFailure(\.isConstraint) { try await store.upsert(Coded(id: 2, code: "a")).value() }
            await expectFailure(\.isConstraint) { try await store.insert([Coded(id: 3, code: "a")]).value() }
            await expectFailure(\.isConstraint) {
                try await store.update(Coded.self, set: [.set(\.code, to: "a")]) { _ in .true }.value()
            }
            #expect(try await store.fetch(Coded.all).value() == before, "\(clause)")
            #expect(try await store.upsert(Coded(id: 2, code: "c")).value().code == "c")
            await closed(store)
        }
    }

    @Test("S-M11 The statements of a trigger keep their own conflict clauses")
    func triggerClauses() async throws {
        let folder = try TemporaryFolder()
        let trigger = """
            CREATE TABLE Log (code TEXT PRIMARY KEY, times INTEGER);
            CREATE TRIGGER logged AFTER INSERT ON Coded BEGIN INSERT OR REPLACE INTO Log VALUES (new.code, new.id); END;
            """
        let store = try folder.adopt("CREATE TABLE Coded (id INTEGER PRIMARY KEY, code TEXT);" + trigger, Coded.self)
        try await store.create(Coded(id: 1, code: "a")).value()
        try await store.create(Coded(id: 2, code: "a")).value()
        #expect(try await store.count(Coded.self).value() == 2)
        await closed(store)
        // Both cannot work: the conflict clause of a statement applies to its triggers too.
        #expect(throws: RepositoryError.self) {
            try folder.adopt(
                "CREATE TABLE Coded (id INTEGER PRIMARY KEY, code TEXT UNIQUE ON CONFLICT REPLACE);" + trigger,
                Coded.self)
        }
    }
}

private struct Event: Entity, Equatable {
    let id: Int
    var day: String
    var note: String?
    static let schema = Schema(
        Column("id", \Event.id), Column("day", \.day), Column("note", \.note), make: Event.init)
}

private struct Number: Entity, Equatable {
    let id: Int
    var n: Int
    var d: Double?
    static let schema = Schema(Column("id", \Number.id), Column("n", \.n), Column("d", \.d), make: Number.init)
}

private struct Beside: Entity, Equatable {
    let id: Int
    var c: Double
    var n: Int
    static let entityName = "F"
    static let schema = Schema(
        Column("id", \Beside.id), Column("c", \.c, .unique), Column("n", \.n), make: Beside.init)
}

private struct Coded: Entity, Equatable {
    let id: Int
    var code: String?
    static let schema = Schema(Column("id", \Coded.id), Column("code", \.code), make: Coded.init)
}
