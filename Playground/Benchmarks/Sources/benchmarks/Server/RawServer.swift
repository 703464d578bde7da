import CLibpq
import Foundation

/// A store on libpq alone, in the binary format throughout: the least that the work can cost.
final class RawServer {
    let parameters: String
    private let connection: OpaquePointer?
    private var fields: [UInt8] = []

    init(_ parameters: String) throws {
        self.parameters = parameters
        connection = PQconnectdb(parameters)
        guard PQstatus(connection) == CONNECTION_OK else { throw failure }
        PQsetNoticeReceiver(connection, { _, _ in }, nil)
    }

    deinit {
        PQfinish(connection)
    }

    /// The table as the library makes it, without its triggers.
    static let create = """
        CREATE TABLE "Film" ("id" uuid PRIMARY KEY, "title" text COLLATE "C" NOT NULL, \
        "releaseDate" double precision NOT NULL, "boxOffice" bigint NOT NULL, "studio" text COLLATE "C")
        """
    static let insert = #"INSERT INTO "Film" (\#(FilmTable.columns)) VALUES ($1, $2, $3, $4, $5)"#
    static let upsert = """
        \(insert) ON CONFLICT ("id") DO UPDATE SET "title" = excluded."title", \
        "releaseDate" = excluded."releaseDate", "boxOffice" = excluded."boxOffice", "studio" = excluded."studio"
        """
    /// A constraint that some films violate.
    static let rule = #"ALTER TABLE "Film" ADD CHECK ("title" <> '')"#

    func execute(_ sql: String) throws {
        let result = PQexec(connection, sql)
        defer { PQclear(result) }
        guard PQresultStatus(result) == PGRES_COMMAND_OK else { throw failure }
    }

    func prepare(_ name: String, _ sql: String) throws {
        let result = PQprepare(connection, name, sql, 0, nil)
        defer { PQclear(result) }
        guard PQresultStatus(result) == PGRES_COMMAND_OK else { throw failure }
    }

    /// Copies films into the table, in blocks that are sent as they fill.
    func copy(_ films: [Film]) throws {
        let result = PQexec(connection, #"COPY "Film" (\#(FilmTable.columns)) FROM STDIN (FORMAT binary)"#)
        defer { PQclear(result) }
        guard PQresultStatus(result) == PGRES_COPY_IN else { throw failure }
        var bytes = Array("PGCOPY\n".utf8) + [0xFF, 0x0D, 0x0A, 0, 0, 0, 0, 0, 0, 0, 0, 0]
        for film in films {
            bytes.append(film)
            if bytes.count > 60_000 { try put(&bytes) }
        }
        bytes.append(big: Int16(-1))
        try put(&bytes)
        guard PQputCopyEnd(connection, nil) == 1 else { throw failure }
        while let result = PQgetResult(connection) {
            defer { PQclear(result) }
            guard PQresultStatus(result) == PGRES_COMMAND_OK else { throw failure }
        }
    }

    private func put(_ bytes: inout [UInt8]) throws {
        let isSent = bytes.withUnsafeBytes { raw in
            PQputCopyData(connection, raw.baseAddress?.assumingMemoryBound(to: CChar.self), Int32(raw.count)) == 1
        }
        guard isSent else { throw failure }
        bytes.removeAll(keepingCapacity: true)
    }

    /// Executes a prepared statement with a film's values; returns false if the server refused them.
    func execute(_ name: String, _ film: Film) throws -> Bool {
        fields.removeAll(keepingCapacity: true)
        fields.append(film)
        let result = fields.withUnsafeBytes { raw in
            var (values, lengths, next) = ([UnsafePointer<CChar>?](), [Int32](), 2)
            for _ in 0..<5 {
                let length = Int32(bigEndian: raw.loadUnaligned(fromByteOffset: next, as: Int32.self))
                let start = raw.baseAddress.map { ($0 + next + 4).assumingMemoryBound(to: CChar.self) }
                values.append(length < 0 ? nil : start)
                lengths.append(max(length, 0))
                next += 4 + Int(max(length, 0))
            }
            return PQexecPrepared(connection, name, 5, values, lengths, [1, 1, 1, 1, 1], 1)
        }
        defer { PQclear(result) }
        if PQresultStatus(result) == PGRES_FATAL_ERROR, PQtransactionStatus(connection) == PQTRANS_INERROR {
            return false
        }
        guard PQresultStatus(result) == PGRES_COMMAND_OK else { throw failure }
        return true
    }

    /// Reads every film as one result, ordered by id, as the library does for a query without an order.
    func fetchAll() throws -> [Film] {
        let result = PQexecParams(
            connection, #"SELECT \#(FilmTable.columns) FROM "Film" ORDER BY "id""#, 0, nil, nil, nil, nil, 1)
        defer { PQclear(result) }
        guard PQresultStatus(result) == PGRES_TUPLES_OK else { throw failure }
        let count = PQntuples(result)
        var films: [Film] = []
        films.reserveCapacity(Int(count))
        for row in 0..<count { films.append(film(result, row)) }
        return films
    }

    /// Reads one number.
    func number(_ sql: String) throws -> Int {
        let result = PQexec(connection, sql)
        defer { PQclear(result) }
        guard PQresultStatus(result) == PGRES_TUPLES_OK, let text = PQgetvalue(result, 0, 0),
            let number = Int(String(cString: text))
        else { throw failure }
        return number
    }

    /// Reads the film with an id by a prepared statement.
    func fetch(_ name: String, _ id: UUID) throws -> Film? {
        let result = withUnsafeBytes(of: id.uuid) { raw in
            let values = [raw.baseAddress?.assumingMemoryBound(to: CChar.self)]
            return PQexecPrepared(connection, name, 1, values, [16], [1], 1)
        }
        defer { PQclear(result) }
        guard PQresultStatus(result) == PGRES_TUPLES_OK else { throw failure }
        return PQntuples(result) == 0 ? nil : film(result, 0)
    }

    private func film(_ result: OpaquePointer?, _ row: Int32) -> Film {
        func bytes(_ column: Int32) -> UnsafeRawBufferPointer {
            UnsafeRawBufferPointer(
                start: PQgetvalue(result, row, column), count: Int(PQgetlength(result, row, column)))
        }
        func number(_ column: Int32) -> Int64 { Int64(bigEndian: bytes(column).loadUnaligned(as: Int64.self)) }
        return Film(
            id: UUID(uuid: bytes(0).loadUnaligned(as: uuid_t.self)), title: String(decoding: bytes(1), as: UTF8.self),
            releaseDate: Date(timeIntervalSinceReferenceDate: Double(bitPattern: UInt64(bitPattern: number(2)))),
            boxOffice: Amount.decimal(number(3)),
            studio: PQgetisnull(result, row, 4) != 0 ? nil : String(decoding: bytes(4), as: UTF8.self))
    }

    private var failure: RawServerFailure {
        RawServerFailure(description: PQerrorMessage(connection).map { String(cString: $0) } ?? "no connection")
    }
}

struct RawServerFailure: Error, CustomStringConvertible {
    let description: String
}

extension [UInt8] {
    /// Appends a film as a row of COPY: the number of fields, then each with its length; NULL has the length -1.
    @inline(__always)
    fileprivate mutating func append(_ film: Film) {
        append(big: Int16(5))
        append(big: Int32(16))
        Swift.withUnsafeBytes(of: film.id.uuid) { append(contentsOf: $0) }
        append(text: film.title)
        append(big: Int32(8))
        append(big: film.releaseDate.timeIntervalSinceReferenceDate.bitPattern)
        append(big: Int32(8))
        append(big: Amount.scaled(film.boxOffice))
        if let studio = film.studio { append(text: studio) } else { append(big: Int32(-1)) }
    }

    @inline(__always)
    private mutating func append(text: String) {
        append(big: Int32(text.utf8.count))
        append(contentsOf: text.utf8)
    }

    @inline(__always)
    fileprivate mutating func append<Number: FixedWidthInteger>(big number: Number) {
        Swift.withUnsafeBytes(of: number.bigEndian) { append(contentsOf: $0) }
    }
}
