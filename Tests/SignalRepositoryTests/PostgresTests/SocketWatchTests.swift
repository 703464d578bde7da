import Foundation
import Signals
import SignalsTesting
import Testing

@testable import SignalRepositoryPostgres

/// The thread that waits for a socket.
@Suite("Watching a socket", .timeLimit(.minutes(1))) struct SocketWatchTests {
    private let queue = DispatchQueue(label: "watch")
    private let threads = DispatchGroup()
    private let (near, far): (Int32, Int32)

    init() {
        var ends: [Int32] = [-1, -1]
        socketpair(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0, &ends)
        _ = fcntl(ends[0], F_SETFL, O_NONBLOCK)
        (near, far) = (ends[0], ends[1])
    }

    private func read() -> Int {
        var bytes = [UInt8](repeating: 0, count: 100)
        return Foundation.read(near, &bytes, bytes.count)
    }

    private func write(_ count: Int) { _ = Foundation.write(far, [UInt8](repeating: 7, count: count), count) }

    @Test("It calls back on the queue until the bytes are read")
    func told() async throws {
        let watch = try #require(SocketWatch(near, queue))
        let received = Broadcast<Int, Never>()
        let recorder = received.signal.record()
        watch.start(in: threads) { received.send(read()) }
        for count in [1, 5, 100] {
            write(count)
            #expect(await recorder.last(where: { $0 == count }) == count)
        }
        // Each was read at once, and nothing else was reported.
        #expect(recorder.values == [1, 5, 100])
        watch.cancel()
        threads.wait()
        write(1)
        #expect(recorder.values == [1, 5, 100])
        close(near)
        close(far)
    }

    @Test("It watches on if the socket is closed here, and can be ended while the socket is hung up")
    func closed() async throws {
        let watch = try #require(SocketWatch(near, queue))
        let told = Broadcast<Void, Never>()
        let recorder = told.signal.record()
        close(near)
        watch.start(in: threads) { told.send() }
        #expect(recorder.values.isEmpty)
        write(1)
        _ = await recorder.values(2)
        close(far)
        _ = await recorder.values(recorder.values.count + 2)
        watch.cancel()
        threads.wait()
    }

    @Test("An invalid descriptor gets no watch")
    func refused() { #expect(SocketWatch(-1, queue) == nil) }

    @Test("A thread that is woken before it waits does not wait; after that it does")
    func pipes() throws {
        let pipe = try WakePipe()
        for count in [1, 64, 65, 200] {
            for _ in 0..<count { pipe.wake() }
            #expect(pipe.isReady)
            // This wait would not end if nothing had woken it.
            pipe.wait(milliseconds: -1)
            #expect(!pipe.isReady)
        }
        pipe.wake()
        pipe.drain()
        #expect(!pipe.isReady && !pipe.isClosed)
        pipe.close()
        #expect(pipe.isReady && pipe.isClosed)
        // A full pipe wakes too, and holds up nobody.
        for _ in 0..<100_000 { pipe.wake() }
        pipe.drain()
        #expect(!pipe.isReady && pipe.isClosed)
        #expect(fcntl(pipe.reading, F_GETFD) & FD_CLOEXEC != 0)
    }

    @Test("A thread waits until it is woken")
    func waiting() throws {
        let pipe = try WakePipe()
        let (woken, began, ended) = (Counter(), DispatchSemaphore(value: 0), DispatchSemaphore(value: 0))
        Thread {
            began.signal()
            pipe.wait(milliseconds: -1)
            woken.add()
            ended.signal()
        }.start()
        began.wait()
        // Gives the thread every chance to go on.
        for _ in 0..<10_000 { sched_yield() }
        #expect(woken.value == 0)
        pipe.wake()
        ended.wait()
    }
}

extension WakePipe {
    fileprivate var isReady: Bool {
        var descriptor = pollfd(fd: reading, events: Int16(POLLIN), revents: 0)
        return poll(&descriptor, 1, 0) > 0
    }
}
