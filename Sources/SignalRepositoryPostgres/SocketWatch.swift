import Dispatch
import Foundation

/// Tells a queue when a socket has something to read, by a thread that waits for it.
///
/// Not by a source of Dispatch: on Linux its event loop crashes now and then when a socket that it watches is hung up,
/// as when a server is stopped.
final class SocketWatch: Sendable {
    /// A descriptor of its own: libpq closes its own at the end, when this one is still waited for.
    private let descriptor: Int32
    private let queue: DispatchQueue
    private let pipe: WakePipe

    /// Prepares to watch a socket; `nil` where there is no descriptor left.
    init?(_ socket: Int32, _ queue: DispatchQueue) {
        guard let pipe = try? WakePipe() else { return nil }
        let descriptor = fcntl(socket, F_DUPFD_CLOEXEC, 0)
        guard descriptor >= 0 else { return nil }
        (self.descriptor, self.queue, self.pipe) = (descriptor, queue, pipe)
    }

    deinit { Foundation.close(descriptor) }

    /// Begins to wait: what is called on the queue reads what there is.
    ///
    /// The group is left when the thread ends.
    func start(in group: DispatchGroup, _ isReadable: @escaping @Sendable () -> Void) {
        group.enter()
        let thread = Thread { [self] in
            while !pipe.isClosed { wait(isReadable) }
            group.leave()
        }
        thread.name = "SignalRepository.listener"
        thread.start()
    }

    /// Has the thread end.
    func cancel() { pipe.close() }

    private func wait(_ isReadable: @escaping @Sendable () -> Void) {
        var descriptors = [
            pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0),
            pollfd(fd: pipe.reading, events: Int16(POLLIN), revents: 0),
        ]
        _ = poll(&descriptors, 2, -1)
        pipe.drain()
        guard descriptors[0].revents != 0, !pipe.isClosed else { return }
        // Until it is read, it would be told again.
        queue.sync { isReadable() }
        // What is hung up stays so, until who was told lets go of it.
        let isOver = Int32(descriptors[0].revents) & (POLLHUP | POLLERR | POLLNVAL) != 0
        if isOver, !pipe.isClosed { pipe.wait(milliseconds: 20) }
    }
}
