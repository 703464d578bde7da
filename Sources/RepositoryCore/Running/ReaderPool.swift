import Foundation
import Signals

/// A pool of connections that read alongside the writer.
///
/// Each piece of work waits for a free connection, and uses it alone.
final class ReaderPool: Sendable {
    typealias Work = @Sendable (Result<Session, RepositoryError>) -> Void

    private struct State {
        var idle: [Session] = []
        var opened = 0
        /// Called when the last connection is closed; `nil` while the pool is open.
        var whenClosed: (@Sendable () -> Void)?
    }

    // The lock guards the handover of a session. Only one piece of work uses a session at a time.
    private let state = Lock(State())
    private let store: any StoreEngine
    private let now: @Sendable () -> Date
    private let queue: Executor

    init(_ store: any StoreEngine, size: Int, now: @escaping @Sendable () -> Date) {
        (self.store, self.now) = (store, now)
        queue = Executor(label: "SignalRepository.readers", width: size)
    }

    /// Runs `work` with a connection as soon as one is free, in the order of the calls.
    func submit(_ work: @escaping Work) {
        queue.submit { [self] in
            let session: Session
            do throws(RepositoryError) {
                session = try take()
            } catch {
                return work(.failure(error))
            }
            work(.success(session))
            giveBack(session)
        }
    }

    /// Opens a connection that does not belong to the pool.
    func makeSession() throws(RepositoryError) -> Session {
        Session(try store.makeReader(), now: now)
    }

    /// Closes the connections, and calls `done` when the last connection is closed.
    ///
    /// The caller must wait until no work is left. Even then, the last work may not have returned its connection to the
    /// pool; the pool closes that connection when it is returned.
    func close(then done: @escaping @Sendable () -> Void) {
        let idle = state.withLock { state in
            defer { state.idle = [] }
            state.whenClosed = done
            return state.idle
        }
        for session in idle { session.close() }
        retire(idle.count)
    }

    /// Closes the connections, and calls `done` when the last one is closed; later work opens new connections.
    ///
    /// The caller must wait until no work is left.
    func drain(then done: @escaping @Sendable () -> Void) {
        close { [self] in
            state.withLock { $0.whenClosed = nil }
            done()
        }
    }

    /// Reopens the writer of the store; must be called while the pool has no connections.
    func reopenWriter() throws(RepositoryError) -> (any StoreWriter)? {
        try store.reopenWriter(now: now)
    }

    /// Takes an idle connection, or opens a new one.
    ///
    /// The width of the queue limits the number of connections in use.
    private func take() throws(RepositoryError) -> Session {
        let idle = state.withLock { state in
            let session = state.idle.popLast()
            if session == nil { state.opened += 1 }
            return session
        }
        if let idle { return idle }
        do {
            return try makeSession()
        } catch {
            retire(1)
            throw error
        }
    }

    private func giveBack(_ session: Session) {
        let isClosed = state.withLock { state in
            if state.whenClosed == nil { state.idle.append(session) }
            return state.whenClosed != nil
        }
        guard isClosed else { return }
        session.close()
        retire(1)
    }

    private func retire(_ count: Int) {
        let done = state.withLock { state in
            state.opened -= count
            return state.opened == 0 ? state.whenClosed.take() : nil
        }
        guard let done else { return }
        store.readersClosed()
        done()
    }
}
