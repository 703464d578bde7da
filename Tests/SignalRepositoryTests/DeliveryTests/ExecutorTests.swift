import Foundation
import Signals
import SignalsTesting
import Testing

@Suite("Executors", .timeLimit(.minutes(10))) struct ExecutorTests {
    private func here() -> ObjectIdentifier { ObjectIdentifier(Thread.current) }

    @Test("Work is done in the order of the calls, one piece at a time", arguments: [1, 2, 3, 1000])
    func order(count: Int) async {
        let queue = Executor(label: "test")
        let (done, inside) = (Lock<[Int]>([]), Lock(0))
        for round in 0..<10 {
            let end = Gate()
            for number in 0..<count {
                queue.submit {
                    #expect(
                        inside.withLock {
                            $0 += 1; return $0
                        } == 1)
                    done.withLock { $0.append(round * count + number) }
                    inside.withLock { $0 -= 1 }
                    if number == count - 1 { Executor.deliver { end.open() } }
                }
            }
            await end.opened()
        }
        #expect(done.withLock { $0 } == Array(0..<10 * count))
    }

    @Test("R1 A queue runs as many pieces of work at once as its width allows, and no more", arguments: [1, 2, 3, 30])
    func width(width: Int) async {
        let queue = Executor(label: "test", width: width)
        let (inside, most, left) = (Lock(0), Lock(0), CurrentValue<Int, Never>(0))
        let (areIn, mayGo) = (CurrentValue<Int, Never>(0), Gate())
        for number in 0..<width * 10 {
            queue.async {
                let count = inside.withLock {
                    $0 += 1; return $0
                }
                most.withLock { $0 = max($0, count) }
                if number < width {
                    areIn.modify { $0 += 1 }
                    mayGo.wait()
                }
                inside.withLock { $0 -= 1 }
                left.modify { $0 += 1 }
            }
        }
        _ = await areIn.signal.filter { $0 == width }.value()
        for _ in 0..<width { mayGo.open() }
        _ = await left.signal.filter { $0 == width * 10 }.value()
        #expect(most.withLock { $0 } == width)
    }

    // Higher counts could use up the 64 delivery threads, which all concurrent tests share.
    @Test("R1 A delivery that blocks holds up no work and no other delivery", arguments: [1, 2], [1, 2, 3, 12])
    func blocked(width: Int, count: Int) async {
        let queue = Executor(label: "test", width: width)
        let (areIn, mayGo) = (CurrentValue<Int, Never>(0), Gate())
        let delivery: @Sendable () -> Void = {
            areIn.modify { $0 += 1 }
            mayGo.wait()
        }
        for number in 1...count {
            // One after another, so that each is the last piece of work.
            queue.submit { Executor.deliver(delivery) }
            _ = await areIn.signal.filter { $0 == number }.value()
        }
        for _ in 0..<10 {
            let end = Gate()
            queue.submit { Executor.deliver { end.open() } }
            await end.opened()
        }
        for _ in 0..<count { mayGo.open() }
    }

    @Test("R1 A waiting thread also does the work of others, but does not make their deliveries")
    func others() async {
        let (queue, mayGo, isIn, done) = (Executor(label: "test"), Gate(), Gate(), Gate())
        ThreadContext.wait {
            queue.submit {
                Executor.deliver {
                    isIn.open()
                    mayGo.wait()
                    done.open()
                }
            }
        }
        await isIn.opened()
        mayGo.open()
        await done.opened()
    }

    @Test("R1 A delivery may wait for the result of further work")
    func nested() async {
        let queue = Executor(label: "test")
        let end = Gate()
        @Sendable func go(_ depth: Int) {
            guard depth > 0 else { return }
            let done = Gate()
            queue.submit {
                Executor.deliver {
                    go(depth - 1)
                    done.open()
                }
            }
            done.wait()
        }
        queue.submit {
            Executor.deliver {
                go(30)
                end.open()
            }
        }
        await end.opened()
    }

    @Test("R1 A thread of another executor does work if the queue has room, and delivers after leaving both")
    func elsewhere() async {
        let (outer, inner) = (Executor(label: "outer"), Executor(label: "inner"))
        let (done, isIn, mayGo, end) = (Lock<[String]>([]), Gate(), Gate(), Gate())
        let note: @Sendable (String) -> Void = { text in done.withLock { $0.append(text) } }
        outer.async {
            let thread = here()
            let isDone = inner.tryOnThisThread {
                #expect(here() == thread && ThreadContext.isWorking)
                // Work that is submitted here starts after the current work, on another thread.
                inner.async {
                    note(here() == thread ? "here" : "after it")
                    isIn.open()
                    mayGo.wait()
                }
                Executor.deliver {
                    #expect(here() == thread && !ThreadContext.isWorking)
                    note("delivery")
                    end.open()
                }
                note("work")
            }
            #expect(isDone && ThreadContext.isWorking)
            isIn.wait()
            #expect(!inner.tryOnThisThread { note("never") })
            #expect(done.withLock { $0 } == ["work", "after it"])
        }
        await end.opened()
        mayGo.open()
        #expect(done.withLock { $0 } == ["work", "after it", "delivery"])
    }

    @Test("R1 Deliveries of one piece of work do not wait for one another, nor, after a flush, for the work")
    func several() async {
        let (queue, mayGo, areIn) = (Executor(label: "test"), Gate(), CurrentValue<Int, Never>(0))
        let delivery: @Sendable () -> Void = {
            areIn.modify { $0 += 1 }
            mayGo.wait()
        }
        queue.async {
            for _ in 0..<3 { Executor.deliver(delivery) }
        }
        _ = await areIn.signal.filter { $0 == 3 }.value()
        let isFlushed = Gate()
        queue.async {
            Executor.deliver { isFlushed.open() }
            Executor.flush()
            isFlushed.wait()
            Executor.deliver(delivery)
        }
        _ = await areIn.signal.filter { $0 == 4 }.value()
        for _ in 0..<4 { mayGo.open() }
    }

    @Test("Delayed work runs after its pause, and can deliver")
    func pause() async {
        let queue = Executor(label: "test")
        let (start, end, delivered) = (ContinuousClock.now, Gate(), Gate())
        queue.async(after: .milliseconds(20)) { end.open() }
        queue.async(at: .now() + .milliseconds(20)) { Executor.deliver { delivered.open() } }
        await end.opened()
        await delivered.opened()
        #expect(ContinuousClock.now - start >= .milliseconds(20))
    }
}
