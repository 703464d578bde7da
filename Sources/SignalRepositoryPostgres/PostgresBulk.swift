import CPostgres
import SignalRepository

/// Items that are stored in blocks, in a savepoint for each, so that the transaction goes on where one fails.
///
/// Of a whole bulk, the rows are sent by COPY as they come. If the server refuses a block, it is done once more by a
/// pipeline of statements, whose first failure tells which item it was: the text of an error is never read for it.
///
/// Where items fail for themselves, a block is one statement over arrays of their values. One that fails is done again
/// in halves, and the last of them by a pipeline with a savepoint for each item.
final class PostgresBulk: StoreBulk {
    /// How many rows a statement over arrays stores: at most, and where its halves end.
    private static let (mostInArrays, fewestInArrays) = (256, 32)
    /// How many rows are not worth a COPY.
    private static let fewInCopy = 8
    /// The rows, and the bytes of them, that are kept until the server has taken them.
    private static let (mostInCopy, mostBytes) = (10_000, 8 << 20)
    /// The bytes that are sent at once.
    private static let portion = 1 << 16

    private let connection: PostgresConnection
    private let isWhole: Bool
    private let kind: FixedStatement
    private let single: PostgresStatement
    private let arrays: PostgresStatement?
    /// Finds the first row that a trigger has removed again, and the columns of the key; `nil` without triggers.
    private let missing: (statement: PostgresStatement, key: [Int])?
    private let copyText: String
    private let parameters: Parameters
    private var rows = CopyRows()
    /// How many rows of the block the server has taken already.
    private var takenCount = 0
    /// How many bytes of the rows are sent; `nil` while none is.
    private var sent: Int?
    /// Why a block that was interrupted cannot go on.
    private var failure: BulkFailure?
    private var error: RepositoryError?
    private var keys: GeneratedKeys?
    /// Whether there is the savepoint of a statement over arrays.
    private var hasSavepoint = false
    /// How many blocks in succession did not go as one.
    private var refusedCount = 0

    /// Prepares to store items; `nil` where no array is made of a column's type, or where a trigger may change them.
    init?<Item: Entity>(
        _ kind: FixedStatement, of entity: Item.Type, isWhole: Bool, on connection: PostgresConnection
    ) throws(RepositoryError) {
        let schema = Item.schema
        let text = try connection.dialect.fixed(kind, of: entity)
        guard let single = try connection.prepared(text) as? PostgresStatement else { return nil }
        guard isWhole || kind == .delete || single.writtenByTriggers.isEmpty else { return nil }
        guard !kind.isUpsert || connection.dialect.canUseExcluded(in: Item.entityName) else { return nil }
        let types = single.parameterTypes.compactMap { Self.typeNames[$0] }
        let columns = kind == .delete ? try schema.key.names : schema.writtenNames
        guard types.count == columns.count else { return nil }
        if isWhole {
            arrays = nil
        } else {
            let source: SQLText = "SELECT * FROM unnest(\(Self.arrays(of: types)))"
            let text = try Self.statement(kind, of: entity, columns, source, connection.dialect)
            arrays = try connection.prepared(text, parameterCount: types.count)
        }
        if isWhole, !single.writtenByTriggers.isEmpty {
            let key = try schema.key.names.compactMap { schema.writtenNames.firstIndex(of: $0) }
            let text = try Self.missing(entity, types: key.map { types[$0] })
            missing = (try connection.prepared(text, parameterCount: key.count), key)
        } else {
            missing = nil
        }
        (self.connection, self.kind, self.isWhole, self.single) = (connection, kind, isWhole, single)
        parameters = Parameters(count: types.count)
        let table = Identifier.quoted(Item.entityName)
        copyText = "COPY \(table) (\(Identifier.list(schema.writtenNames))) FROM STDIN (FORMAT binary)"
        let isNew = kind == .insert || kind == .upsert
        keys = isNew ? GeneratedKeys(of: entity, replacing: kind.isUpsert) : nil
    }

    var target: RowTarget { parameters.target }

    var isFull: Bool {
        isWhole ? rows.count >= Self.mostInCopy || rows.byteCount >= Self.mostBytes : rows.count >= Self.mostInArrays
    }

    func nextKey(of count: () -> Int) throws(RepositoryError) -> Int64 {
        try keys?.next(of: count, on: connection) ?? 0
    }

    func add() throws(RepositoryError) {
        for value in parameters.values { try connection.check(value) }
        if let index = keys?.index { keys?.note(parameters.values[index]) }
        rows.append(parameters.values)
        guard isWhole, failure == nil, error == nil, rows.byteCount - (sent ?? 0) >= Self.portion else { return }
        do throws(RepositoryError) {
            try send()
        } catch {
            // Nothing else can be stored on the connection; the end of the block has this error.
            self.error = error
            throw error
        }
    }

    func store() throws(RepositoryError) -> [BulkFailure] {
        defer { takenCount = 0 }
        let failures = isWhole ? try storeWhole() : try storeEach(0..<rows.count)
        rows.removeAll()
        if hasSavepoint {
            hasSavepoint = false
            try connection.run("RELEASE SAVEPOINT bulk")
        }
        if failures.isEmpty || !isWhole { try keys?.moveSequence(on: connection) }
        return failures
    }
}

// A whole bulk.
extension PostgresBulk {
    private func storeWhole() throws(RepositoryError) -> [BulkFailure] {
        if let error { throw error }
        if failure == nil, rows.count > 0 {
            if sent == nil, rows.count <= Self.fewInCopy {
                failure = try pipeline(0..<rows.count, hasSavepoints: false).first
                if failure == nil { failure = try removed() }
                if failure == nil { connection.note(changes: rows.count) }
            } else {
                try send()
                try finish()
            }
        }
        return failure.map { [$0] } ?? []
    }

    private func send() throws(RepositoryError) {
        connection.interrupted = nil
        let handle = try connection.open()
        if sent == nil {
            let text = "SAVEPOINT bulk; " + copyText
            guard PQsendQuery(handle, text) != 0 else { throw connection.lost(text) }
            PQclear(try connection.answer(handle, text))
            try put(CopyRows.header[...], handle)
            sent = 0
        }
        connection.interrupted = { [unowned self] in interrupt() }
        try put(rows.bytes(from: sent ?? 0), handle)
        sent = rows.byteCount
    }

    private func put(_ bytes: ArraySlice<UInt8>, _ handle: OpaquePointer) throws(RepositoryError) {
        // A server that waits for a lock, or is frozen, takes nothing: the work can be cancelled then.
        try send(to: handle) {
            bytes.withUnsafeBytes { raw in
                PQputCopyData(handle, raw.baseAddress?.assumingMemoryBound(to: CChar.self), Int32(raw.count))
            }
        }
    }

    /// Has libpq take something, which returns 0 until there is room for it, and sends that.
    private func send(to handle: OpaquePointer, _ take: () -> Int32) throws(RepositoryError) {
        guard PQsetnonblocking(handle, 1) == 0 else { throw connection.lost(copyText) }
        defer { PQsetnonblocking(handle, 0) }
        var isTaken: Int32
        repeat {
            isTaken = take()
            guard isTaken >= 0 else { throw connection.lost(copyText) }
            try connection.flush(handle, copyText)
        } while isTaken == 0
    }

    /// Ends the block, because something else is asked of the connection between two items.
    private func interrupt() {
        do throws(RepositoryError) {
            try send()
            try finish()
            takenCount += rows.count
            rows.removeAll()
        } catch {
            self.error = error
        }
    }

    /// Ends the COPY; where it is refused, or a trigger has left rows out, the rows are sent one by one.
    private func finish() throws(RepositoryError) {
        connection.interrupted = nil
        sent = nil
        let handle = try connection.open()
        try put(CopyRows.end[...], handle)
        try send(to: handle) { PQputCopyEnd(handle, nil) }
        var isStored = false
        do throws(RepositoryError) {
            let result = try connection.answer(handle, copyText)
            isStored = PQcmdTuples(result).flatMap { Int(String(cString: $0)) } == rows.count
            PQclear(result)
        } catch {
            guard connection.isOpen, error.liesInRow else { throw error }
        }
        try connection.run(isStored ? "RELEASE SAVEPOINT bulk" : "ROLLBACK TO SAVEPOINT bulk")
        if !isStored { failure = try pipeline(0..<rows.count, hasSavepoints: false).first }
        if failure == nil { failure = try removed() }
        if failure == nil { connection.note(changes: rows.count) }
    }
}

// Rows that triggers remove.
extension PostgresBulk {
    /// The first row of a block that is stored no longer.
    private func removed() throws(RepositoryError) -> BulkFailure? {
        guard let missing else { return nil }
        missing.statement.reset()
        let arrays = rows.arrays(of: 0..<rows.count, types: single.parameterTypes)
        try missing.statement.bind(missing.key.map { .blob(arrays[$0]) })
        let index = try missing.statement.first { row throws(RepositoryError) in
            try row.read(0) { cell in try cell.integer() }
        }
        return index.map { BulkFailure(index: takenCount + Int($0) - 1, error: nil) }
    }
}

// Items that fail for themselves.
extension PostgresBulk {
    private func storeEach(_ range: Range<Int>) throws(RepositoryError) -> [BulkFailure] {
        guard !range.isEmpty else { return [] }
        // After a few, a block is not expected to go as one.
        if range.count > 1, refusedCount < 3 {
            if try storeAtOnce(range) {
                refusedCount = 0
                return []
            }
            if range.count == rows.count { refusedCount += 1 }
            if range.count > Self.fewestInArrays {
                let middle = range.lowerBound + range.count / 2
                return try storeEach(range.lowerBound..<middle) + storeEach(middle..<range.upperBound)
            }
        }
        try connection.run("SAVEPOINT items")
        let failures = try pipeline(range, hasSavepoints: true)
        try connection.run("RELEASE SAVEPOINT items")
        connection.note(changes: range.count - failures.count)
        if failures.isEmpty, range.count == rows.count { refusedCount = 0 }
        return failures
    }

    /// Stores rows with one statement; false, and nothing stored, when one of them is refused.
    private func storeAtOnce(_ range: Range<Int>) throws(RepositoryError) -> Bool {
        guard let arrays else { return false }
        arrays.reset()
        try arrays.bind(rows.arrays(of: range, types: single.parameterTypes).map { .blob($0) })
        do throws(RepositoryError) {
            let count = try runInSavepoint(arrays)
            // Of one that is only its key nothing is updated.
            if kind == .upsert || count == range.count {
                connection.note(changes: range.count)
                return true
            }
        } catch {
            guard connection.isOpen, error.liesInRow else { throw error }
        }
        try connection.run("ROLLBACK TO SAVEPOINT bulk")
        return false
    }

    /// Executes a statement in a savepoint, which replaces the last one, in one round trip; returns what it changed.
    private func runInSavepoint(_ statement: PostgresStatement) throws(RepositoryError) -> Int {
        let handle = try connection.open()
        guard PQenterPipelineMode(handle) == 1 else { throw connection.lost(statement.sql) }
        defer { PQexitPipelineMode(handle) }
        let steps = (hasSavepoint ? ["RELEASE SAVEPOINT bulk"] : []) + ["SAVEPOINT bulk"]
        var isSent = true
        for step in steps { isSent = isSent && PQsendQueryParams(handle, step, 0, nil, nil, nil, nil, 1) == 1 }
        isSent =
            isSent
            && statement.parameters.withBytes { values, lengths, formats in
                PQsendQueryPrepared(
                    handle, statement.name, Int32(statement.parameters.count), values, lengths, formats, 1) == 1
            }
        guard isSent, PQpipelineSync(handle) == 1 else { throw connection.lost(statement.sql) }
        hasSavepoint = true
        var (count, error): (Int, RepositoryError?) = (0, nil)
        for _ in 0...steps.count {
            guard let result = connection.nextResult(handle) else { throw connection.lost(statement.sql) }
            defer { PQclear(result) }
            switch PQresultStatus(result) {
            case PGRES_COMMAND_OK, PGRES_TUPLES_OK:
                count = PQcmdTuples(result).flatMap { Int(String(cString: $0)) } ?? 0
            case PGRES_PIPELINE_ABORTED: break
            default: error = error ?? connection.failure(result, statement.sql)
            }
            while let more = connection.nextResult(handle) { PQclear(more) }
        }
        PQclear(connection.nextResult(handle))
        if let error { throw error }
        return count
    }
}

// One statement for each row, without waiting for each answer.
extension PostgresBulk {
    /// How many statements are on the way at once: their answers have to fit into what the operating system keeps.
    private static let mostOnTheWay = 64

    /// Stores rows one by one; without savepoints up to the first failure.
    private func pipeline(_ range: Range<Int>, hasSavepoints: Bool) throws(RepositoryError) -> [BulkFailure] {
        var failures: [BulkFailure] = []
        var next = range.lowerBound
        while next < range.upperBound {
            let portion = next..<min(next + Self.mostOnTheWay, range.upperBound)
            let ignored = try send(portion, hasSavepoints)
            failures += ignored.indexes.map { BulkFailure(index: takenCount + $0, error: nil) }
            guard let (index, error) = ignored.refused else {
                if !hasSavepoints, !failures.isEmpty { return failures }
                next = portion.upperBound
                continue
            }
            guard connection.isOpen, error.liesInRow else { throw error }
            failures.append(BulkFailure(index: takenCount + index, error: error))
            guard hasSavepoints else { return failures }
            try connection.run("ROLLBACK TO SAVEPOINT item")
            next = index + 1
        }
        return failures
    }

    /// Sends rows and reads the answers, up to the first failure; returns which rows changed nothing.
    private func send(
        _ portion: Range<Int>, _ hasSavepoints: Bool
    ) throws(RepositoryError) -> (indexes: [Int], refused: (Int, RepositoryError)?) {
        let handle = try connection.open()
        guard PQenterPipelineMode(handle) == 1 else { throw connection.lost(single.sql) }
        defer { PQexitPipelineMode(handle) }
        for row in portion {
            var isSent = true
            if hasSavepoints { isSent = PQsendQueryParams(handle, "SAVEPOINT item", 0, nil, nil, nil, nil, 1) == 1 }
            isSent =
                isSent
                && rows.withFields(of: row) { values, lengths, formats in
                    PQsendQueryPrepared(handle, single.name, Int32(lengths.count), values, lengths, formats, 1) == 1
                }
            guard isSent else { throw connection.lost(single.sql) }
        }
        guard PQpipelineSync(handle) == 1 else { throw connection.lost(single.sql) }
        var (ignored, refused): ([Int], (Int, RepositoryError)?) = ([], nil)
        for row in portion {
            for step in 0..<(hasSavepoints ? 2 : 1) {
                guard let result = connection.nextResult(handle) else { throw connection.lost(single.sql) }
                defer { PQclear(result) }
                switch PQresultStatus(result) {
                case PGRES_COMMAND_OK, PGRES_TUPLES_OK:
                    let isStatement = step == 1 || !hasSavepoints
                    if isStatement, kind != .upsert, PQcmdTuples(result).map({ $0.pointee == 0x30 }) == true {
                        ignored.append(row)
                    }
                case PGRES_PIPELINE_ABORTED: break
                default: refused = refused ?? (row, connection.failure(result, single.sql))
                }
                // The end of the statement's results.
                while let more = connection.nextResult(handle) { PQclear(more) }
            }
        }
        // The answer to the synchronization.
        PQclear(connection.nextResult(handle))
        return (ignored, refused)
    }
}

extension RepositoryError {
    /// Whether the server refused what a row holds: without that row, the others can be stored.
    fileprivate var liesInRow: Bool {
        switch self {
        case .constraint, .encoding, .overflow, .tooBig, .misuse: true
        // A statement that would change a row twice, among others.
        case .unexpected: true
        default: false
        }
    }
}
