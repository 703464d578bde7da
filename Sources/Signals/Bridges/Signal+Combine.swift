#if canImport(Combine)
    public import Combine

    extension Signal {
        /// The signal as a Combine publisher.
        ///
        /// - Delivery: the same as for the signal.
        /// - Failure: the signal's.
        public var publisher: AnyPublisher<Value, Failure> {
            AnyPublisher(SignalPublisher(signal: self))
        }

        /// Creates a signal from a Combine publisher, to which each sink subscribes.
        ///
        /// As with `Signal.init(_:)`, the signal drops calls of the publisher that break the stream contract.
        ///
        /// - Delivery: the same as for the publisher. A sink subscribes on the thread that attaches it.
        /// - Failure: the publisher's.
        public init(publisher: some Publisher<Value, Failure>) {
            // Safe because Combine publishers may be subscribed to from any thread, although few are `Sendable`.
            nonisolated(unsafe) let publisher = AnyPublisher(publisher)
            self.init { sink in publisher.receive(subscriber: SinkSubscriber(sink: sink)) }
        }
    }

    extension Demand {
        fileprivate var combined: Subscribers.Demand { limit.map { .max($0) } ?? .unlimited }

        fileprivate init(_ demand: Subscribers.Demand) { self = demand.max.map { .max($0) } ?? .unlimited }
    }

    private struct SignalPublisher<Output: Sendable, Failure: Error>: Publisher {
        let signal: Signal<Output, Failure>

        func receive<Downstream: Subscriber>(subscriber: Downstream)
        where Downstream.Input == Output, Downstream.Failure == Failure {
            // Safe because the signal calls its sink one call at a time, as a subscriber requires.
            nonisolated(unsafe) let subscriber = AnySubscriber(subscriber)
            signal.attach(
                Sink(
                    onUpstream: { subscriber.receive(subscription: SinkSubscription(upstream: $0)) },
                    onValue: { Demand(subscriber.receive($0)) },
                    onCompletion: { completion in
                        switch completion {
                        case .finished: subscriber.receive(completion: .finished)
                        case .failure(let failure): subscriber.receive(completion: .failure(failure))
                        }
                    }))
        }
    }

    private final class SinkSubscription: Subscription {
        private let upstream: Upstream
        init(upstream: Upstream) { self.upstream = upstream }
        func request(_ demand: Subscribers.Demand) { upstream.request(Demand(demand)) }
        func cancel() { upstream.cancel() }
    }

    private struct SinkSubscriber<Input: Sendable, Failure: Error>: Subscriber {
        let sink: Sink<Input, Failure>
        let combineIdentifier = CombineIdentifier()

        func receive(subscription: any Subscription) {
            // Safe because Combine subscriptions may be requested from and cancelled on any thread.
            nonisolated(unsafe) let subscription = subscription
            sink.receive(
                upstream: Upstream(
                    request: { subscription.request($0.combined) }, cancel: { subscription.cancel() }))
        }

        func receive(_ input: Input) -> Subscribers.Demand { sink.receive(input).combined }

        func receive(completion: Subscribers.Completion<Failure>) {
            switch completion {
            case .finished: sink.receive(completion: .finished)
            case .failure(let failure): sink.receive(completion: .failure(failure))
            }
        }
    }
#endif
