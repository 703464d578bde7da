import CPostgres
import Dispatch
import Foundation
import RepositoryCore

extension PostgresConnection {
    /// Executes internal SQL, and discards the rows that it returns.
    func run(_ sql: String) throws(RepositoryError) {
        try confinement.during { () throws(RepositoryError) in
            PQclear(try answer(to: sql))
        }
    }

    /// Executes an internal statement, which `statementCount` does not include; the caller must clear the result.
    func answer(to sql: String) throws(RepositoryError) -> OpaquePointer {
        let handle = try open()
        guard PQsendQuery(handle, sql) != 0 else { throw lost(sql) }
        return try answer(handle, sql)
    }

    /// Waits for the server's answer; returns its last result, or throws its first failure.
    func answer(_ handle: OpaquePointer, _ sql: String) throws(RepositoryError) -> OpaquePointer {
        var last: OpaquePointer?
        while let result = nextResult(handle) {
            // The statement is a COPY FROM, and the server waits for its rows.
            if PQresultStatus(result) == PGRES_COPY_IN {
                PQclear(last)
                return result
            }
            // The statement is a COPY TO, and the server would send rows that nothing reads.
            if [PGRES_COPY_OUT, PGRES_COPY_BOTH].contains(PQresultStatus(result)) {
                PQclear(last)
                PQclear(result)
                disconnect()
                throw .misuse(detail: "a repository cannot execute COPY: \(sql.prefix(1_000))")
            }
            if Self.isFailure(last) {
                PQclear(result)
            } else {
                PQclear(last)
                last = result
            }
        }
        guard let last else { throw lost(sql) }
        guard !Self.isFailure(last) else {
            defer { PQclear(last) }
            throw failure(last, sql)
        }
        return last
    }

    /// Waits for the next row of a statement in single-row mode; after the last row, returns a result without rows.
    func nextRow(of statement: PostgresStatement) throws(RepositoryError) -> OpaquePointer {
        guard let handle, let result = nextResult(handle) else { throw lost(statement.sql) }
        if PQresultStatus(result) == PGRES_SINGLE_TUPLE { return result }
        skipRows()
        guard !Self.isFailure(result) else {
            defer { PQclear(result) }
            throw failure(result, statement.sql)
        }
        return result
    }

    func skipRows() {
        confinement.during { skipResults() }
    }

    private func skipResults() {
        while let handle, let result = nextResult(handle) { PQclear(result) }
    }

    /// Waits for the next result; `nil` if there are no more.
    ///
    /// While nothing arrives, the method checks the cancellation flag, and asks the server to cancel if the flag is
    /// set. This can cancel only the current statement, because nothing else is sent before the server has answered. A
    /// server that is silent for long may be busy, so the connection is closed only if the server does not answer a
    /// ping.
    func nextResult(_ handle: OpaquePointer) -> OpaquePointer? {
        var wait = SocketWait()
        if PQisBusy(handle) != 0 { spin.wait { PQconsumeInput(handle) == 0 || PQisBusy(handle) == 0 } }
        while PQisBusy(handle) != 0 {
            if !self.wait(&wait, for: POLLIN, handle) { break }
        }
        return PQgetResult(handle)
    }

    /// Sends everything that libpq has buffered on a non-blocking connection, and waits for the server as
    /// `nextResult(_:)` does.
    func flush(_ handle: OpaquePointer, _ sql: String) throws(RepositoryError) {
        var wait = SocketWait()
        while true {
            let rest = PQflush(handle)
            if rest == 0 { return }
            guard rest > 0, self.wait(&wait, for: POLLIN | POLLOUT, handle) else { throw lost(sql) }
        }
    }

    private struct SocketWait {
        /// The time without an answer, in milliseconds.
        var silence: Int32 = 0
        var isCancelled = false
    }

    /// Waits briefly until the socket is ready for `events`; returns false if the connection is lost.
    private func wait(_ wait: inout SocketWait, for events: Int32, _ handle: OpaquePointer) -> Bool {
        let limit = Int32(clamping: parameters.silence.milliseconds)
        var descriptor = pollfd(fd: PQsocket(handle), events: Int16(events), revents: 0)
        let pause = flag == nil ? limit : min(limit, 10)
        let isReady = poll(&descriptor, 1, pause) > 0
        wait.silence = isReady ? 0 : wait.silence + pause
        // The socket also becomes readable when the connection ends.
        if isReady, descriptor.revents != Int16(POLLOUT), PQconsumeInput(handle) == 0 { return false }
        if wait.silence >= limit {
            // If the server does not answer a ping, shutting down the socket ends the connection.
            if !Self.answers(parameters.text, asOf: handle) { shutdown(PQsocket(handle), Int32(SHUT_RDWR)) }
            wait.silence = 0
        }
        if !isReady, !wait.isCancelled, flag?.reason != nil {
            wait.isCancelled = true
            cancel(handle)
        }
        return true
    }

    private static func isFailure(_ result: OpaquePointer?) -> Bool {
        guard let result else { return false }
        return ![PGRES_COMMAND_OK, PGRES_TUPLES_OK, PGRES_EMPTY_QUERY].contains(PQresultStatus(result))
    }

    /// Returns libpq's error message for a connection, in one line.
    static func message(of handle: OpaquePointer?) -> String {
        let message = handle.flatMap { PQerrorMessage($0) }.map { String(cString: $0) } ?? ""
        // An indented line continues the previous line. Any other line is about another host, or adds details.
        return message.trimmingCharacters(in: .whitespacesAndNewlines).replacing("\n\t", with: " ")
            .replacing("\n", with: "; ")
    }

    private func cancel(_ handle: OpaquePointer) {
        if Self.cancel(handle, waiting: parameters.silence) { return }
        shutdown(PQsocket(handle), Int32(SHUT_RDWR))
    }

    /// Asks the server to cancel the statement of a connection; returns false if it does not answer in time.
    ///
    /// libpq waits without a time limit, and a frozen server never answers. So a separate thread calls libpq.
    static func cancel(_ handle: OpaquePointer, waiting limit: Duration) -> Bool {
        guard let request = PQgetCancel(handle) else { return true }
        // Only the new thread uses the request.
        let (sent, address) = (DispatchSemaphore(value: 0), Int(bitPattern: request))
        Thread.detachNewThread {
            let request = OpaquePointer(bitPattern: address)
            var message = [CChar](repeating: 0, count: 256)
            _ = PQcancel(request, &message, Int32(message.count))
            PQfreeCancel(request)
            sent.signal()
        }
        return sent.wait(timeout: .now() + .milliseconds(limit.milliseconds)) == .success
    }

    func withCancellation<Result, Failure: Error>(
        _ flag: CancellationFlag?, _ body: () throws(Failure) -> Result
    ) throws(Failure) -> Result {
        let outer = self.flag
        self.flag = flag
        defer { self.flag = outer }
        return try confinement.during(body)
    }
}

/// A busy wait for an answer that is about to arrive, before the thread goes to sleep.
///
/// A server on the same machine answers a short query sooner than a sleeping thread wakes up. If nothing arrives in
/// time, the next 2 calls do not spin; each further miss doubles that number, up to 128.
struct AdaptiveSpin {
    /// The longest time to spin, in nanoseconds.
    private static let limit: UInt64 = 50_000
    /// Whether there are several processors.
    ///
    /// On a single processor, spinning takes time from the server.
    private static let isUseful = ProcessInfo.processInfo.activeProcessorCount > 1

    /// The number of successive spins in which nothing arrived, at most 7.
    private var misses = 0
    /// The number of calls that will still skip spinning.
    private var pause = 0

    /// Calls `condition` until it returns true or the time limit is reached; some calls skip this entirely.
    mutating func wait(until condition: () -> Bool) {
        guard Self.isUseful else { return }
        guard pause == 0 else {
            pause -= 1
            return
        }
        let end = DispatchTime.now().uptimeNanoseconds + Self.limit
        while DispatchTime.now().uptimeNanoseconds < end {
            if condition() {
                misses = 0
                return
            }
        }
        misses = min(misses + 1, 7)
        pause = 1 << misses
    }
}
