/// The engine of the time-based operators: one serial inbox for values, the end and timers.
///
/// An operator supplies its state, and closures for a value, the end and the timer. The closures run in the inbox, one
/// at a time. The end and a cancel also cancel the timer, so that no timer is left behind (Contract.md, S37).
@usableFromInline
final class Timed<State: Sendable, Value: Sendable, Output: Sendable, Failure: Error>: Engine, @unchecked Sendable {
    /// The closures of an operator; each receives the run, through which it emits, ends and sets the timer.
    struct Logic: Sendable {
        /// The initial request to the upstream; if nil, the sink's requests are passed on.
        var demand: Demand?
        /// Called once, when the sink has its upstream.
        var onStart: @Sendable (Timed) -> Void = { _ in }
        var onValue: @Sendable (Timed, Value) -> Void
        /// Called when the upstream ends, to emit values that were held back.
        ///
        /// It must call `end`, now or later.
        var onFinish: @Sendable (Timed, Completion<Failure>) -> Void = { $0.end($1) }
        var onTimer: @Sendable (Timed) -> Void = { _ in }
    }

    @usableFromInline
    enum Event {
        case start
        case value(Value)
        case end(Completion<Failure>)
        case timer(Int)
        case release
    }

    // Safe because these variables are confined to `inbox`, and the other properties are constant or atomic.
    var state: State
    private var next: Sink<Output, Failure>?
    private var timer: SignalToken?
    private var timerNumber = 0

    @usableFromInline let inbox = Inbox<Event>()
    private let attachment = Attachment()
    private let pendingDemand = PendingDemand()
    private let logic: Logic
    private let scheduler: any SignalScheduler

    init(_ next: Sink<Output, Failure>, _ state: State, on scheduler: any SignalScheduler, _ logic: Logic) {
        self.next = next
        self.state = state
        self.scheduler = scheduler
        self.logic = logic
    }

    /// The sink passed to the upstream.
    var sink: Sink<Value, Failure> {
        Sink(
            onUpstream: { self.receive(upstream: $0) },
            onValue: {
                self.inbox.submit(.value($0), to: self)
                return .none
            },
            onCompletion: { self.inbox.submit(.end($0), to: self) })
    }

    var now: Duration { scheduler.now }

    private func receive(upstream new: Upstream) {
        guard attachment.receive(upstream: new) else { return }
        control(.start)
        if let demand = logic.demand { attachment.request(demand) }
    }

    /// Gives the sink its upstream and calls `onStart`.
    ///
    /// Both steps are one event, so that no timer fires between them.
    private func start() {
        let passesDemand = logic.demand == nil
        next?.receive(
            upstream: Upstream(
                request: { [self] in
                    guard passesDemand else { return }
                    pendingDemand.add($0)
                    settleUnlessBusy()
                },
                cancel: { [self] in
                    attachment.cancel()
                    control(.release)
                }))
        logic.onStart(self)
    }

    @usableFromInline
    func settle() { attachment.request(pendingDemand.take()) }

    @usableFromInline
    func process(_ event: Event) {
        guard !attachment.isClosed, next != nil else { return release() }
        switch event {
        case .start: start()
        case .value(let value): logic.onValue(self, value)
        case .end(let completion): logic.onFinish(self, completion)
        case .timer(let number):
            guard number == timerNumber, timer != nil else { return }
            timer?.detach()
            timer = nil
            logic.onTimer(self)
        case .release: release()
        }
    }

    private func release() {
        clearTimer()
        next = nil
    }

    // The following members are for the closures of `Logic` only.

    var isTimerSet: Bool { timer != nil }

    /// Sets the timer, replacing the one that was set.
    func setTimer(after delay: Duration) {
        clearTimer()
        timerNumber += 1
        let number = timerNumber
        timer = scheduler.schedule(after: delay) { [self] in inbox.submit(.timer(number), to: self) }
    }

    func clearTimer() {
        timer?.cancel()
        timer = nil
    }

    /// Delivers a value.
    ///
    /// If the sink's demand goes to the upstream, the demand that the sink returns is also requested from the upstream.
    func emit(_ output: Output) {
        guard !attachment.isClosed, let more = next?.receive(output) else { return }
        if logic.demand == nil { pendingDemand.add(more) }
    }

    /// Ends the run; with `cancelling`, also cancels the upstream, which has not ended by itself.
    func end(_ completion: Completion<Failure>, cancelling: Bool = false) {
        guard let last = next.take() else { return }
        release()
        let (closed, upstream) = attachment.close()
        guard closed else { return }
        if cancelling { upstream?.cancel() }
        last.receive(completion: completion)
    }

    /// Ends the run.
    ///
    /// A finish first delivers `last`, a value that was held back; a failure drops it.
    func end(_ completion: Completion<Failure>, after last: Output?, stage: StaticString) {
        if let last {
            if case .finished = completion { emit(last) } else { DiscardHook.report(last, .afterEnd, stage: stage) }
        }
        end(completion)
    }
}

extension Signal {
    func timed<State: Sendable, Output: Sendable>(
        _ state: State, on scheduler: some SignalScheduler, _ logic: Timed<State, Value, Output, Failure>.Logic
    ) -> Signal<Output, Failure> {
        lift { next in Timed(next, state, on: scheduler, logic).sink }
    }
}
