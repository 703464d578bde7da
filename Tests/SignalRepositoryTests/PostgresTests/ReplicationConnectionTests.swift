import Foundation
import Signals
import Testing

@testable import RepositoryCore
@testable import SignalRepository
@testable import SignalRepositoryPostgres

/// The connection of a stream by itself: how it waits, and how it ends.
@Suite("R12 A connection that replicates", .timeLimit(.minutes(10))) struct ReplicationConnectionTests {
    private let store: String
    private let parameters: ConnectionString
    private let plain: PostgresConnection

    init() throws {
        store = try TestServer.shared.get().store()
        parameters = try ConnectionString(store)
        plain = try PostgresConnection(store)
    }

    /// Whether a thread that waits for the pipe would go on at once.
    private func isReady(_ pipe: WakePipe) -> Bool {
        var descriptor = pollfd(fd: pipe.reading, events: Int16(POLLIN), revents: 0)
        return poll(&descriptor, 1, 0) > 0
    }

    @Test("A refused connection says why")
    func refused() throws {
        let error = try thrown { () throws(RepositoryError) in
            try ReplicationConnection(ConnectionString("host=/nowhere"), WakePipe())
        }
        #expect(error.isCannotOpen && !"\(error)".contains("memory ran out"), "\(error)")
    }

    @Test("A command is not waited for once the stream is closed")
    func closed() throws {
        let pipe = try WakePipe()
        let stream = try ReplicationConnection(parameters, pipe)
        pipe.close()
        #expect(throws: RepositoryError.closed) { try stream.makeSlot("closed_\(plain.schema)") }
        stream.close()
    }

    @Test("A lost connection reports its reason: the given one, the server's words, or none")
    func lost() throws {
        let stream = try ReplicationConnection(parameters, WakePipe())
        #expect("\(stream.lost(nil))".contains("the stream was lost"))
        let reason = "\(stream.lost("it is over"))"
        #expect(reason.contains("it is over") && !reason.contains("the stream was lost"))
        let name = "lost_\(plain.schema)"
        try plain.run("CREATE PUBLICATION \(name)")
        let slot = try stream.makeSlot(name)
        try stream.start(slot, of: name)
        let ended = try plain.rows(
            "SELECT pg_terminate_backend(active_pid, 10000) FROM pg_replication_slots WHERE slot_name = '\(name)'")
        #expect(ended == [[.integer(1)]])
        let error = try thrown { () throws(RepositoryError) in
            while true {
                while try stream.read({ _ in }) {}
                try stream.waitForMore(milliseconds: -1)
            }
        }
        #expect(error.isLost && "\(error)".contains("terminating"), "\(error)")
        stream.close()
    }

    @Test("A wake before a wait ends the wait at once, and is used up by it")
    func woken() throws {
        let pipe = try WakePipe()
        let stream = try ReplicationConnection(parameters, pipe)
        pipe.wake()
        try stream.waitForMore(milliseconds: -1)
        #expect(!isReady(pipe))
        stream.close()
    }

    @Test("A connection with nothing to send waits until data arrives or a thread wakes it")
    func waiting() throws {
        let pipe = try WakePipe()
        // Safe because the other thread alone uses it until it has ended.
        nonisolated(unsafe) let stream = try ReplicationConnection(parameters, pipe)
        let (woken, began, ended) = (Counter(), Gate(), Gate())
        Thread {
            began.open()
            try? stream.waitForMore(milliseconds: -1)
            woken.add()
            ended.open()
        }.start()
        began.wait()
        // Gives the thread every chance to go on.
        for _ in 0..<10_000 { sched_yield() }
        #expect(woken.value == 0)
        pipe.wake()
        ended.wait()
        #expect(woken.value == 1)
        stream.close()
    }

    @Test("A connection that nothing refers to any more is closed")
    func released() throws {
        let name = "released_\(plain.schema)"
        _ = try ReplicationConnection(ConnectionString("\(store) application_name=\(name)"), WakePipe())
        while try !plain.rows("SELECT 1 FROM pg_stat_activity WHERE application_name = '\(name)'").isEmpty {}
    }
}
