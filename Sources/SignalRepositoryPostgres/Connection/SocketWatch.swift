import Dispatch
import Foundation

/// A thread that waits for a socket, and notifies a queue when the socket has something to read.
///
/// It does not use a Dispatch source because, on Linux, Dispatch's event loop sometimes crashes when a watched socket
/// hangs up, for example when a server is stopped.
final class SocketWatch: Sendable {
    /// A copy of the socket's descriptor, because libpq may close the original while the thread waits.
    private let descriptor: Int32
    private let queue: DispatchQueue
    private let pipe: WakePipe

    /// Prepares to watch a socket; `nil` if no descriptor is available.
    init?(_ socket: Int32, _ queue: DispatchQueue) {
        guard let pipe = try? WakePipe() else { return nil }
        let descriptor = fcntl(socket, F_DUPFD_CLOEXEC, 0)
        guard descriptor >= 0 else { return nil }
        (self.descriptor, self.queue, self.pipe) = (descriptor, queue, pipe)
    }

    deinit { Foundation.close(descriptor) }

    /// Starts the thread, which calls `isReadable` on the queue when data has arrived; `isReadable` must read the data.
    ///
    /// The thread leaves the group when it ends.
    func start(in group: DispatchGroup, _ isReadable: @escaping @Sendable () -> Void) {
        group.enter()
        let thread = Thread { [self] in
            while !pipe.isClosed { wait(isReadable) }
            group.leave()
        }
        thread.name = "SignalRepository.listener"
        thread.start()
    }

    /// Ends the thread.
    func cancel() { pipe.close() }

    private func wait(_ isReadable: @escaping @Sendable () -> Void) {
        var descriptors = [
            pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0),
            pollfd(fd: pipe.reading, events: Int16(POLLIN), revents: 0),
        ]
        _ = poll(&descriptors, 2, -1)
        pipe.drain()
        guard descriptors[0].revents != 0, !pipe.isClosed else { return }
        // The call is synchronous, because the socket stays readable until its data is read. Otherwise, the thread
        // would wake again at once.
        queue.sync { isReadable() }
        // A socket that has hung up stays readable. So the thread pauses after each call until the watch is cancelled.
        let isOver = Int32(descriptors[0].revents) & (POLLHUP | POLLERR | POLLNVAL) != 0
        if isOver, !pipe.isClosed { pipe.wait(milliseconds: 20) }
    }
}
