import CPostgres
import RepositoryCore

/// A prepared statement of a connection, used by one thread at a time.
final class PostgresStatement: StoreStatement {
    /// The text with PostgreSQL's placeholders.
    let sql: String
    let access: TableAccess
    var writtenByTriggers: Set<String> { access.writtenByTriggers }
    var isReadOnly: Bool { access.written.isEmpty && !access.changesSchema }
    /// The types of the parameters and columns, as the server has determined them.
    struct Signature: Equatable {
        let parameterTypes: [Oid]
        let columnNames: [String]
        let columnTypes: [Oid]
    }

    let signature: Signature
    var columnNames: [String] { signature.columnNames }
    let columnCount: Int
    /// Whether the statement returns a row with the key that the server has generated.
    let returnsKey: Bool
    let target: RowTarget
    let parameters: Parameters
    var parameterTypes: [Oid] { signature.parameterTypes }
    /// The parameter types with which the client prepares the statement; 0 lets the server infer a type.
    let sentTypes: [Oid]
    /// The generation of the connection for which the statement is prepared.
    var generation = 0
    /// Whether the statement searches for existing rows; false if it only inserts rows.
    let looksForRows: Bool
    /// Whether the statement is raw SQL that may call functions.
    var callsFunctions = false
    /// Whether the statement runs a procedure, or names another program's function, which may change the settings.
    var mayChangeSettings = false
    /// The name by which the server knows the statement.
    let name: String
    private let kinds: [WireValue.Kind?]
    private unowned let connection: PostgresConnection
    // Safe because the memory lives as long as the object and holds a value for each column. The values point to bytes
    // of the result.
    private let values: UnsafeMutablePointer<WireValue>
    // The integers of columns that the server sends as `numeric` or `oid`; `values` points to them.
    private let numbers: UnsafeMutablePointer<Int64>
    /// The number of rows that a cursor fetches at once; 0 for any other statement.
    var fetchSize: Int32 = 0
    private var result: OpaquePointer?
    private var rowCount: Int32 = 0
    private var index: Int32 = 0
    /// Whether rows are received one by one, and the last result has not arrived yet.
    private(set) var isReceiving = false
    /// The number of rows received before the current result.
    private var receivedCount = 0
    /// The time at which the statement was sent, if it is logged.
    var begun: ContinuousClock.Instant?

    init(
        _ sql: String, name: String, sentTypes: [Oid], signature: Signature, access: TableAccess,
        on connection: PostgresConnection
    ) {
        (self.sql, self.name, self.access, self.connection) = (sql, name, access, connection)
        (self.sentTypes, self.signature, columnCount) = (sentTypes, signature, signature.columnNames.count)
        kinds = signature.columnTypes.map { WireValue.Kind(typeNumber: $0) }
        looksForRows = !sql.hasPrefix("INSERT ")
        returnsKey = signature.columnNames == [PostgresDialect.generatedKey]
        parameters = Parameters(count: signature.parameterTypes.count)
        target = parameters.target
        values = .allocate(capacity: max(columnCount, 1))
        values.initialize(repeating: .null, count: max(columnCount, 1))
        numbers = .allocate(capacity: max(columnCount, 1))
        numbers.initialize(repeating: 0, count: max(columnCount, 1))
    }

    deinit {
        PQclear(result)
        values.deallocate()
        numbers.deallocate()
    }

    var row: RowSource { RowSource(values: UnsafePointer(values)) }

    /// Executes the statement; returns the number of unread rows, or 0 if rows are received one by one.
    ///
    /// Rows received one by one are read while the server produces more, and memory never holds all of them. A
    /// statement that writes may also be a commit, so its result is received as a whole.
    func begin() throws(RepositoryError) -> Int {
        if result == nil {
            // A statement that may change the settings is read as a whole, because the settings are restored after it.
            isReceiving = isReadOnly && fetchSize == 0 && !mayChangeSettings
            try execute()
        }
        return isReceiving ? 0 : Int(rowCount - index)
    }

    func step() throws(RepositoryError) -> Bool {
        if result == nil {
            try execute()
        } else if index == rowCount {
            if isReceiving {
                try receive()
            } else if fetchSize > 0, rowCount == fetchSize {
                reset()
                try execute()
            }
        }
        guard index < rowCount, let result else {
            reset()
            return false
        }
        for column in 0..<columnCount { values[column] = try value(column, of: result) }
        index += 1
        return true
    }

    func reset() {
        PQclear(result)
        if isReceiving, result != nil { connection.skipRows() }
        (result, rowCount, index, receivedCount) = (nil, 0, 0, 0)
        isReceiving = false
    }

    private func execute() throws(RepositoryError) {
        do throws(RepositoryError) {
            take(try connection.execute(self))
        } catch {
            isReceiving = false
            throw error
        }
    }

    /// Waits for the next row in single-row mode.
    private func receive() throws(RepositoryError) {
        PQclear(result)
        result = nil
        receivedCount += Int(rowCount)
        do throws(RepositoryError) {
            take(try connection.nextRow(of: self))
        } catch {
            reset()
            throw error
        }
    }

    /// Takes a result; in single-row mode, the last one has no rows.
    private func take(_ result: OpaquePointer) {
        (self.result, rowCount, index) = (result, PQntuples(result), 0)
        guard !isReceiving || rowCount == 0 else { return }
        isReceiving = false
        connection.logExecution(of: self, rows: receivedCount + Int(rowCount))
    }

    @inline(__always)
    private func value(_ column: Int, of result: OpaquePointer) throws(RepositoryError) -> WireValue {
        let length = PQgetlength(result, index, Int32(column))
        if length == 0, PQgetisnull(result, index, Int32(column)) != 0 { return .null }
        let start = UnsafeRawPointer(PQgetvalue(result, index, Int32(column)))?.assumingMemoryBound(to: UInt8.self)
        guard let kind = kinds[column] else {
            return try number(column, UnsafeBufferPointer(start: start, count: Int(length)))
        }
        let value = WireValue(kind, start, count: length)
        // NaN is read as NULL, as in SQLite.
        if case .real = kind, value.real?.isNaN == true { return .null }
        return value
    }

    /// Reads a `numeric` that is a whole number of 64 bits, or an `oid`; throws for other types.
    @inline(never)
    private func number(_ column: Int, _ bytes: UnsafeBufferPointer<UInt8>) throws(RepositoryError) -> WireValue {
        let name = columnNames[column]
        // An `oid` has no sign.
        if signature.columnTypes[column] == 26 { return keep(bytes.reduce(0) { $0 << 8 | Int64($1) }, for: column) }
        guard signature.columnTypes[column] == 1700 else {
            throw .decoding(
                entity: "result", column: name,
                detail: "PostgreSQL's type \(signature.columnTypes[column]) cannot be read: cast it in the statement")
        }
        guard let number = Numeric(bytes), number.isInteger else {
            throw .decoding(
                entity: "result", column: name,
                detail: "a numeric that is not a whole number cannot be read: cast it in the statement")
        }
        guard let integer = number.integer else {
            throw .overflow(entity: "statement", column: name, detail: "the number is out of the range of Int")
        }
        return keep(integer, for: column)
    }

    private func keep(_ integer: Int64, for column: Int) -> WireValue {
        numbers[column] = integer.bigEndian
        let bytes = UnsafeRawPointer(numbers + column).assumingMemoryBound(to: UInt8.self)
        return WireValue(.integer, bytes, count: 8)
    }
}

extension WireValue.Kind {
    /// Determines the kind of the values of a PostgreSQL type; `nil` for all other types.
    init?(typeNumber: Oid) {
        switch typeNumber {
        // bool, int8, int2, int4
        case 16, 20, 21, 23: self = .integer
        // float4, float8
        case 700, 701: self = .real
        // name, text, json, unknown, bpchar, varchar
        case 19, 25, 114, 705, 1042, 1043: self = .text
        // bytea, uuid
        case 17, 2950: self = .blob
        default: return nil
        }
    }
}
