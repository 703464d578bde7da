import Foundation
import Signals
import SignalsLaws
import SignalsTesting

/// Ways in which a signal with many sinks may go wrong.
enum BrokenHotSources {
    /// Retains every sink that was ever attached.
    static func keepingItsSinks(_ upstream: Source) -> Source {
        let kept = Lock<[End]>([])
        return Signal(trusted: { sink in
            kept.withLock { $0.append(sink) }
            upstream.attach(sink)
        })
    }

    /// Delivers under a lock that an attach takes, too.
    static func locking(_ upstream: Source) -> Source {
        // Recursive: otherwise, a re-entrant call would hang forever, and with it the law.
        let lock = NSRecursiveLock()
        return Signal(trusted: { sink in
            lock.withLock {}
            upstream.attach(
                Sink(
                    passingTo: sink, onValue: { value in lock.withLock { sink.receive(value) } },
                    onCompletion: { sink.receive(completion: $0) }))
        })
    }

    /// Serves its sinks through one queue of events, where the first caller processes all that arrive during its call.
    final class Eager: Sendable {
        private enum Event {
            case value(LawValue)
            case join(Int, End)
            case leave(Int)
        }

        private let state = Lock((events: [Event](), isBusy: false, lastID: 0, isConnected: false))
        private let sinks = Lock<[(id: Int, sink: End)]>([])
        private let upstream: Source?

        /// Creates a source that sends the values of `upstream`, if any, from the first sink on.
        init(_ upstream: Source? = nil) { self.upstream = upstream }

        var signal: Source {
            Signal(trusted: { sink in
                let id = self.state.withLock { state in
                    state.lastID += 1
                    return state.lastID
                }
                sink.receive(upstream: Upstream(request: { _ in }, cancel: { self.submit(.leave(id)) }))
                self.submit(.join(id, sink))
                self.connect()
            })
        }

        func send(_ value: LawValue) { submit(.value(value)) }

        private func connect() {
            let isFirst = state.withLock { state in
                defer { state.isConnected = true }
                return !state.isConnected
            }
            if isFirst { upstream?.sink(onValue: { self.send($0) }, onCompletion: { _ in }).detach() }
        }

        private func submit(_ event: Event) {
            let isWorker = state.withLock { state in
                state.events.append(event)
                defer { state.isBusy = true }
                return !state.isBusy
            }
            while isWorker, let next = take() { process(next) }
        }

        private func take() -> Event? {
            state.withLock { state in
                if state.events.isEmpty {
                    state.isBusy = false
                    return nil
                }
                return state.events.removeFirst()
            }
        }

        private func process(_ event: Event) {
            switch event {
            case .value(let value): for (_, sink) in sinks.withLock({ $0 }) { _ = sink.receive(value) }
            case .join(let id, let sink):
                // Takes until another thread has sent, if one does.
                var turns = 0
                while turns < 10_000 && state.withLock({ $0.events.isEmpty }) {
                    sched_yield()
                    turns += 1
                }
                sinks.withLock { $0.append((id, sink)) }
            case .leave(let id): sinks.withLock { sinks in sinks.removeAll { $0.id == id } }
            }
        }
    }
}
