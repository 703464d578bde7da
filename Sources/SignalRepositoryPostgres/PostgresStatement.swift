import CPostgres
import SignalRepository

/// A prepared statement of a connection, used by one thread at a time.
final class PostgresStatement: StoreStatement {
    /// The text as PostgreSQL has it.
    let sql: String
    let access: TableAccess
    var writtenByTriggers: Set<String> { access.writtenByTriggers }
    var isReadOnly: Bool { access.written.isEmpty && !access.changesSchema }
    /// What goes in and comes out, as the server has determined it.
    struct Form: Equatable {
        let parameterTypes: [Oid]
        let columnNames: [String]
        let columnTypes: [Oid]
    }

    let form: Form
    var columnNames: [String] { form.columnNames }
    let columnCount: Int
    /// Whether its row is the key that the server has given.
    let returnsKey: Bool
    let target: RowTarget
    let parameters: Parameters
    var parameterTypes: [Oid] { form.parameterTypes }
    /// The types of the parameters that the server is told.
    let sentTypes: [Oid]
    /// On which of the connections, one after the other, it is prepared.
    var generation = 0
    /// Whether it finds the rows that there are, instead of adding some.
    let looksForRows: Bool
    /// Whether it is the program's own, and may call functions.
    var callsFunctions = false
    /// Whether it runs a procedure, or names a function of others, which may change what names mean.
    var mayChangeSettings = false
    /// The name by which the server knows it.
    let name: String
    private let kinds: [WireValue.Kind?]
    private unowned let connection: PostgresConnection
    // Safe to use because the memory stays until the object goes, and holds as many values as there are columns; the
    // bytes of the values are those of the result.
    private let values: UnsafeMutablePointer<WireValue>
    // Whole numbers that were sent in another form.
    private let numbers: UnsafeMutablePointer<Int64>
    /// How many rows are fetched at once; 0 for a result that comes as a whole.
    var portion: Int32 = 0
    private var result: OpaquePointer?
    private var rowCount: Int32 = 0
    private var index: Int32 = 0
    /// Whether a result is one row, and the next one is still to be received.
    private(set) var isReceiving = false
    /// How many rows were received before this result.
    private var receivedCount = 0
    /// When it was sent, if that is to be logged.
    var begun: ContinuousClock.Instant?

    init(
        _ sql: String, name: String, sentTypes: [Oid], form: Form, access: TableAccess,
        on connection: PostgresConnection
    ) {
        (self.sql, self.name, self.access, self.connection) = (sql, name, access, connection)
        (self.sentTypes, self.form, columnCount) = (sentTypes, form, form.columnNames.count)
        kinds = form.columnTypes.map { WireValue.Kind(typeNumber: $0) }
        looksForRows = !sql.hasPrefix("INSERT ")
        returnsKey = form.columnNames == [PostgresDialect.generatedKey]
        parameters = Parameters(count: form.parameterTypes.count)
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

    /// Has the rows sent one by one, so that they are read while the server makes more, and never all of them are held.
    ///
    /// How many there are is not known then. What writes is a commit too, and is waited for as a whole.
    func begin() throws(RepositoryError) -> Int {
        if result == nil {
            // A statement that may change the settings is read as a whole, because they are set back after it.
            isReceiving = isReadOnly && portion == 0 && !mayChangeSettings
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
            } else if portion > 0, rowCount == portion {
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

    /// Waits for the next of the rows that come one by one.
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

    /// The last result of those that come one by one has no rows.
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
        // What is not a number is NULL, as in SQLite.
        if case .real = kind, value.real?.isNaN == true { return .null }
        return value
    }

    /// A number of any size, which must be a whole one of 64 bits, or an object identifier; other types are not read.
    @inline(never)
    private func number(_ column: Int, _ bytes: UnsafeBufferPointer<UInt8>) throws(RepositoryError) -> WireValue {
        let name = columnNames[column]
        // An object identifier has no sign.
        if form.columnTypes[column] == 26 { return keep(bytes.reduce(0) { $0 << 8 | Int64($1) }, for: column) }
        guard form.columnTypes[column] == 1700 else {
            throw .decoding(
                entity: "result", column: name,
                detail: "PostgreSQL's type \(form.columnTypes[column]) is none that is read: cast it in the statement")
        }
        guard let number = Numeric(bytes), number.isWhole else {
            throw .decoding(
                entity: "result", column: name,
                detail: "a number with a fraction, or of any size, is cast in the statement to one that is read")
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
    /// What values of a type of PostgreSQL are read as; `nil` for one that is not read.
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
