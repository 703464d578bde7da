import CPostgres
import Foundation
import RepositoryCore
import Signals

/// A connection on which the server streams commits.
///
/// One thread at a time uses it. `pipe` wakes that thread while it waits.
final class ReplicationConnection {
    /// A replication slot that the server has created.
    struct Slot {
        let name: String
        /// The name of the snapshot that shows all commits before the stream, and exists until the stream starts.
        let snapshot: String
    }

    private var handle: OpaquePointer?
    /// The check that one thread at a time uses the connection.
    private let confinement = Confinement()
    private let pipe: WakePipe
    private let address: String
    /// Whether libpq's buffer holds data that is not sent yet.
    private var hasUnsent = false

    /// Connects; the role needs the right to replicate.
    init(_ parameters: ConnectionString, _ pipe: WakePipe) throws(RepositoryError) {
        self.pipe = pipe
        let handle = PostgresConnection.connected(parameters.text, isReplicating: true)
        address = PostgresConnection.address(of: handle)
        guard let handle, PQstatus(handle) == CONNECTION_OK else {
            let reason = PostgresConnection.message(of: handle)
            PQfinish(handle)
            throw .cannotOpen(path: address, reason: reason.isEmpty ? "memory ran out" : reason)
        }
        PQsetNoticeReceiver(handle, { _, _ in }, nil)
        self.handle = handle
    }

    deinit { close() }

    func close() {
        confinement.during {
            PQfinish(handle)
            handle = nil
        }
    }

    /// Creates a slot that the server drops when the connection ends.
    ///
    /// The server first waits until all open transactions have ended.
    func makeSlot(_ name: String) throws(RepositoryError) -> Slot {
        // This syntax works in PostgreSQL 13 and all later versions.
        let result = try execute("CREATE_REPLICATION_SLOT \(name) TEMPORARY LOGICAL pgoutput EXPORT_SNAPSHOT")
        defer { PQclear(result) }
        guard PQntuples(result) == 1, PQnfields(result) > 2, let snapshot = PQgetvalue(result, 0, 2) else {
            throw lost("the server has not created a slot")
        }
        return Slot(name: name, snapshot: String(cString: snapshot))
    }

    func start(_ slot: Slot, of publication: String) throws(RepositoryError) {
        let name = Identifier.literal(Identifier.quoted(publication))
        PQclear(
            try execute(
                "START_REPLICATION SLOT \(slot.name) LOGICAL 0/0 "
                    + "(proto_version '1', publication_names \(name), binary 'true', messages 'true')"))
        guard PQsetnonblocking(handle, 1) == 0 else { throw lost(nil) }
    }

    /// Executes a command and returns its result; throws `.closed` if the pipe is closed first.
    private func execute(_ sql: String) throws(RepositoryError) -> OpaquePointer? {
        try confinement.during { () throws(RepositoryError) in try answer(to: sql) }
    }

    private func answer(to sql: String) throws(RepositoryError) -> OpaquePointer? {
        guard let handle, PQsendQuery(handle, sql) != 0 else { throw lost(nil) }
        while PQisBusy(handle) != 0 {
            wait(milliseconds: nil)
            if pipe.isClosed {
                _ = PostgresConnection.cancel(handle, waiting: .seconds(1))
                throw .closed
            }
            guard PQconsumeInput(handle) != 0 else { throw lost(nil) }
        }
        let result = PQgetResult(handle)
        let status = PQresultStatus(result)
        if status == PGRES_COPY_BOTH { return result }
        // libpq accepts the next command only after the results have been read up to `nil`.
        while let more = PQgetResult(handle) { PQclear(more) }
        guard status == PGRES_TUPLES_OK || status == PGRES_COMMAND_OK else {
            defer { PQclear(result) }
            let code = PQresultErrorField(result, CPOSTGRES_SQLSTATE).map { String(cString: $0) }
            throw .io(
                Diagnosis(
                    engine: PostgresConnection.engine, code: code ?? "08006",
                    message: PostgresConnection.message(of: handle), sql: sql))
        }
        return result
    }

    func lost(_ reason: String?) -> RepositoryError {
        let message = reason ?? PostgresConnection.message(of: handle)
        return .io(
            Diagnosis(
                engine: PostgresConnection.engine, code: "08006",
                message: message.isEmpty ? "the stream was lost" : message))
    }
}

// Reading the stream, and reporting its status to the server.
extension ReplicationConnection {
    /// Passes the next message to `body`; returns false if none has arrived.
    ///
    /// The bytes are valid only during the call.
    func read(
        _ body: (UnsafeRawBufferPointer) throws(RepositoryError) -> Void
    ) throws(RepositoryError) -> Bool {
        try confinement.during { () throws(RepositoryError) in try readMessage(body) }
    }

    private func readMessage(
        _ body: (UnsafeRawBufferPointer) throws(RepositoryError) -> Void
    ) throws(RepositoryError) -> Bool {
        var buffer: UnsafeMutablePointer<CChar>?
        let count = PQgetCopyData(handle, &buffer, 1)
        defer { PQfreemem(buffer) }
        guard count >= 0 else {
            // Taking the result sets libpq's error message, which says why the stream has ended.
            if count == -1 { PQclear(PQgetResult(handle)) }
            throw lost(nil)
        }
        guard count > 0 else { return false }
        try body(UnsafeRawBufferPointer(start: buffer, count: Int(count)))
        return true
    }

    /// Confirms to the server that everything before a position has arrived, and asks for a reply if requested.
    func sendStatus(_ position: WALPosition, requestsReply: Bool) throws(RepositoryError) {
        var status: [UInt8] = [UInt8(ascii: "r")]
        for number in [position.number, position.number, position.number, 0] { status.append(bigEndian: number) }
        status.append(requestsReply ? 1 : 0)
        let isTaken = confinement.during {
            status.withUnsafeBytes { bytes in
                PQputCopyData(handle, bytes.baseAddress?.assumingMemoryBound(to: CChar.self), Int32(bytes.count))
            }
        }
        // If libpq's buffer is full, this status is skipped. The next status confirms this position, too.
        guard isTaken >= 0 else { throw lost(nil) }
        try flush()
    }

    private func flush() throws(RepositoryError) {
        let left = confinement.during { PQflush(handle) }
        guard left >= 0 else { throw lost(nil) }
        hasUnsent = left > 0
    }

    /// Waits until data arrives, the pipe wakes the thread or the time has passed; then takes what has arrived.
    func waitForMore(milliseconds: Int32) throws(RepositoryError) {
        wait(milliseconds: milliseconds)
        try takeWhatArrived()
    }

    /// Reads arrived data into libpq's buffer, without waiting; before that, tries to send unsent data.
    func takeWhatArrived() throws(RepositoryError) {
        if hasUnsent { try flush() }
        guard confinement.during({ PQconsumeInput(handle) }) != 0 else { throw lost(nil) }
    }

    private func wait(milliseconds: Int32?) {
        let events = Int16(POLLIN) | (hasUnsent ? Int16(POLLOUT) : 0)
        var descriptors = [
            pollfd(fd: PQsocket(handle), events: events, revents: 0),
            pollfd(fd: pipe.reading, events: Int16(POLLIN), revents: 0),
        ]
        _ = confinement.during { poll(&descriptors, 2, milliseconds ?? -1) }
        if descriptors[1].revents != 0 { pipe.drain() }
    }
}
