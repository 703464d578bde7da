import Signals

/// Where a stream's items come from, one after another; used by one thread at a time.
package struct OpenRows<Item> {
    /// Returns the next item; `nil` after the last one.
    let next: () throws -> Item?
    let close: () -> Void
}

/// A run that ends early when its repository is closed.
protocol EndableRun: AnyObject, Sendable {
    func fail(_ error: RepositoryError)
}

/// One run of a stream: makes an item when the sink requests one, on the delivery threads.
///
/// One item is made ahead, so that the run ends with its last item and not with the request after it.
final class RowStream<Item: Sendable>: EndableRun {
    private struct State {
        var sink: Sink<Item, RepositoryError>?
        var demand = Demand.none
        var failure: RepositoryError?
        var isPumping = true
        /// Whether the pump is in the sink, which may take as long as it likes.
        var isDelivering = false
        /// Whether the rows are closed, or about to be by whoever has set this.
        var isClosed = false
        /// What the pump has in hand, while it rests or delivers.
        var hand = Hand()

        /// Whether the sink gets no more items.
        var isStopped: Bool { sink == nil || failure != nil }
    }

    private struct Hand {
        var rows: OpenRows<Item>?
        var ahead: Result<Item?, RepositoryError>?
    }

    private enum Step {
        case deliver(Sink<Item, RepositoryError>, Item)
        case end(Sink<Item, RepositoryError>?, Completion<RepositoryError>, isToClose: Bool)
        case pause
    }

    private let state: Lock<State>
    /// Held while the rows are read or closed.
    private let confinement = Confinement()
    private let cancellation: CancellationFlag
    private let open: @Sendable () throws -> OpenRows<Item>
    private let ended: @Sendable () -> Void

    /// `open` is called on a delivery thread, and `ended` once, when the rows are closed.
    init(
        _ sink: Sink<Item, RepositoryError>, _ cancellation: CancellationFlag,
        open: @escaping @Sendable () throws -> OpenRows<Item>, ended: @escaping @Sendable () -> Void
    ) {
        state = Lock(State(sink: sink))
        (self.cancellation, self.open, self.ended) = (cancellation, open, ended)
    }

    func start() {
        Delivery.schedule { self.pump() }
    }

    func request(_ more: Demand) {
        wake { state in
            state.demand += more.needed
            return nil
        }
    }

    func cancel() {
        wake { [cancellation] state in
            // Together with the sink, so that nobody is notified of the interruption.
            cancellation.cancel()
            return state.sink.take()
        }
    }

    func fail(_ error: RepositoryError) {
        wake { [cancellation] state in
            cancellation.cancel()
            if state.failure == nil { state.failure = error }
            return nil
        }
    }

    /// Changes the state, and starts the pump if it rests; what is returned is released outside the lock.
    ///
    /// Rows that are no longer wanted are closed although the sink has not returned: it may wait for just that.
    private func wake(_ change: (inout State) -> Sink<Item, RepositoryError>?) {
        let (released, isNeeded, isToClose) = state.withLock { state in
            let released = change(&state)
            let isNeeded = !state.isPumping && !state.isClosed
            if isNeeded { state.isPumping = true }
            let isToClose = state.isDelivering && state.isStopped && !state.isClosed
            if isToClose { state.isClosed = true }
            return (released, isNeeded, isToClose)
        }
        withExtendedLifetime(released) {}
        if isNeeded { start() }
        if isToClose { Delivery.schedule { self.close(self.takeHand()) } }
    }

    private func takeHand() -> Hand {
        state.withLock { state in
            defer { state.hand = Hand() }
            return state.hand
        }
    }

    private func close(_ hand: Hand) {
        confinement.during { hand.rows?.close() }
        ended()
    }

    private func pump() {
        var hand = takeHand()
        while true {
            if hand.ahead == nil { hand.ahead = read(&hand.rows) }
            switch step(&hand) {
            case .pause: return
            case .deliver(let sink, let item):
                let more = sink.receive(item)
                hand = handAfterDelivery()
                if more > .none { request(more) }
            case .end(let sink, let completion, let isToClose):
                if isToClose { close(hand) }
                hand = Hand()
                sink?.receive(completion: completion)
                return
            }
        }
    }

    /// Takes back what the pump had in hand, unless somebody closes it.
    private func handAfterDelivery() -> Hand {
        state.withLock { state in
            state.isDelivering = false
            guard !state.isClosed else { return Hand() }
            defer { state.hand = Hand() }
            return state.hand
        }
    }

    private func read(_ rows: inout OpenRows<Item>?) -> Result<Item?, RepositoryError>? {
        guard !cancellation.isCancelled else { return nil }
        do {
            return try confinement.during {
                let opened = try rows ?? open()
                rows = opened
                return .success(try opened.next())
            }
        } catch {
            return .failure(.thrown(error))
        }
    }

    private func step(_ hand: inout Hand) -> Step {
        state.withLock { state in
            let isOver: Completion<RepositoryError>? =
                switch (state.failure, hand.ahead) {
                case (let failure?, _): .failure(failure)
                case (nil, .failure(let error)): .failure(error)
                case (nil, .success(nil)): .finished
                case (nil, .success), (nil, nil): nil
                }
            if state.sink == nil || isOver != nil {
                defer { state.isClosed = true }
                return .end(state.sink.take(), isOver ?? .finished, isToClose: !state.isClosed)
            }
            guard state.demand > .none, case .success(let item?)? = hand.ahead, let sink = state.sink else {
                state.isPumping = false
                state.hand = hand
                return .pause
            }
            state.demand.subtractOne()
            (state.isDelivering, state.hand.rows) = (true, hand.rows)
            hand = Hand()
            return .deliver(sink, item)
        }
    }
}

/// The runs that are in progress, to be ended when the repository is closed.
final class OpenRuns: Sendable {
    private struct State {
        var runs: [ObjectIdentifier: any EndableRun] = [:]
        var isClosed = false
    }

    private let state = Lock(State())

    /// Keeps a run until it is removed; false when it is too late.
    func add(_ run: any EndableRun) -> Bool {
        state.withLock { state in
            if !state.isClosed { state.runs[ObjectIdentifier(run)] = run }
            return !state.isClosed
        }
    }

    func remove(_ run: any EndableRun) {
        let removed = state.withLock { $0.runs.removeValue(forKey: ObjectIdentifier(run)) }
        withExtendedLifetime(removed) {}
    }

    func end(_ error: RepositoryError) {
        for run in state.withLock({ $0.runs.values.map { $0 } }) { run.fail(error) }
    }

    /// Ends them all, and those that come later.
    func close() {
        let runs = state.withLock { state in
            state.isClosed = true
            return state.runs.values.map { $0 }
        }
        for run in runs { run.fail(.closed) }
    }
}
