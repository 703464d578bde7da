import Testing

@testable import RepositoryCore
@testable import SignalRepository
@testable import SignalRepositoryPostgres

/// The messages of a stream, one transaction after another, and the commits that they make.
private struct Wire {
    var capture = StreamCapture()
    private var transactions = StreamedTransactions()

    /// Announces two known tables, `A` and `B`, with the numbers 1 and 2.
    init(_ interest: CaptureInterest, key: [Int] = [0]) throws {
        (capture.interest, capture.version) = (interest, 3)
        for (number, name) in [(1, "A"), (2, "B")] as [(UInt32, String)] {
            let table = StreamedTable(Self.relation(number, name), key: key, version: "1")
            capture.tables[number] = table
            try send(.relation(table.relation))
        }
    }

    static func relation(_ number: UInt32, _ name: String, columns: [String] = ["id", "n"]) -> StreamedRelation {
        StreamedRelation(
            number: number, schema: "public", name: name,
            columns: columns.map { StreamedRelation.Column(name: $0, type: 20) })
    }

    var isInTransaction: Bool { transactions.isInTransaction }
    var commitCount: Int { transactions.commitCount }

    @discardableResult
    mutating func send(_ message: ReplicationMessage) throws -> StreamedCommit? {
        let capture = capture
        return try transactions.take(message) { capture }
    }

    private mutating func send(_ letter: Unicode.Scalar, _ table: UInt32, _ parts: [UInt8]) throws {
        let (bytes, capture) = ([UInt8(ascii: letter)] + Self.bytes(table) + parts, capture)
        let commit = try bytes.withUnsafeBytes { bytes in
            try transactions.take(ReplicationMessage(bytes)) { capture }
        }
        #expect(commit?.transaction == nil)
    }

    mutating func insert(_ table: UInt32, _ row: (Int64, Int64)) throws {
        try send("I", table, Self.tuple("N", row))
    }

    /// Sends an update: without `old` the key is unchanged; `kind` says whether `old` is a whole row or a key alone.
    mutating func update(
        _ table: UInt32, _ old: (Int64, Int64)?, _ new: (Int64, Int64), _ kind: Unicode.Scalar = "O"
    ) throws {
        try send("U", table, (old.map { row in Self.tuple(kind, row) } ?? []) + Self.tuple("N", new))
    }

    mutating func delete(_ table: UInt32, _ row: (Int64, Int64), _ kind: Unicode.Scalar = "O") throws {
        try send("D", table, Self.tuple(kind, row))
    }

    mutating func commit(_ end: UInt64 = 50) throws -> StreamedCommit {
        let commit = try send(.commit(end: WALPosition(end)))
        return try #require(commit)
    }

    private static func bytes<Number: FixedWidthInteger>(_ number: Number) -> [UInt8] {
        withUnsafeBytes(of: number.bigEndian) { Array($0) }
    }

    private static func tuple(_ letter: Unicode.Scalar, _ row: (Int64, Int64)) -> [UInt8] {
        let fields = [row.0, row.1].flatMap { [UInt8(ascii: "b")] + bytes(UInt32(8)) + bytes($0) }
        return [UInt8(ascii: letter)] + bytes(UInt16(2)) + fields
    }
}

extension StreamedCommit {
    /// The rows of a table, each as its second column was and is; `nil` if they are unknown.
    fileprivate func rows(_ table: String) -> [String]? {
        switch commit.rows.changes(of: table) {
        case nil: nil
        case .nothing?: []
        case .rows(let changes)?: changes.changes.map { "\(Self.last($0.old))>\(Self.last($0.new))" }
        }
    }

    private static func last(_ row: [SQLValue]?) -> String {
        guard case .integer(let number)? = row?.last else { return "-" }
        return "\(number)"
    }

    fileprivate var isUnclear: Bool { if case .unknown = commit.rows { true } else { false } }
    fileprivate var isNotCaptured: Bool { if case .notCaptured = commit.rows { true } else { false } }
}

@Suite("R14 The commits that the messages of a stream make") struct StreamedTransactionsTests {
    @Test("The rows of several tables come in order, with their old values and the transaction")
    func rows() throws {
        var wire = try Wire(.all)
        for (number, end) in [(7, 50), (8, 60)] as [(UInt32, UInt64)] {
            try wire.send(.begin(transaction: number))
            #expect(wire.isInTransaction)
            try wire.insert(1, (1, 10))
            try wire.insert(2, (1, 20))
            try wire.update(1, (1, 10), (1, 11))
            try wire.delete(2, (2, 5))
            try wire.insert(1, (2, 12))
            try wire.update(2, (3, 6), (4, 7))
            let commit = try wire.commit(end)
            #expect(commit.rows("A") == ["->11", "->12"] && commit.rows("B") == ["->20", "5>-", "6>-", "->7"])
            // A row that gets another key counts as two.
            #expect(commit.weight == 7)
            #expect(commit.transaction == number && commit.end == WALPosition(end) && !commit.hasNewTables)
            #expect(commit.commit.tables == DirtyTables.some(["A", "B"]) && commit.commit.author == nil)
            #expect(commit.commit.captureVersion == 3 && !wire.isInTransaction)
        }
        #expect(wire.commitCount == 2)
    }

    @Test("The rows to capture are those that were wanted when the transaction began")
    func capturedVersion() throws {
        var wire = try Wire(.all)
        try wire.send(.begin(transaction: 7))
        (wire.capture.version, wire.capture.interest) = (4, .none)
        try wire.insert(1, (1, 10))
        let commit = try wire.commit()
        #expect(commit.commit.captureVersion == 3 && commit.rows("A") == ["->10"])
        try wire.send(.begin(transaction: 8))
        try wire.insert(1, (1, 10))
        let next = try wire.commit()
        #expect(next.commit.captureVersion == 4 && next.isNotCaptured)
        #expect(next.commit.tables == DirtyTables.some(["A"]) && next.weight == 0 && !next.hasNewTables)
    }

    @Test("Rows that are merely useful are kept up to their budget, for each table separately", arguments: [3, 4])
    func usefulBudget(count: Int) throws {
        var wire = try Wire(.useful(["A", "B"]))
        (wire.capture.usefulBudget, wire.capture.neededBudget) = (3, 0)
        try wire.send(.begin(transaction: 7))
        for number in 1...3 {
            for table in [UInt32(1), 2] { try wire.insert(table, (Int64(number), 0)) }
        }
        for number in 3..<count { try wire.insert(1, (Int64(number + 1), 0)) }
        let commit = try wire.commit()
        #expect(commit.rows("B")?.count == 3 && commit.rows("A")?.count == (count > 3 ? nil : 3))
        #expect(commit.commit.rows.count == (count > 3 ? 3 : 6) && commit.weight == 6)
        #expect(commit.commit.tables == DirtyTables.some(["A", "B"]))
    }

    @Test("Of a table whose rows are all needed, more are kept; beyond that budget, the rows are unknown")
    func neededBudget() throws {
        for count in [2, 3] {
            var wire = try Wire(.tables(["A"]).union(.useful(["B"])))
            (wire.capture.usefulBudget, wire.capture.neededBudget) = (1, 2)
            try wire.send(.begin(transaction: 7))
            for number in 1...count { try wire.insert(1, (Int64(number), 0)) }
            // Too many rows, which does no harm, because they are not needed.
            for number in 1...2 { try wire.insert(2, (Int64(number), 0)) }
            let commit = try wire.commit()
            #expect(commit.isUnclear == (count == 3))
            #expect(commit.rows("A")?.count == (count == 3 ? nil : 2) && commit.rows("B") == nil)
        }
    }

    @Test("A changed table that nobody follows is reported without rows, and the others with theirs")
    func others() throws {
        var wire = try Wire(.useful(["B", "C"]))
        try wire.send(.begin(transaction: 7))
        try wire.insert(1, (1, 10))
        try wire.insert(2, (1, 20))
        try wire.insert(1, (2, 10))
        try wire.insert(2, (2, 21))
        let commit = try wire.commit()
        #expect(commit.rows("A") == nil && commit.rows("B") == ["->20", "->21"] && commit.rows("C") == [])
        #expect(commit.commit.tables == DirtyTables.some(["A", "B"]) && commit.commit.rows.count == 2)
        #expect(commit.weight == 2 && !commit.hasNewTables)
    }

    @Test("After a change without known rows, none of the table's rows are known, from before it or after it")
    func lost() throws {
        let changes: [(inout Wire) throws -> Void] = [
            { wire in try wire.update(1, nil, (1, 11)) },
            { wire in try wire.update(1, (1, 10), (1, 11), "K") },
            { wire in try wire.delete(1, (1, 10), "K") },
            { wire in _ = try wire.send(.truncate(tables: [1])) },
        ]
        for change in changes {
            var wire = try Wire(.useful(["A", "B"]))
            try wire.send(.begin(transaction: 7))
            try wire.insert(1, (1, 10))
            try wire.insert(2, (1, 20))
            try change(&wire)
            try wire.insert(1, (2, 12))
            try wire.insert(1, (3, 13))
            try wire.insert(2, (2, 21))
            try wire.insert(1, (4, 14))
            let commit = try wire.commit()
            #expect(commit.rows("A") == nil && commit.rows("B") == ["->20", "->21"])
            #expect(commit.commit.rows.count == 2 && commit.commit.tables == DirtyTables.some(["A", "B"]))
            // In the next transaction, the rows are known again.
            try wire.send(.begin(transaction: 8))
            try wire.update(1, (1, 11), (1, 12))
            let next = try wire.commit()
            #expect(next.rows("A") == ["11>12"] && next.commit.tables == DirtyTables.some(["A"]))
        }
    }

    @Test("Each table of a TRUNCATE has changed, whatever is known about it")
    func truncated() throws {
        var wire = try Wire(.useful(["A", "B"]))
        try wire.send(.relation(Wire.relation(9, "New")))
        try wire.send(.begin(transaction: 7))
        try wire.insert(1, (1, 10))
        try wire.send(.truncate(tables: [2, 1, 9]))
        let commit = try wire.commit()
        #expect(commit.commit.tables == DirtyTables.some(["A", "B", "New"]) && commit.commit.rows.count == 0)
        #expect(commit.rows("A") == nil && commit.rows("B") == nil)
    }

    @Test("A new table, or one with other columns than before, must be queried again, and its rows are unknown")
    func altered() throws {
        let relations = [Wire.relation(1, "A", columns: ["id", "m"]), Wire.relation(9, "New"), Wire.relation(1, "Z")]
        for (relation, name) in zip(relations, ["A", "New", "A"]) {
            var wire = try Wire(.all)
            try wire.send(.type)
            try wire.send(.relation(relation))
            try wire.send(.begin(transaction: 7))
            for number in 1...2 { try wire.insert(relation.number, (Int64(number), 10)) }
            let commit = try wire.commit()
            #expect(commit.hasNewTables && commit.isUnclear && commit.weight == 0)
            #expect(commit.commit.tables == DirtyTables.some([name]))
        }
    }

    @Test("The rows of a table without a key are unknown, and those of other tables are known")
    func keyless() throws {
        var wire = try Wire(.useful(["A", "B"]), key: [])
        wire.capture.tables[2] = StreamedTable(Wire.relation(2, "B"), key: [0], version: "1")
        try wire.send(.begin(transaction: 7))
        try wire.insert(1, (1, 10))
        try wire.insert(2, (1, 20))
        let commit = try wire.commit()
        #expect(commit.rows("A") == nil && commit.rows("B") == ["->20"] && !commit.hasNewTables)
        #expect(commit.commit.tables == DirtyTables.some(["A", "B"]) && commit.weight == 1)
    }

    @Test("The author is the one that a message of this library names in the transaction")
    func authors() throws {
        var wire = try Wire(.none)
        func name(_ text: String, _ prefix: String, _ isTransactional: Bool, _ wire: inout Wire) throws {
            try Array(text.utf8).withUnsafeBytes { bytes in
                _ = try wire.send(.message(isTransactional: isTransactional, prefix: prefix, content: bytes))
            }
        }
        let prefix = PostgresConnection.authorPrefix
        try name("before", prefix, true, &wire)
        try wire.send(.begin(transaction: 7))
        try name("at once", prefix, false, &wire)
        try name("other", "signal_repository", true, &wire)
        try wire.send(.origin)
        let nobody = try wire.commit()
        #expect(nobody.commit.author == nil && nobody.commit.tables.isEmpty)
        try wire.send(.begin(transaction: 8))
        try name("Ann", prefix, true, &wire)
        let somebody = try wire.commit()
        try wire.send(.begin(transaction: 9))
        let next = try wire.commit()
        #expect(somebody.commit.author == "Ann" && next.commit.author == nil)
    }

    @Test("A row or an end without a beginning is refused")
    func outside() throws {
        var wire = try Wire(.all)
        func fault(_ body: (inout Wire) throws -> Void) -> ReplicationFault? {
            do {
                try body(&wire)
                return nil
            } catch {
                return error as? ReplicationFault
            }
        }
        let end = fault { wire in _ = try wire.send(.commit(end: .zero)) }
        let row = fault { wire in try wire.insert(1, (1, 10)) }
        let stranger = fault { wire in try wire.delete(9, (1, 10)) }
        #expect([end, row, stranger] == [.badValue, .badValue, .badValue])
        // A table emptied outside of a transaction belongs to none.
        let truncation = fault { wire in _ = try wire.send(.truncate(tables: [1])) }
        #expect(truncation == nil)
        try wire.send(.begin(transaction: 7))
        let commit = try wire.commit()
        let again = fault { wire in _ = try wire.send(.commit(end: .zero)) }
        #expect(again == .badValue && commit.commit.tables.isEmpty && wire.commitCount == 1)
    }

    @Test("A table that is altered in the middle of a transaction must be queried again, though its rows are left out")
    func alteredMeanwhile() throws {
        var wire = try Wire(.useful(["B"]))
        try wire.send(.begin(transaction: 7))
        try wire.insert(1, (1, 10))
        try wire.insert(2, (1, 20))
        try wire.send(.relation(Wire.relation(1, "A", columns: ["id", "m"])))
        try wire.insert(1, (2, 10))
        let commit = try wire.commit()
        #expect(commit.hasNewTables && commit.rows("A") == nil && commit.rows("B") == ["->20"])
    }
}
