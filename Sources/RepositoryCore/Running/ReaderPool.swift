import Foundation
import Signals

/// A pool of connections that read alongside the writer: each piece of work gets one to itself, or waits for one.
final class ReaderPool: Sendable {
    typealias Work = @Sendable (Result<Session, RepositoryError>) -> Void

    private struct State {
        var idle: [Session] = []
        var opened = 0
        /// Called when the last connection is closed; `nil` while the pool is open.
        var whenClosed: (@Sendable () -> Void)?
    }

    // A session is handed over under the lock and used by one piece of work at a time.
    private let state = Lock(State())
    private let store: any StoreEngine
    private let queue: Executor

    init(_ store: any StoreEngine, size: Int) {
        self.store = store
        queue = Executor(label: "SignalRepository.readers", width: size)
    }

    /// Does `work` with a connection, as soon as one is free, in the order of the calls.
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
        Session(try store.makeReader())
    }

    /// Closes the connections, and calls `done` when the last of them is closed; called when no work is left.
    ///
    /// A connection whose work has just ended may not have been given back yet.
    func close(then done: @escaping @Sendable () -> Void) {
        let idle = state.withLock { state in
            defer { state.idle = [] }
            state.whenClosed = done
            return state.idle
        }
        for session in idle { session.close() }
        retire(idle.count)
    }

    /// Closes the connections until they are needed again, and calls `done` when the last of them is closed; called
    /// when no work is left.
    func drain(then done: @escaping @Sendable () -> Void) {
        close { [self] in
            state.withLock { $0.whenClosed = nil }
            done()
        }
    }

    /// Reopens the writer of the store; called while the pool is drained.
    func reopenWriter(now: @escaping @Sendable () -> Date) throws(RepositoryError) -> (any StoreWriter)? {
        try store.reopenWriter(now: now)
    }

    /// Takes an idle connection, or opens one; the width of the queue bounds how many are in use.
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
