import SignalsTesting
import Testing

@testable import Signals

private struct Closed: Error, Equatable {}

private func number(_ letter: any LatestSource.Letter) -> Int? { (letter as? LatestValue<Int>)?.value }

@Suite(.timeLimit(.minutes(5))) struct OutboxTests {
    /// A source of numbers, and the sinks that follow it.
    private final class Numbers: Sendable {
        let source: LatestSource
        let left = Lock(0)
        let isAbandoned = Lock(false)
        private let followers = Lock<ContiguousArray<LatestOutbox>>([])

        init(isSame: @escaping @Sendable (Int, Int) -> Bool = { $0 == $1 }) {
            let (left, isAbandoned) = (left, isAbandoned)
            source = LatestSource(
                isSame: { isSame(number($0) ?? 0, number($1) ?? 0) },
                onLeave: { _ in left.withLock { $0 += 1 } }, onAbandon: { isAbandoned.withLock { $0 = true } })
        }

        @discardableResult
        func add(_ recorder: Recorder<Int, Closed>) -> LatestOutbox {
            let outbox = LatestValueOutbox(recorder.sink)
            recorder.sink.receive(upstream: outbox.upstream)
            if outbox.follow(source) { followers.withLock { $0.append(outbox) } }
            return outbox
        }

        func send(_ value: Int, isSame: Bool = false) {
            let sent = source.send(
                LatestValue(number: 0, value: value), isSame: isSame, to: followers.withLock { $0 })
            if let sent { Delivery.schedule { sent.run() } }
        }

        func fail() { source.fail(Closed(), to: followers.withLock { $0 }) }
    }

    @Test("R8 Of the values that come while none is requested the latest waits") func latest() async {
        let (numbers, recorder) = (Numbers(), Recorder<Int, Closed>(demand: .max(1)))
        numbers.add(recorder)
        numbers.send(10)
        _ = await recorder.values(1)
        for number in 2...5 { numbers.send(number * 10) }
        recorder.request(.max(5))
        #expect(await recorder.values(2) == [10, 50])
    }

    @Test("R7 A value that goes and comes back before it is requested is not delivered") func comesBack() async {
        let (numbers, recorder) = (Numbers(), Recorder<Int, Closed>(demand: .max(1)))
        numbers.add(recorder)
        numbers.send(10)
        _ = await recorder.values(1)
        numbers.send(20)
        numbers.send(10)
        recorder.request(.max(1))
        numbers.send(40)
        #expect(await recorder.values(2) == [10, 40])
    }

    @Test("R8 A value that is sent while others are compared is delivered") func comparing() async {
        let again = Lock<(@Sendable () -> Void)?>(nil)
        let numbers = Numbers { one, other in
            again.withLock { $0.take() }?()
            return one == other
        }
        let recorder = Recorder<Int, Closed>(demand: .max(1))
        numbers.add(recorder)
        numbers.send(10)
        _ = await recorder.values(1)
        numbers.send(20)
        numbers.send(10)
        again.withLock { $0 = { [unowned numbers] in numbers.send(30) } }
        recorder.request(.max(1))
        #expect(await recorder.values(2) == [10, 30])
    }

    @Test("R3 One that follows later gets no value from before, and an equal one that is sent since")
    func newcomer() async {
        let (numbers, first) = (Numbers(), Recorder<Int, Closed>())
        numbers.add(first)
        numbers.send(10)
        _ = await first.values(1)
        let second = Recorder<Int, Closed>()
        let outbox = numbers.add(second)
        outbox.notify()
        numbers.send(10, isSame: true)
        #expect(await second.values(1) == [10])
        numbers.send(20)
        #expect(await second.values(2) == [10, 20])
        #expect(await first.values(2) == [10, 20])
    }

    @Test("R11 A failure comes in the place of a value that is not requested, and nothing after it") func failure()
        async
    {
        let (numbers, recorder) = (Numbers(), Recorder<Int, Closed>(demand: .none))
        let outbox = numbers.add(recorder)
        numbers.send(10)
        numbers.fail()
        #expect(await recorder.end() != nil)
        recorder.request(.unlimited)
        numbers.send(20)
        #expect(recorder.values.isEmpty && outbox.isClosed && numbers.left.withLock { $0 } == 0)
    }

    @Test("R11 A failure comes after a value that is requested", arguments: 0..<100) func failureAfter(round: Int) async
    {
        let (numbers, recorder) = (
            Numbers(), Recorder<Int, Closed>(demand: round.isMultiple(of: 2) ? .unlimited : .max(1))
        )
        numbers.add(recorder)
        numbers.send(10)
        numbers.fail()
        #expect(await recorder.end() != nil)
        #expect(recorder.values == [10])
    }

    @Test("A run that follows nothing fails, too, and then follows nothing") func failsEarly() async {
        let (numbers, recorder) = (Numbers(), Recorder<Int, Closed>())
        let outbox = LatestValueOutbox(recorder.sink)
        recorder.sink.receive(upstream: outbox.upstream)
        outbox.fail(Closed())
        #expect(await recorder.end() != nil)
        #expect(!outbox.follow(numbers.source))
    }

    @Test("R3 A source is abandoned with its last follower, and is followed by nobody then") func abandoned() {
        let numbers = Numbers()
        let recorders = (0..<2).map { _ in Recorder<Int, Closed>() }
        let outboxes = recorders.map { numbers.add($0) }
        #expect(!outboxes[0].follow(numbers.source))
        recorders[0].cancel()
        recorders[0].cancel()
        #expect(numbers.left.withLock { $0 } == 1 && !numbers.isAbandoned.withLock { $0 })
        recorders[1].cancel()
        #expect(numbers.left.withLock { $0 } == 2 && numbers.isAbandoned.withLock { $0 })
        let late = numbers.add(Recorder<Int, Closed>())
        #expect(late.followed == nil)
        // One that is cancelled before it follows was never there.
        let early = LatestValueOutbox(Recorder<Int, Closed>().sink)
        early.cancel()
        let other = Numbers()
        #expect(!early.follow(other.source) && !other.isAbandoned.withLock { $0 })
    }

    @Test("A held outbox delivers on the thread that holds it") func held() async {
        let (numbers, here) = (Numbers(), ThreadNumber.current)
        let threads = Lock<Set<UInt>>([])
        let recorder = Recorder<Int, Closed> { _, event in
            if case .upstream = event { return }
            threads.withLock { _ = $0.insert(ThreadNumber.current) }
        }
        let outbox = LatestValueOutbox(recorder.sink, isHeld: true)
        recorder.sink.receive(upstream: outbox.upstream)
        #expect(outbox.follow(numbers.source))
        let sent = numbers.source.send(LatestValue(number: 0, value: 1), to: [outbox])
        sent?.run()
        #expect(recorder.values.isEmpty)
        outbox.endHold()
        #expect(recorder.values == [1] && threads.withLock { $0 } == [here])
    }

    @Test("S17 What a sink requests in answer to a value counts") func answers() async {
        let (numbers, recorder) = (Numbers(), Recorder<Int, Closed>(demand: .max(1), perValue: .max(1)))
        numbers.add(recorder)
        for number in 1...3 {
            numbers.send(number)
            #expect(await recorder.values(number) == Array(1...number))
        }
    }

    @Test("S34 A cancel releases the sink, and the values once they are replaced") func release() {
        final class Item: Sendable {}
        weak var watched: Item?
        let outbox: LatestValueOutbox<Int, Closed>
        do {
            let item = Item()
            watched = item
            outbox = LatestValueOutbox(
                Sink(
                    onUpstream: { _ in }, onValue: { _ in withExtendedLifetime(item) { .none } },
                    onCompletion: { _ in }))
        }
        #expect(watched != nil)
        outbox.cancel()
        #expect(watched == nil && outbox.isClosed)
    }

    @Test("R11 A failure comes after the values of a backlog, which takes no more then") func backlog() async {
        let recorder = Recorder<Int, Closed>(demand: .none)
        let outbox = BacklogOutbox(recorder.sink, limit: 10, weight: { _ in 1 }, standIn: { -$0 })
        recorder.sink.receive(upstream: outbox.upstream)
        #expect(outbox.put(1).isEmpty && outbox.put(2).isEmpty)
        outbox.fail(Closed())
        #expect(outbox.put(3).isEmpty)
        recorder.request(.max(1))
        #expect(await recorder.values(1) == [1])
        #expect(!recorder.isEnded)
        recorder.request(.unlimited)
        #expect(await recorder.end() != nil)
        #expect(recorder.values == [1, 2])
    }

    @Test("R17 Beyond the bound of a backlog one value stands for all that waited") func bound() async {
        let recorder = Recorder<Int, Closed>(demand: .none)
        let outbox = BacklogOutbox(recorder.sink, limit: 3, weight: { _ in 1 }, standIn: { -$0 })
        recorder.sink.receive(upstream: outbox.upstream)
        let dropped = (1...5).map { outbox.put($0) }
        #expect(dropped == [[], [], [], [1, 2, 3, 4], []])
        outbox.fail(Closed())
        recorder.request(.unlimited)
        #expect(await recorder.end() != nil)
        #expect(recorder.values == [-4, 5])
    }
}

@Suite("Random histories of outboxes", .timeLimit(.minutes(5))) struct OutboxHistoryTests {
    @Test(
        "S7 S14 S30 R4 R7 R8 Sinks that request, answer and cancel at random see numbers grow, and the last one",
        arguments: 0..<40)
    func latest(seed: Int) async {
        var random = SeededGenerator(seed: UInt64(seed))
        let source = LatestSource(isSame: { number($0) == number($1) })
        let count = Int.random(in: 1...12, using: &random)
        let leavers = Set((0..<count).filter { _ in random.chance(20) })
        let recorders = (0..<count).map { index in
            Recorder<Int, Closed>(
                demand: Bool.random(using: &random) ? .unlimited : .max(Int.random(in: 0...3, using: &random)),
                perValue: Bool.random(using: &random) ? .max(1) : .none,
                cancelAt: leavers.contains(index) ? Int.random(in: 1...5, using: &random) : nil)
        }
        var followers: ContiguousArray<LatestOutbox> = []
        for recorder in recorders {
            let outbox = LatestValueOutbox(recorder.sink)
            recorder.sink.receive(upstream: outbox.upstream)
            if outbox.follow(source) { followers.append(outbox) }
        }
        let last = 200
        onThreads(4) { [followers] thread in
            var random = SeededGenerator(seed: UInt64(seed * 4 + thread))
            guard thread > 0 else {
                // Some numbers are sent again, and some go away and come back.
                for number in 1...last {
                    for value in random.chance(20) ? [number, number - 1, number] : [number] {
                        let sent = source.send(LatestValue(number: number, value: value), to: followers)
                        if random.chance(50) { sent?.run() } else if let sent { Delivery.schedule { sent.run() } }
                    }
                }
                return
            }
            for _ in 0..<200 {
                guard let recorder = recorders.randomElement(using: &random) else { return }
                if random.chance(2) { recorder.cancel() } else { recorder.request(.max(1)) }
            }
        }
        for recorder in recorders { recorder.request(.unlimited) }
        let staying = recorders.indices.filter { index in
            !leavers.contains(index) && recorders[index].state.withLock { $0.cancelled.isEmpty }
        }
        for index in staying {
            #expect(recorders[index].waits(for: "the last number") { $0.endsWithValue { $0 == last } })
        }
        source.fail(Closed(), to: followers)
        for index in staying { #expect(await recorders[index].end() != nil) }
        for recorder in recorders {
            #expect(recorder.breaches == [])
            #expect(zip(recorder.values, recorder.values.dropFirst()).allSatisfy { $0 != $1 })
            // At most one step back at a time: a number that came back.
            #expect(zip(recorder.values, recorder.values.dropFirst()).allSatisfy { $1 >= $0 - 1 })
        }
    }

    @Test("S7 S14 S30 A backlog loses nothing under requests and cancels of other threads", arguments: 0..<40)
    func backlog(seed: Int) async {
        let recorder = Recorder<Int, Closed>(demand: .none, perValue: seed.isMultiple(of: 3) ? .max(1) : .none)
        let outbox = BacklogOutbox(recorder.sink, limit: .max, weight: { _ in 1 }, standIn: { -$0 })
        recorder.sink.receive(upstream: outbox.upstream)
        onThreads(3) { thread in
            var random = SeededGenerator(seed: UInt64(seed * 3 + thread))
            for number in 1...300 {
                if thread == 0 {
                    _ = outbox.put(number)
                } else {
                    recorder.request(.max(Int.random(in: 0...1, using: &random)))
                }
            }
            if thread == 0 { outbox.fail(Closed()) }
        }
        recorder.request(.unlimited)
        #expect(await recorder.end() != nil)
        #expect(recorder.values == Array(1...300) && recorder.breaches == [])
    }
}
