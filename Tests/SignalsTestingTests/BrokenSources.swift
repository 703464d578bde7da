import Signals

@testable import SignalsTesting

/// Sources of 1, 2, 3, each broken in one way.
enum BrokenSources {
    typealias Make = @Sendable (VirtualScheduler) -> Signal<Int, Never>

    static let all: [(law: String, clause: String, make: Make)] = [
        (
            "nothing before demand", "S3",
            { _ in
                raw { sink in
                    _ = sink.receive(0)
                } request: { _, _ in
                }
            }
        ),
        ("whole", "S8", { _ in .sequence([1, 3]) }),
        ("cold", "S2", once),
        ("one at a time", "S14", { _ in all(upTo: 2) }),
        ("end without demand", "S11", { _ in .unfold(1, next: counted) }),
        ("request inside", "S24", { _ in nesting() }),
        ("requests add up", "S15", { _ in overflowing() }),
        ("cancel inside", "S31", { _ in .sequence(1...3).append(.empty()).finishingAnyway }),
        ("cancel at the upstream", "S5", { _ in startled() }),
        ("cancel twice", "S29", { _ in undead() }),
        ("releases", "S34", hoarding),
        ("threads", "S7", { _ in bound() }),
    ]

    /// Returns the next of 1, 2, 3.
    @Sendable private static func counted(_ number: inout Int) -> Int? {
        defer { number += 1 }
        return number < 4 ? number : nil
    }

    /// Creates a source without a fence.
    private static func raw(
        first: @escaping @Sendable (Sink<Int, Never>) -> Void,
        request: @escaping @Sendable (Sink<Int, Never>, Demand) -> Void
    ) -> Signal<Int, Never> {
        Signal(trusted: { sink in
            sink.receive(upstream: Upstream(request: { request(sink, $0) }, cancel: {}))
            first(sink)
        })
    }

    /// Remembers across runs which values it has delivered.
    private static func once(_ scheduler: VirtualScheduler) -> Signal<Int, Never> {
        let left = Lock([1, 2, 3])
        return .unfold(()) { _ in left.withLock { $0.isEmpty ? nil : $0.removeFirst() } }
    }

    /// Delivers `burst` values for each request.
    private static func all(upTo burst: Int) -> Signal<Int, Never> {
        Signal(trusted: { sink in
            let left = Lock([1, 2, 3])
            sink.receive(
                upstream: Upstream(
                    request: { _ in
                        for _ in 0..<burst {
                            guard let next = left.withLock({ $0.isEmpty ? nil : $0.removeFirst() }) else { break }
                            _ = sink.receive(next)
                        }
                        if left.withLock({ $0.isEmpty }) { sink.receive(completion: .finished) }
                    }, cancel: {}))
        })
    }

    /// Delivers inside every request, even one that is made inside a delivery.
    private static func nesting() -> Signal<Int, Never> {
        Signal(trusted: { sink in
            let left = Lock([1, 2, 3])
            sink.receive(
                upstream: Upstream(
                    request: { asked in
                        var more = asked.limit ?? 3
                        while more > 0, let next = left.withLock({ $0.isEmpty ? nil : $0.removeFirst() }) {
                            more += (sink.receive(next).limit ?? 3) - 1
                            if left.withLock({ $0.isEmpty }) { sink.receive(completion: .finished) }
                        }
                    }, cancel: {}))
        })
    }

    /// Ignores large demand, as if it had overflowed.
    private static func overflowing() -> Signal<Int, Never> {
        Signal<Int, Never>.sequence(1...3).lift { next in
            Sink(
                onUpstream: { source in
                    next.receive(
                        upstream: Upstream(
                            request: { source.request(($0.limit ?? 3) > 1_000_000 ? .none : $0) },
                            cancel: { source.cancel() }))
                }, onValue: { next.receive($0) }, onCompletion: { next.receive(completion: $0) })
        }
    }

    /// Finishes although it is cancelled as its upstream arrives.
    private static func startled() -> Signal<Int, Never> {
        Signal(trusted: { sink in
            sink.receive(upstream: Upstream(request: { _ in }, cancel: {}))
            sink.receive(completion: .finished)
        })
    }

    /// Ignores a cancel.
    private static func undead() -> Signal<Int, Never> {
        Signal<Int, Never>.sequence(1...3).lift { next in
            Sink(
                onUpstream: { source in
                    next.receive(upstream: Upstream(request: { source.request($0) }, cancel: {}))
                }, onValue: { next.receive($0) }, onCompletion: { next.receive(completion: $0) })
        }
    }

    /// Retains its sinks.
    private static func hoarding(_ scheduler: VirtualScheduler) -> Signal<Int, Never> {
        Signal(trusted: { sink in
            scheduler.hoard(sink)
            Signal<Int, Never>.sequence(1...3).attach(sink)
        })
    }

    /// Serves requests only on the thread that attached it.
    private static func bound() -> Signal<Int, Never> {
        Signal(trusted: { sink in
            let home = ThreadIdentity.current
            let left = Lock([1, 2, 3])
            sink.receive(
                upstream: Upstream(
                    request: { asked in
                        guard ThreadIdentity.current == home else { return }
                        for _ in 0..<min(3, asked.limit ?? 3) {
                            guard let next = left.withLock({ $0.isEmpty ? nil : $0.removeFirst() }) else { break }
                            _ = sink.receive(next)
                        }
                    }, cancel: {}))
        })
    }
}

extension VirtualScheduler {
    /// Retains a sink for as long as the scheduler lives, even after a cancel.
    fileprivate func hoard(_ sink: Sink<Int, Never>) {
        schedule(after: .seconds(1_000_000)) { _ = sink.receive(0) }.detach()
    }
}

extension Signal where Value == Int, Failure == Never {
    /// Finishes after the value 3, even after a cancel.
    fileprivate var finishingAnyway: Signal {
        lift { next in
            Sink(
                passingTo: next,
                onValue: { value in
                    let more = next.receive(value)
                    if value == 3 { next.receive(completion: .finished) }
                    return more
                }, onCompletion: { _ in })
        }
    }
}
