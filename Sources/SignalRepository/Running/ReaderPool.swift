import Signals

/// A few connections that read alongside the writer: each piece of work has one to itself, the others wait their turn.
final class ReaderPool: @unchecked Sendable {
    /// Returns the delivery of its result, if that is due: it is made when the connection has been given back.
    typealias Work = @Sendable (Result<Session, RepositoryError>) -> (@Sendable () -> Void)?

    fileprivate struct State {
        var idle: [Session] = []
        var opened = 0
        var waiting = RingBuffer<Work>()
        /// How many threads deliver a result.
        var delivering = 0
        /// What to call when the last connection is closed; nil while the pool is open.
        var whenClosed: (@Sendable () -> Void)?
    }

    // Safe because a session is handed over under the lock and used by one piece of work at a time, and opening a
    // connection changes nothing in the store.
    private let state = Lock(State())
    private let store: OpenedStore
    private let size: Int
    private let threads: Threads

    init(_ store: OpenedStore, size: Int) {
        self.store = store
        self.size = max(1, size)
        // Those that read, and those that deliver what they have read.
        threads = Threads(label: "SignalRepository.readers", limit: 2 * self.size)
    }

    /// Does `work` with a connection, as soon as one is free, in the order of the calls.
    func submit(_ work: @escaping Work) {
        let mayStart = state.withLock { state in
            state.waiting.append(work)
            return !state.idle.isEmpty || state.opened < size
        }
        if mayStart { threads.async { self.serve() } }
    }

    /// Opens a connection that does not belong to the pool.
    func makeSession() throws(RepositoryError) -> Session {
        Session(try store.makeReader())
    }

    /// Closes the connections, and calls `done` when the last of them is closed; called when no work is left.
    ///
    /// A connection whose work has just ended may still be on its way back.
    func close(then done: @escaping @Sendable () -> Void) {
        let idle = state.withLock { state in
            defer { state.idle = [] }
            state.whenClosed = done
            return state.idle
        }
        for session in idle { session.close() }
        retire(idle.count)
    }

    /// Counts closed connections.
    private func retire(_ count: Int) {
        let done = state.withLock { state in
            state.opened -= count
            return state.opened == 0 ? state.whenClosed.take() : nil
        }
        guard let done else { return }
        store.removeLog()
        done()
    }

    /// Does waiting work with one connection until there is none left.
    ///
    /// To wake a thread costs more than to read an item. So this one delivers the last result, without its connection,
    /// unless sinks block as many of these threads as there are connections.
    private func serve() {
        guard let (session, work) = begin() else { return }
        var next: Work? = work
        guard let session = session ?? open(for: work) else { return }
        while let work = next {
            let delivery = work(.success(session))
            let (further, isClosed, isHere) = state.withLock { state -> (Work?, Bool, Bool) in
                if let work = state.waiting.popFirst() { return (work, false, false) }
                if state.whenClosed == nil { state.idle.append(session) }
                let isHere = delivery != nil && state.delivering < size
                if isHere { state.delivering += 1 }
                return (nil, state.whenClosed != nil, isHere)
            }
            if isClosed {
                session.close()
                retire(1)
            }
            next = further
            if isHere {
                delivery?()
                state.withLock { $0.delivering -= 1 }
            } else {
                Delivery.schedule(delivery)
            }
        }
    }

    /// Takes work and a connection; no connection means that one may be opened.
    private func begin() -> (Session?, Work)? {
        state.withLock { state in
            guard !state.idle.isEmpty || state.opened < size, let work = state.waiting.popFirst() else { return nil }
            if let session = state.idle.popLast() { return (session, work) }
            state.opened += 1
            return (nil, work)
        }
    }

    private func open(for work: Work) -> Session? {
        do {
            return try makeSession()
        } catch {
            retire(1)
            Delivery.schedule(work(.failure(error)))
            // Work waiting behind it must not wait forever.
            threads.async { self.serve() }
            return nil
        }
    }
}
