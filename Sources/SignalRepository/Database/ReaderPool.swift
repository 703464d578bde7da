import Dispatch
import Signals

/// A few connections that read beside the writer: each piece of work has one to itself, the others wait their turn.
final class ReaderPool: @unchecked Sendable {
    typealias Work = @Sendable (Result<Session, RepositoryError>) -> Void

    fileprivate struct State {
        var idle: [Session] = []
        var opened = 0
        var waiting: [Work] = []
        /// The place of the longest waiting work.
        var first = 0
    }

    // Safe because a session is handed over under the lock and used by one piece of work at a time, and opening a
    // connection changes nothing of the store.
    private let state = Lock(State())
    private let store: OpenedStore
    private let size: Int
    private let queue = DispatchQueue(label: "SignalRepository.readers", attributes: .concurrent)

    init(_ store: OpenedStore, size: Int) {
        self.store = store
        self.size = size
    }

    /// Has `work` done with a connection, as soon as one is free, in the order of the calls.
    func submit(_ work: @escaping Work) {
        let mayStart = state.withLock { state in
            state.waiting.append(work)
            return !state.idle.isEmpty || state.opened < size
        }
        if mayStart { queue.async { self.serve() } }
    }

    /// Opens a connection that does not belong to the pool.
    func makeSession() throws(RepositoryError) -> Session {
        Session(try store.makeReader())
    }

    /// Closes the connections; called when no work is left.
    func close() {
        let idle = state.withLock { state in
            defer { state.idle = [] }
            return state.idle
        }
        for session in idle { session.connection.close() }
    }

    /// Does waiting work with one connection until there is none.
    private func serve() {
        guard let (session, work) = begin() else { return }
        var next: Work? = work
        guard let session = session ?? open(for: work) else { return }
        while let work = next {
            work(.success(session))
            next = state.withLock { state in
                if let work = state.takeWork() { return work }
                state.idle.append(session)
                return nil
            }
        }
    }

    /// Takes work and a connection; no connection means that one may be opened.
    private func begin() -> (Session?, Work)? {
        state.withLock { state in
            guard !state.idle.isEmpty || state.opened < size, let work = state.takeWork() else { return nil }
            if let session = state.idle.popLast() { return (session, work) }
            state.opened += 1
            return (nil, work)
        }
    }

    private func open(for work: Work) -> Session? {
        do {
            return try makeSession()
        } catch {
            state.withLock { $0.opened -= 1 }
            work(.failure(error))
            // Whoever waits behind it must not wait for ever.
            queue.async { self.serve() }
            return nil
        }
    }
}

extension ReaderPool.State {
    fileprivate mutating func takeWork() -> ReaderPool.Work? {
        guard first < waiting.count else { return nil }
        let work = waiting[first]
        first += 1
        if first == waiting.count {
            waiting.removeAll(keepingCapacity: first <= 1024)
            first = 0
        } else if first >= 1024, first * 2 >= waiting.count {
            waiting.removeFirst(first)
            first = 0
        }
        return work
    }
}
