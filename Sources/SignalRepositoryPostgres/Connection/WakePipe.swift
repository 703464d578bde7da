import Foundation
import RepositoryCore
import Signals

/// A pipe that wakes a thread while it waits for a descriptor.
final class WakePipe: Sendable {
    let reading: Int32
    private let writing: Int32
    private let state = Lock(false)

    init() throws(RepositoryError) {
        var ends: [Int32] = [-1, -1]
        guard pipe(&ends) == 0 else {
            throw .io(
                Diagnosis(
                    engine: PostgresConnection.engine, code: "53000", message: "no descriptor is available for a pipe"))
        }
        (reading, writing) = (ends[0], ends[1])
        for end in ends {
            _ = fcntl(end, F_SETFD, FD_CLOEXEC)
            _ = fcntl(end, F_SETFL, O_NONBLOCK)
        }
    }

    deinit {
        Foundation.close(reading)
        Foundation.close(writing)
    }

    /// Wakes the thread, or makes its next wait return at once; a full pipe needs no further byte for that.
    func wake() {
        var byte: UInt8 = 0
        _ = write(writing, &byte, 1)
    }

    /// Marks the pipe as closed, and wakes the thread for the last time.
    func close() {
        state.withLock { $0 = true }
        wake()
    }

    var isClosed: Bool { state.withLock { $0 } }

    /// Empties the pipe, so that the next wait blocks.
    func drain() {
        var bytes = [UInt8](repeating: 0, count: 64)
        while Foundation.read(reading, &bytes, bytes.count) > 0 {}
    }

    /// Waits until the thread is woken, or the time is over.
    func wait(milliseconds: Int32) {
        var descriptor = pollfd(fd: reading, events: Int16(POLLIN), revents: 0)
        _ = poll(&descriptor, 1, milliseconds)
        drain()
    }
}
