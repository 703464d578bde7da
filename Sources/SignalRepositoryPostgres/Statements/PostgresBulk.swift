import CPostgres
import RepositoryCore

/// A bulk write that stores items in blocks, and identifies an item that the server rejects.
///
/// In an atomic bulk write, COPY sends the rows as the caller adds them, in a savepoint. If the server rejects a block,
/// the block is rolled back and repeated as a pipeline of single statements. The first failure in the pipeline
/// identifies the item. The text of an error is never parsed.
///
/// If items may fail individually, one statement stores a block from arrays of the items' values, in a savepoint. If
/// the statement fails, each half of the block is tried. The smallest halves are stored by a pipeline with a savepoint
/// for each item.
final class PostgresBulk: BulkWriter {
    /// The most rows of a statement over arrays, and the number of rows at which a block is not halved further.
    private static let (mostInArrays, fewestInArrays) = (256, 32)
    /// The largest number of rows for which a COPY is not worthwhile.
    private static let fewInCopy = 8
    /// The largest number of rows, and of their bytes, in a COPY; memory holds them until the server has stored them.
    private static let (mostInCopy, maxBytes) = (10_000, 8 << 20)
    /// The number of unsent bytes at which the bulk write sends rows.
    private static let sendSize = 1 << 16

    private let connection: PostgresConnection
    private let isAtomic: Bool
    private let kind: FixedStatement
    private let single: PostgresStatement
    private let arrays: PostgresStatement?
    /// The query for the first of a block's rows that a trigger has removed, and the positions of the key's columns.
    ///
    /// It is `nil` if the table has no triggers, or if items may fail individually.
    private let missing: (statement: PostgresStatement, key: [Int])?
    private let copyText: String
    private let parameters: Parameters
    private var rows = CopyRows()
    private(set) var isFull = false
    /// The number of the block's rows that were stored early (see `interrupt()`), and that `rows` no longer holds.
    private var takenCount = 0
    /// The number of bytes of `rows` that have been sent; `nil` outside a COPY.
    private var sent: Int?
    /// The failure of an item, which ends the block.
    private var failure: BulkFailure?
    private var error: RepositoryError?
    private var keys: GeneratedKeys?
    private let keyIndex: Int?
    /// Whether the savepoint of a statement over arrays exists.
    private var hasSavepoint = false
    /// How many successive blocks failed as one statement; a later success, even of half a block, resets it to 0.
    private var refusedCount = 0

    /// Prepares to store items; `nil` if a bulk write is not possible.
    ///
    /// It is `nil` if `typeNames` lacks a column's type, or if an upsert cannot use `excluded`. If items may fail
    /// individually, it is also `nil` for writes, except deletions, to a table with triggers.
    init?<Item: Entity>(
        _ kind: FixedStatement, of entity: Item.Type, isAtomic: Bool, on connection: PostgresConnection
    ) throws(RepositoryError) {
        let schema = Item.schema
        let text = try connection.dialect.fixed(kind, of: entity)
        let single = try connection.prepared(text)
        guard isAtomic || kind == .delete || single.writtenByTriggers.isEmpty else { return nil }
        guard !kind.isUpsert || connection.dialect.canUseExcluded(in: Item.entityName) else { return nil }
        let types = single.parameterTypes.compactMap { Self.typeNames[$0] }
        let columns = kind == .delete ? try schema.key.names : schema.writtenNames
        guard types.count == columns.count else { return nil }
        if isAtomic {
            arrays = nil
        } else {
            let source: SQLText = "SELECT * FROM unnest(\(Self.arrays(of: types)))"
            let text = try Self.statement(kind, of: entity, columns, source, connection.dialect)
            arrays = try connection.prepared(text, parameterCount: types.count)
        }
        if isAtomic, !single.writtenByTriggers.isEmpty {
            let key = try schema.key.names.compactMap { schema.writtenNames.firstIndex(of: $0) }
            let text = try Self.missing(entity, types: key.map { types[$0] })
            missing = (try connection.prepared(text, parameterCount: key.count), key)
        } else {
            missing = nil
        }
        (self.connection, self.kind, self.isAtomic, self.single) = (connection, kind, isAtomic, single)
        parameters = Parameters(count: types.count)
        let table = Identifier.quoted(Item.entityName)
        copyText = "COPY \(table) (\(Identifier.list(schema.writtenNames))) FROM STDIN (FORMAT binary)"
        let isNew = kind == .insert || kind == .upsert
        keys = isNew ? GeneratedKeys(of: entity, replacing: kind.isUpsert) : nil
        keyIndex = keys?.index
    }

    var target: RowTarget { parameters.target }

    func nextKey(of count: () -> Int) throws(RepositoryError) -> Int64 {
        try keys?.next(of: count, on: connection) ?? 0
    }

    func add() throws(RepositoryError) {
        for value in parameters.values { try connection.check(value) }
        if let keyIndex { keys?.note(parameters.values[keyIndex]) }
        let (count, byteCount) = rows.append(parameters.values)
        if isAtomic ? count >= Self.mostInCopy || byteCount >= Self.maxBytes : count >= Self.mostInArrays {
            isFull = true
        }
        guard isAtomic, byteCount - (sent ?? 0) >= Self.sendSize, failure == nil, error == nil else { return }
        do throws(RepositoryError) {
            try send()
        } catch {
            // The connection can store nothing else, so `store()` throws this error again.
            self.error = error
            throw error
        }
    }

    func store() throws(RepositoryError) -> [BulkFailure] {
        defer { takenCount = 0 }
        let failures = isAtomic ? try storeAtomically() : try storeEach(0..<rows.count)
        rows.removeAll()
        isFull = false
        if hasSavepoint {
            hasSavepoint = false
            try connection.run("RELEASE SAVEPOINT bulk")
        }
        if failures.isEmpty || !isAtomic { try keys?.moveSequence(on: connection) }
        return failures
    }
}

// An atomic bulk write.
extension PostgresBulk {
    private func storeAtomically() throws(RepositoryError) -> [BulkFailure] {
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
        // While the server waits for a lock or is frozen, it reads nothing. Sending can be cancelled even then.
        try send(to: handle) {
            bytes.withUnsafeBytes { raw in
                PQputCopyData(handle, raw.baseAddress?.assumingMemoryBound(to: CChar.self), Int32(raw.count))
            }
        }
    }

    /// Calls `take` until libpq accepts its data, and sends that data; `take` returns 0 while libpq's buffer is full.
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

    /// Stores the rows so far, because another statement needs the connection between two items.
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

    /// Ends the COPY.
    ///
    /// If the server rejects the COPY, or a trigger has left rows out, the rows are stored one by one.
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

// Finding rows that triggers have removed.
extension PostgresBulk {
    /// Returns a failure for the first of the block's rows that a trigger has removed; `nil` if every row is stored.
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

// Items that fail individually.
extension PostgresBulk {
    private func storeEach(_ range: Range<Int>) throws(RepositoryError) -> [BulkFailure] {
        guard !range.isEmpty else { return [] }
        // After a few blocks with failures, one statement is unlikely to store a whole block.
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

    /// Stores rows with one statement; returns false, with nothing stored, if one of them is rejected.
    private func storeAtOnce(_ range: Range<Int>) throws(RepositoryError) -> Bool {
        guard let arrays else { return false }
        arrays.reset()
        try arrays.bind(rows.arrays(of: range, types: single.parameterTypes).map { .blob($0) })
        do throws(RepositoryError) {
            let count = try runInSavepoint(arrays)
            // An upsert of items with only a key updates no row, so the count does not show whether all are stored.
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

    /// Executes a statement in a new savepoint, in one round trip, and returns the number of changed rows.
    ///
    /// The new savepoint replaces the previous one.
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
    /// The largest number of unanswered statements, whose answers must fit into the operating system's buffers.
    private static let mostOnTheWay = 64

    /// Stores rows one by one; without savepoints, stops at the first failure.
    private func pipeline(_ range: Range<Int>, hasSavepoints: Bool) throws(RepositoryError) -> [BulkFailure] {
        var failures: [BulkFailure] = []
        var next = range.lowerBound
        while next < range.upperBound {
            let batch = next..<min(next + Self.mostOnTheWay, range.upperBound)
            let ignored = try send(batch, hasSavepoints)
            failures += ignored.indexes.map { BulkFailure(index: takenCount + $0, error: nil) }
            guard let (index, error) = ignored.refused else {
                if !hasSavepoints, !failures.isEmpty { return failures }
                next = batch.upperBound
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

    /// Sends rows and reads the answers; returns the rows that changed nothing, and the first rejected row.
    private func send(
        _ batch: Range<Int>, _ hasSavepoints: Bool
    ) throws(RepositoryError) -> (indexes: [Int], refused: (Int, RepositoryError)?) {
        let handle = try connection.open()
        guard PQenterPipelineMode(handle) == 1 else { throw connection.lost(single.sql) }
        defer { PQexitPipelineMode(handle) }
        for row in batch {
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
        for row in batch {
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
                // Skip to the end of the statement's results.
                while let more = connection.nextResult(handle) { PQclear(more) }
            }
        }
        // The answer to the sync message that ends the pipeline.
        PQclear(connection.nextResult(handle))
        return (ignored, refused)
    }
}

extension RepositoryError {
    /// Whether the server rejected the content of a row, so that the other rows can be stored without it.
    fileprivate var liesInRow: Bool {
        switch self {
        case .constraint, .encoding, .overflow, .tooBig, .misuse: true
        // The error of an upsert that would change the same row twice.
        case .unexpected: true
        default: false
        }
    }
}
