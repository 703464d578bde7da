import Foundation
import NIOCore
import Synchronization

/// The connections that are open at once.
///
/// One too many takes the place of the one that has waited longest for its client, so that a flood of silent clients
/// keeps nobody out.
final class OpenConnections: Sendable {
    private struct State {
        var count = 0
        /// The number of the next connection that begins to wait.
        var next = 0
        /// Those that wait for their clients, by the number with which they began to.
        var waiting: [Int: any Channel] = [:]

        mutating func takeOldest() -> (any Channel)? {
            waiting.keys.min().flatMap { waiting.removeValue(forKey: $0) }
        }
    }

    private let most: Int
    private let state = Mutex(State())

    /// Allows a number of connections, and no more than half of what the process may have open.
    init(most: Int) {
        let limit = sysconf(Int32(_SC_OPEN_MAX))
        self.most = limit < 0 ? most : max(1, min(most, limit / 2))
    }

    /// One of them: it waits for its client until it has a whole request, and again after the response, or while the
    /// client does not read that.
    final class Place {
        private let connections: OpenConnections
        private let channel: any Channel
        private var number: Int?

        /// Takes a place; where there is none left, the connection that has waited longest is closed.
        init(_ channel: any Channel, in connections: OpenConnections) {
            (self.channel, self.connections) = (channel, connections)
            let closed = connections.state.withLock { state in
                state.count += 1
                guard state.count > connections.most else { return nil as (any Channel)? }
                return state.takeOldest() ?? channel
            }
            closed?.close(promise: nil)
            wait()
        }

        func wait() {
            guard number == nil else { return }
            number = connections.state.withLock { state in
                state.next += 1
                state.waiting[state.next] = channel
                return state.next
            }
        }

        func work() {
            guard let number else { return }
            self.number = nil
            connections.state.withLock { _ = $0.waiting.removeValue(forKey: number) }
        }

        func leave() {
            work()
            connections.state.withLock { $0.count -= 1 }
        }
    }
}
