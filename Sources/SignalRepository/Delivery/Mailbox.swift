import Signals

/// What waits at the end of a live signal until its sink requests it.
protocol MailboxContent: Sendable {
    /// What holds one value. It has a known form for all types of values, because a mailbox that had to ask for each
    /// type at each step would take several times as long.
    associatedtype Letter: Sendable

    /// Whether a failure waits until all values have been requested; otherwise it is delivered at once, in their place.
    static var outlastsFailure: Bool { get }

    var isEmpty: Bool { get }

    /// Takes the letter that is delivered first; what it replaces is released outside the lock.
    mutating func takeFirst() -> (letter: Letter, replaced: Letter?)?

    mutating func removeAll()
}

/// Who opens what a mailbox delivers, and passes it on to a sink; an object, because it is copied at each delivery.
///
/// It knows the type of the sink's values, so that the mailbox need not.
protocol LetterReceiver<Letter>: AnyObject, Sendable {
    associatedtype Letter
    associatedtype Value
    var sink: Sink<Value, RepositoryError> { get }
    func receive(_ letter: Letter) -> Demand
    func fail(_ error: RepositoryError)
}

extension LetterReceiver {
    func fail(_ error: RepositoryError) { sink.receive(completion: .failure(error)) }
}

/// The emitting end of a live signal: holds what its sink has not requested, as `Content` says, and delivers the rest.
///
/// Values and the failure are put in one at a time; deliveries run off the database queues, one at a time; requests and
/// cancels may come from anywhere.
final class Mailbox<Content: MailboxContent>: Sendable {
    typealias Receiver = any LetterReceiver<Content.Letter>

    private struct State {
        var sink: Receiver?
        var demand = Demand.none
        var content: Content
        var failure: RepositoryError?
        var isDelivering = false

        /// Whether there is something to deliver now.
        var isDue: Bool {
            guard sink != nil else { return false }
            if demand > .none && !content.isEmpty { return true }
            return failure != nil && (content.isEmpty || !Content.outlastsFailure)
        }

        /// Whether the caller has to start the delivery.
        mutating func beginDelivering() -> Bool {
            guard isDue, !isDelivering else { return false }
            isDelivering = true
            return true
        }
    }

    private enum Step {
        case value(Receiver, Content.Letter)
        case failure(Receiver, RepositoryError)
    }

    private let state: Lock<State>

    init(_ sink: Receiver, _ content: Content) {
        state = Lock(State(sink: sink, content: content))
    }

    /// Whether the sink receives nothing more.
    var isEnded: Bool { state.withLock { $0.sink == nil || $0.failure != nil } }

    /// Returns what `body` makes of the waiting content.
    func look<Seen>(_ body: (Content) -> Seen) -> Seen { state.withLock { body($0.content) } }

    /// Changes the waiting content, unless the sink receives nothing more; returns what is to be released or reported
    /// outside the lock, and whether the caller has to have the mailbox delivered.
    func put<Released>(_ body: (inout Content) -> Released) -> (released: Released?, isDue: Bool) {
        state.withLock { state in
            guard state.sink != nil, state.failure == nil else { return (nil, false) }
            let released = body(&state.content)
            return (released, state.beginDelivering())
        }
    }

    /// Ends the signal with a failure, after whatever precedes it.
    func fail(_ error: RepositoryError) {
        let isDue = state.withLock { state in
            if state.failure == nil { state.failure = error }
            return state.beginDelivering()
        }
        if isDue { schedule() }
    }

    func request(_ more: Demand) {
        let isDue = state.withLock { state in
            state.demand += more
            return state.beginDelivering()
        }
        if isDue { schedule() }
    }

    /// Forgets the sink and everything that waits.
    func cancel() {
        let released = state.withLock { state in
            let released = (state.sink, state.content)
            state.sink = nil
            state.content.removeAll()
            return released
        }
        withExtendedLifetime(released) {}
    }

    /// Delivers what is due, on a thread of the delivery queue; called once by whoever was told that it is.
    func schedule() {
        Delivery.schedule { self.deliver() }
    }

    /// Leaves what comes to the caller, who delivers it; called before anything is put in.
    func hold() { state.withLock { $0.isDelivering = true } }

    /// Delivers what is due, if it has been left to the caller.
    func deliver() {
        while let step = next() {
            switch step {
            case .value(let sink, let letter):
                let more = sink.receive(letter)
                if more > .none { request(more) }
            case .failure(let sink, let error):
                cancel()
                sink.fail(error)
            }
        }
    }

    private func next() -> Step? {
        let (step, replaced) = state.withLock { state -> (Step?, Content.Letter?) in
            guard let sink = state.sink, state.isDue else {
                state.isDelivering = false
                return (nil, nil)
            }
            guard state.demand > .none, let (letter, replaced) = state.content.takeFirst() else {
                return (state.failure.map { .failure(sink, $0) }, nil)
            }
            state.demand.subtractOne()
            return (.value(sink, letter), replaced)
        }
        withExtendedLifetime(replaced) {}
        return step
    }
}
