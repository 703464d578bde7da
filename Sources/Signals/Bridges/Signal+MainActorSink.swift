import Synchronization

extension Signal {
    /// Runs the signal and calls the closures on the main actor, at once for values that are sent on the main actor.
    ///
    /// Use it in code that is already on the main actor, such as a view. Values that are already available are
    /// delivered before the call returns. A value sent on the main actor does not wait for a turn of the main queue.
    ///
    /// ```swift
    /// @MainActor
    /// final class Label {
    ///     var text = ""
    ///     var token: SignalToken?
    ///     func show(_ name: CurrentValue<String, Never>) {
    ///         token = name.signal.mainActorSink { [weak self] in self?.text = $0 }
    ///         print(text == name.value)  // true
    ///     }
    /// }
    /// ```
    ///
    /// - Delivery: on the main actor, in order of arrival. A value sent on the main actor is delivered before `send`
    ///   returns, after all values that are already queued. Values sent on other threads are queued without bound, and
    ///   delivered in a later turn of the main actor, at most 256 in one turn. Demand is unlimited.
    /// - Failure: passed to `onCompletion`.
    /// - Returns: a token; releasing the token cancels the run.
    @MainActor
    public func mainActorSink(
        onValue: @escaping @MainActor (Value) -> Void,
        onCompletion: @escaping @MainActor (Completion<Failure>) -> Void
    ) -> SignalToken {
        let token = SignalToken()
        mainActorSink(cancelledBy: token, onValue: onValue, onCompletion: onCompletion)
        return token
    }

    /// Runs the signal on the main actor under an existing token, which even the first call of `onValue` can cancel.
    ///
    /// - Delivery: the same as for `mainActorSink(onValue:onCompletion:)`.
    /// - Failure: passed to `onCompletion`.
    @MainActor
    public func mainActorSink(
        cancelledBy token: SignalToken,
        onValue: @escaping @MainActor (Value) -> Void,
        onCompletion: @escaping @MainActor (Completion<Failure>) -> Void
    ) {
        MainActorRun(.init(onValue: onValue, onCompletion: onCompletion), attachment: token.attachment).attach(to: self)
    }
}

extension Signal {
    /// Does not compile: a signal that can fail also needs a closure for its completion.
    ///
    /// - Delivery: nothing.
    /// - Failure: a compile-time error.
    @available(*, unavailable, message: "this signal can fail: use mainActorSink(onValue:onCompletion:)")
    @_disfavoredOverload @MainActor
    public func mainActorSink(onValue: @escaping @MainActor (Value) -> Void) -> SignalToken {
        mainActorSink(onValue: onValue, onCompletion: { _ in })
    }
}

extension Signal where Failure == Never {
    /// Runs the signal and calls a closure on the main actor for each value; only for signals that cannot fail.
    ///
    /// - Delivery: the same as for `mainActorSink(onValue:onCompletion:)`.
    @MainActor
    public func mainActorSink(onValue: @escaping @MainActor (Value) -> Void) -> SignalToken {
        mainActorSink(onValue: onValue, onCompletion: { _ in })
    }
}

/// The last sink of a chain, which delivers events on the main actor in the order in which they arrive.
///
/// Events wait in the inbox, which only the main actor processes. If an event arrives on the main actor, all earlier
/// events and then this event are processed at once. An event from another thread schedules a task on the main actor,
/// unless a task is already scheduled.
final class MainActorRun<Value: Sendable, Failure: Error>: Sendable {
    struct Handlers {
        let onValue: @MainActor (Value) -> Void
        let onCompletion: @MainActor (Completion<Failure>) -> Void
    }

    private enum Event {
        case value(Value)
        case end(Completion<Failure>)
        case release
    }

    @MainActor private var handlers: Handlers?
    /// The events that were taken from the inbox and have not been processed yet.
    @MainActor private var due = RingBuffer<Event>()
    @MainActor private var isDelivering = false
    private let inbox = Inbox<Event>()
    private let isScheduled = Atomic(false)
    private let attachment: Attachment

    @MainActor
    init(_ handlers: Handlers, attachment: Attachment) {
        self.handlers = handlers
        self.attachment = attachment
    }

    func attach(to signal: Signal<Value, Failure>) {
        signal.run(
            into: Sink(
                onUpstream: { [self] upstream in
                    let releasing = Upstream(
                        request: { upstream.request($0) },
                        cancel: { [self] in
                            upstream.cancel()
                            receive(.release)
                        })
                    if attachment.receive(upstream: releasing) { upstream.request(.unlimited) }
                },
                onValue: { [self] in
                    if !attachment.isClosed { receive(.value($0)) }
                    return .none
                },
                onCompletion: { [self] in receive(.end($0)) }))
    }

    private func receive(_ event: Event) {
        inbox.enqueue(event)
        if MainQueue.isCurrent { MainActor.assumeIsolated { deliver(all: true) } } else { schedule() }
    }

    private func schedule() {
        if isScheduled.exchange(true, ordering: .acquiringAndReleasing) { return }
        Task { @MainActor in
            // The flag is reset first, so that an event that arrives from now on schedules its own task. The exchange
            // has acquire ordering, so that this thread sees the events that arrived before.
            _ = isScheduled.exchange(false, ordering: .acquiringAndReleasing)
            deliver(all: false)
        }
    }

    /// Delivers up to 256 waiting events; with `all`, delivers at least the events that wait when the call begins.
    ///
    /// Leaves further events to a later turn, because senders on other threads may never pause.
    @MainActor
    private func deliver(all: Bool) {
        // An event sent inside a delivery waits until that delivery has returned.
        if isDelivering { return }
        isDelivering = true
        defer { isDelivering = false }
        takeWaiting()
        var left = max(256, all ? due.count : 0)
        while left > 0 {
            if due.isEmpty { takeWaiting() }
            guard let event = due.popFirst() else { return }
            process(event)
            left -= 1
        }
        if !due.isEmpty || !inbox.isEmpty { schedule() }
    }

    @MainActor
    private func takeWaiting() {
        var batch = inbox.takeAll()
        while let event = batch.popFirst() { due.append(event) }
    }

    @MainActor
    private func process(_ event: Event) {
        switch event {
        case .value(let value): if !attachment.isClosed { handlers?.onValue(value) }
        case .end(let completion):
            let last = handlers.take()
            if attachment.end() { last?.onCompletion(completion) }
        case .release: if attachment.isClosed { handlers = nil }
        }
    }
}
