import Foundation
import HummingbirdCore
import NIOCore
import Synchronization

/// The open connections of a server, with a limit on their number.
///
/// One more replaces the connection that has waited longest for its client, so that a flood of silent clients keeps
/// nobody out. While all are being answered, half as many more are accepted, and then none.
final class OpenConnections: Sendable {
    private struct State {
        var count = 0
        /// The number of the last connection that began to wait.
        var next = 0
        /// The connections that wait for their clients, by the number of the wait.
        var waiting: [Int: any Channel] = [:]
        /// The waits of connections that are being closed, or will be unless a request arrives first.
        var leaving: Set<Int> = []
    }

    /// A third of the files that the process may open, so that half as many more make half of the files.
    private static let affordable: Int = {
        let limit = sysconf(Int32(_SC_OPEN_MAX))
        return limit < 0 ? .max : max(2, limit / 3)
    }()

    private let most: Int
    private let state = Mutex(State())

    /// Allows `most` connections, or as many as the process can have if that is less.
    init(most: Int) {
        self.most = Self.allowed(most)
    }

    /// Limits a number of connections to the maximum of the process.
    static func allowed(_ count: Int) -> Int { max(1, min(count, affordable)) }

    /// The number of connections that are accepted.
    var limit: MaximumAvailableConnections { MaximumAvailableConnections(most + max(1, most / 2)) }

    /// If there are too many connections, closes the one that has waited longest, except the one with `number`.
    private func closeOldest(but number: Int?) {
        let oldest = state.withLock { state -> (Int, any Channel)? in
            let count = state.count - state.leaving.count
            // A new connection gets time to send its request, even if nearly all others are being answered.
            guard count > most, state.waiting.count > most / 4 || count >= most + most / 2,
                let oldest = state.waiting.keys.filter({ $0 != number }).min()
            else { return nil }
            state.leaving.insert(oldest)
            return state.waiting.removeValue(forKey: oldest).map { (oldest, $0) }
        }
        guard let (oldest, channel) = oldest else { return }
        channel.eventLoop.execute { [self] in
            let isLeaving = state.withLock { $0.leaving.contains(oldest) }
            // Otherwise it has received a request, or is gone.
            isLeaving ? channel.close(promise: nil) : closeOldest(but: number)
        }
    }

    /// One connection.
    ///
    /// It waits for its client until it has a whole request, after the response, and while the client does not read.
    final class Place {
        private let connections: OpenConnections
        private let channel: any Channel
        private var number: Int?

        /// Adds a connection, and if there are too many, closes the one that has waited longest.
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

        /// Ends the wait and lowers the count in one step, so that no other connection is closed for this one.
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
