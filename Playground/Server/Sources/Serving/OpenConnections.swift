import Foundation
import HummingbirdCore
import NIOCore
import Synchronization

/// The open connections of a server, with a limit on their number.
///
/// One more replaces the connection that has waited longest for its client, so that a flood of silent clients keeps
/// nobody out. One whose request has arrived, but is not read yet, is spared once. While all are being answered, half
/// as many more are accepted, and then none.
final class OpenConnections: Sendable {
    /// A connection that waits for its client.
    private struct Wait {
        let channel: any Channel
        /// The waits are ended in this order.
        let order: Int
        /// Whether it was spared, and so moved to the end of the order.
        var isSpared = false
    }

    private struct State {
        var count = 0
        /// The number of the last wait that began, or was spared.
        var next = 0
        /// The connections that wait for their clients, by the number of the wait.
        var waiting: [Int: Wait] = [:]
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
    /// Whether bytes have arrived on a connection that it has not read; called on its event loop.
    private let hasUnread: @Sendable (any Channel) -> Bool

    /// Allows `most` connections, or as many as the process can have if that is less.
    init(most: Int, hasUnread: @escaping @Sendable (any Channel) -> Bool = OpenConnections.hasUnread) {
        (self.most, self.hasUnread) = (Self.allowed(most), hasUnread)
    }

    /// Limits a number of connections to the maximum of the process.
    static func allowed(_ count: Int) -> Int { max(1, min(count, affordable)) }

    /// The number of connections that are accepted.
    var limit: MaximumAvailableConnections { MaximumAvailableConnections(most + max(1, most / 2)) }

    /// If there are too many connections, closes the one that has waited longest, except the one with `number`.
    private func closeOldest(but number: Int?) {
        let oldest = state.withLock { state -> (number: Int, wait: Wait)? in
            let count = state.count - state.leaving.count
            // A new connection gets time to send its request, even if nearly all others are being answered.
            guard count > most, state.waiting.count > most / 4 || count >= most + most / 2,
                let oldest = state.waiting.lazy.filter({ $0.key != number })
                    .min(by: { $0.value.order < $1.value.order })
            else { return nil }
            state.leaving.insert(oldest.key)
            state.waiting[oldest.key] = nil
            return (oldest.key, oldest.value)
        }
        guard let oldest else { return }
        oldest.wait.channel.eventLoop.execute { [self] in
            let isLeaving = state.withLock { $0.leaving.contains(oldest.number) }
            // Otherwise it has received a request, or is gone.
            guard isLeaving, !spare(oldest.number, oldest.wait) else { return closeOldest(but: number) }
            oldest.wait.channel.close(promise: nil)
        }
    }

    /// Lets a connection wait on if its request has arrived; returns `false` if it has not, or was spared before.
    private func spare(_ number: Int, _ wait: Wait) -> Bool {
        guard !wait.isSpared, hasUnread(wait.channel) else { return false }
        state.withLock { state in
            state.next += 1
            state.leaving.remove(number)
            state.waiting[number] = Wait(channel: wait.channel, order: state.next, isSpared: true)
        }
        return true
    }

    /// Whether a socket has bytes that were not read.
    @Sendable static func hasUnread(_ channel: any Channel) -> Bool {
        let count = try? channel.pipeline.syncOperations.withUnsafeTransportIfAvailable(of: NIOBSDSocket.Handle.self) {
            var byte: UInt8 = 0
            return recv($0, &byte, 1, Int32(MSG_PEEK) | Int32(MSG_DONTWAIT))
        }
        return (count ?? 0) > 0
    }

    /// One connection.
    ///
    /// It waits for its client until it has a whole request, after the response, and while the client does not read.
    final class Entry {
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
                state.waiting[state.next] = Wait(channel: channel, order: state.next)
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
