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
        /// Those that are about to be closed, unless a request comes before, and those that are being closed.
        var leaving: Set<Int> = []
    }

    /// A third of the files that the process may open: with the half that is accepted beyond it, half of them.
    private static let affordable: Int = {
        let limit = sysconf(Int32(_SC_OPEN_MAX))
        return limit < 0 ? .max : max(2, limit / 3)
    }()

    private let most: Int
    private let state = Mutex(State())

    /// Allows as many connections as there may be, and the process can have.
    init(most: Int) {
        self.most = Self.allowed(most)
    }

    /// How many of some number of connections the process can have.
    static func allowed(_ count: Int) -> Int { max(1, min(count, affordable)) }

    /// How many are accepted.
    var limit: MaximumAvailableConnections { MaximumAvailableConnections(most + max(1, most / 2)) }

    /// If there are too many, closes the connection that has waited longest, but not the one with a number.
    private func closeOldest(but number: Int?) {
        let oldest = state.withLock { state -> (Int, any Channel)? in
            let count = state.count - state.leaving.count
            // A newcomer gets the time to send its request, though nearly all others are being answered.
            guard count > most, state.waiting.count > most / 4 || count >= most + most / 2,
                let oldest = state.waiting.keys.filter({ $0 != number }).min()
            else { return nil }
            state.leaving.insert(oldest)
            return state.waiting.removeValue(forKey: oldest).map { (oldest, $0) }
        }
        guard let (oldest, channel) = oldest else { return }
        channel.eventLoop.execute { [self] in
            let isLeaving = state.withLock { $0.leaving.contains(oldest) }
            // Otherwise it has a request now, or is gone.
            isLeaving ? channel.close(promise: nil) : closeOldest(but: number)
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
            connections.state.withLock { $0.count += 1 }
            wait()
        }

        func wait() {
            guard number == nil else { return }
            number = connections.state.withLock { state in
                state.next += 1
                state.waiting[state.next] = channel
                return state.next
            }
            connections.closeOldest(but: number)
        }

        func work() { end() }

        func leave() { end(leaving: 1) }

        /// Ends the wait, and in the same step gives up the place, so that no other connection is closed for it.
        private func end(leaving count: Int = 0) {
            connections.state.withLock { state in
                state.count -= count
                guard let number else { return }
                state.waiting[number] = nil
                state.leaving.remove(number)
            }
            number = nil
        }
    }
}
