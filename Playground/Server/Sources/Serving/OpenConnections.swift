import Foundation
import HummingbirdCore
import NIOCore
import Synchronization

/// The connections that are open at once.
///
/// One too many takes the place of the one that has waited longest for its client, so that a flood of silent clients
/// keeps nobody out. Half as many more are accepted while all are being answered, and then none.
final class OpenConnections: Sendable {
    private struct State {
        var count = 0
        /// The number of the next connection that begins to wait.
        var next = 0
        /// Those that wait for their clients, by the number with which they began to.
        var waiting: [Int: any Channel] = [:]
        /// Those of them that are about to be closed, unless a request comes before.
        var leaving: Set<Int> = []
    }

    /// Half of the files that the process may open.
    static let affordable: Int = {
        let limit = sysconf(Int32(_SC_OPEN_MAX))
        return limit < 0 ? .max : max(2, limit / 2)
    }()

    private let most: Int
    private let state = Mutex(State())

    /// Allows a number of connections.
    init(most: Int) {
        self.most = max(1, min(most, Self.affordable))
    }

    /// How many are accepted.
    var limit: MaximumAvailableConnections { MaximumAvailableConnections(most + max(1, most / 2)) }

    /// Closes the connection that has waited longest.
    private func closeOldest() {
        let oldest = state.withLock { state -> (Int, any Channel)? in
            guard let number = state.waiting.keys.min() else { return nil }
            state.leaving.insert(number)
            return state.waiting.removeValue(forKey: number).map { (number, $0) }
        }
        guard let (number, channel) = oldest else { return }
        channel.eventLoop.execute { [self] in
            if state.withLock({ $0.leaving.remove(number) }) != nil {
                channel.close(promise: nil)
            } else {
                closeOldest()
            }
        }
    }

    /// One of them: it waits for its client until it has a whole request, and again after the response, or while the
    /// client does not read that.
    final class Place {
        private let connections: OpenConnections
        private let channel: any Channel
        private var number: Int?

        /// Takes a place, and if all are taken, closes the connection that has waited longest.
        init(_ channel: any Channel, in connections: OpenConnections) {
            (self.channel, self.connections) = (channel, connections)
            let isFull = connections.state.withLock { state in
                state.count += 1
                return state.count > connections.most
            }
            if isFull { connections.closeOldest() }
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
            connections.state.withLock { state in
                state.waiting[number] = nil
                state.leaving.remove(number)
            }
        }

        func leave() {
            work()
            connections.state.withLock { $0.count -= 1 }
        }
    }
}
