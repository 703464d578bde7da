import CLibpq
import Foundation

/// A bare reader of the server's commits, on libpq alone: it counts the commits that a temporary `pgoutput` slot sends.
///
/// Unchecked but safe because only the reading thread uses the connection while it runs.
final class RawFeed: @unchecked Sendable {
    private let connection: OpaquePointer?
    private let hear: (Int) -> Void
    private let ended = DispatchSemaphore(value: 0)
    // The thread reads until `close()` closes the writing end of this pipe.
    private let stop = Pipe()

    /// Starts to receive the commits to a table; after each, it calls `hear` with the number of commits so far.
    init(_ parameters: String, of table: String, hear: @escaping (Int) -> Void) throws {
        let publication = "feed" + UUID().uuidString.replacingOccurrences(of: "-", with: "").lowercased()
        try RawServer(parameters).execute(#"CREATE PUBLICATION \#(publication) FOR TABLE "\#(table)""#)
        self.hear = hear
        connection = PQconnectdb(parameters + " replication=database")
        guard PQstatus(connection) == CONNECTION_OK else { throw failure }
        PQclear(
            PQexec(
                connection,
                #"CREATE_REPLICATION_SLOT "\#(publication)" TEMPORARY LOGICAL pgoutput (SNAPSHOT 'nothing')"#))
        let result = PQexec(
            connection,
            """
            START_REPLICATION SLOT "\(publication)" LOGICAL 0/0 \
            (proto_version '1', publication_names '\(publication)', binary 'true')
            """)
        defer { PQclear(result) }
        guard PQresultStatus(result) == PGRES_COPY_BOTH else { throw failure }
        Thread.detachNewThread { self.read() }
    }

    /// Stops the thread and closes the connection.
    func close() {
        try? stop.fileHandleForWriting.close()
        ended.wait()
        PQfinish(connection)
    }

    private func read() {
        defer { ended.signal() }
        var count = 0
        while true {
            var message: UnsafeMutablePointer<CChar>?
            let length = PQgetCopyData(connection, &message, 1)
            if length > 0 {
                // The byte after the frame's 25 bytes is the kind of the message: C is a commit.
                if length > 25, message?[25] == CChar(UInt8(ascii: "C")) {
                    count += 1
                    hear(count)
                }
                PQfreemem(message)
            } else if length == 0 {
                var descriptors = [
                    pollfd(fd: PQsocket(connection), events: Int16(POLLIN), revents: 0),
                    pollfd(fd: stop.fileHandleForReading.fileDescriptor, events: Int16(POLLIN), revents: 0),
                ]
                poll(&descriptors, 2, -1)
                guard descriptors[1].revents == 0, PQconsumeInput(connection) == 1 else { return }
            } else {
                return
            }
        }
    }

    private var failure: RawServerFailure {
        RawServerFailure(description: PQerrorMessage(connection).map { String(cString: $0) } ?? "no connection")
    }
}
