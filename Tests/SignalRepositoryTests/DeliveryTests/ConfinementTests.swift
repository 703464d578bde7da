import Dispatch
import Foundation
import Signals
import SignalsTesting
import TestTraits
import Testing

@testable import RepositoryCore
@testable import SignalRepository

/// Debug builds assert what the comments say about queues and threads.
@Suite("A3 A queue's state is used only on that queue", .timeLimit(.minutes(10))) struct ConfinementTests {
    @Test("A3 A confinement is held from the start to the end of its work, nested work included")
    func holding() {
        let confinement = Confinement()
        for _ in 0..<2 {
            let value = confinement.during {
                confinement.assertHeld()
                return confinement.during { 1 }
            }
            #expect(value == 1)
        }
        // Afterwards another thread may hold it.
        DispatchQueue.concurrentPerform(iterations: 1) { _ in confinement.during {} }
    }

    @Test("A3 Asserting that a confinement is held traps where it is not", .prompt) func notHeld() async {
        await #expect(processExitsWith: .failure) { Confinement().assertHeld() }
        await #expect(processExitsWith: .failure) {
            let confinement = Confinement()
            confinement.during {
                let done = DispatchSemaphore(value: 0)
                Thread {
                    confinement.assertHeld()
                    done.signal()
                }.start()
                done.wait()
            }
        }
        await #expect(processExitsWith: .failure) { DispatchQueue(label: "other").assertCurrent() }
    }

    @Test("A3 Work on a queue holds the queue's confinement, and no other thread does", .prompt) func queues() async {
        let (queue, done) = (Executor(label: "test"), Gate())
        queue.async {
            queue.confinement.assertHeld()
            done.open()
        }
        await done.opened()
        await #expect(processExitsWith: .failure) {
            let queue = Executor(label: "test")
            let (isIn, mayGo) = (DispatchSemaphore(value: 0), DispatchSemaphore(value: 0))
            queue.async {
                isIn.signal()
                mayGo.wait()
            }
            isIn.wait()
            queue.confinement.assertHeld()
        }
    }

    @Test("A3 A writer that is used off its queue traps", .prompt) func writer() async {
        await #expect(processExitsWith: .failure) {
            let connection = try Memory<Box<Int>>().connection
            let writer = WriterQueue(
                SQLiteWriter(connection, checkpointBound: nil, now: { .distantPast }),
                queue: Executor(label: "writer"), log: CommitLog())
            _ = writer.session
        }
    }

    @Test("A3 A live query that is used off its queue traps", .prompt) func sharedQuery() async throws {
        let query = TypedSharedQuery(LiveQuery { try $0.count(Box<Int>.self) })
        #expect(try query.sendUpdated(commit: 1) == nil)
        await #expect(processExitsWith: .failure) {
            let queue = Executor(label: "live")
            let query = TypedSharedQuery(LiveQuery { try $0.count(Box<Int>.self) }, on: queue.confinement)
            _ = try query.sendUpdated(commit: 1)
        }
    }

    @Test("A3 Two threads that use a connection at once trap", .prompt) func connection() async {
        await #expect(processExitsWith: .failure) {
            // Unsafe on purpose: the connection must detect the misuse.
            nonisolated(unsafe) let connection = try Memory<Box<Int>>().connection
            let done = DispatchSemaphore(value: 0)
            connection.withCancellation(nil) {
                Thread {
                    _ = try? connection.rows("SELECT 1")
                    done.signal()
                }.start()
                done.wait()
            }
        }
    }
}
