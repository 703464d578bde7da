import Dispatch
import SignalsTesting
import Testing

@testable import Signals

private struct Closed: Error, Equatable {}

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
                isSame: isSame, onLeave: { _ in left.withLock { $0 += 1 } },
                onAbandon: { isAbandoned.withLock { $0 = true } })
        }

        // A recorder, its upstream and its outbox retain each other until the run is over.
        deinit { for follower in followers.withLock({ $0 }) { follower.cancel() } }

        @discardableResult
        func add(_ recorder: Recorder<Int, Closed>) -> LatestOutbox {
            let outbox = LatestValueOutbox(recorder.sink)
            recorder.sink.receive(upstream: outbox.upstream)
            if outbox.follow(source) { followers.withLock { $0.append(outbox) } }
            return outbox
        }

        /// Adds a sink that has received 10, and has missed 20 and another 10.
        func addLate() async -> Recorder<Int, Closed> {
            let recorder = Recorder<Int, Closed>(demand: .max(1))
            add(recorder)
            send(10)
            _ = await recorder.values(1)
            send(20)
            send(10)
            return recorder
        }

        func send(_ value: Int, isSame: Bool = false) {
            let box = NumberedValue(number: value, value: value)
            source.send(box, isSame: isSame, to: followers.withLock { $0 })?.schedule()
        }

        func fail() { source.fail(Closed(), to: followers.withLock { $0 }) }
    }

    @Test("R8 Of the values sent without demand, the latest waits") func latest() async {
        let (numbers, recorder) = (Numbers(), Recorder<Int, Closed>(demand: .max(1)))
        numbers.add(recorder)
        numbers.send(10)
        _ = await recorder.values(1)
        for number in 2...5 { numbers.send(number * 10) }
        recorder.request(.max(5))
        #expect(await recorder.values(2) == [10, 50])
    }

    @Test("R7 A value that changes back before the next request is not delivered again") func comesBack() async {
        let compared = Lock<CheckedContinuation<Void, Never>?>(nil)
        let numbers = Numbers { one, other in
            compared.withLock { $0.take() }?.resume()
            return one == other
        }
        let recorder = await numbers.addLate()
        await withCheckedContinuation { continuation in
            compared.withLock { $0 = continuation }
            recorder.request(.max(1))
        }
        numbers.send(40)
        #expect(await recorder.values(2) == [10, 40])
    }

    @Test("R8 A value sent while others are compared is delivered") func comparing() async {
        let again = Lock<(@Sendable () -> Void)?>(nil)
        let numbers = Numbers { one, other in
            again.withLock { $0.take() }?()
            return one == other
        }
        let recorder = await numbers.addLate()
        again.withLock { $0 = { [unowned numbers] in numbers.send(30) } }
        recorder.request(.max(1))
        #expect(await recorder.values(2) == [10, 30])
    }

    @Test("R3 A sink that follows later gets no earlier value, but gets an equal value sent afterwards")
    func newcomer() async {
        let (numbers, first) = (Numbers(), Recorder<Int, Closed>())
        numbers.add(first)
        numbers.send(10)
        _ = await first.values(1)
        // The numbers distinguish two equal values.
        let second = Recorder<Int, Closed>()
        let outbox = NumberedOutbox<Int, Closed>(
            onValue: { number, _ in second.sink.receive(number) }, onCompletion: { second.sink.receive(completion: $0) }
        )
        second.sink.receive(upstream: outbox.upstream)
        #expect(outbox.follow(numbers.source) && !outbox.claim())
        numbers.source.send(NumberedValue(number: 11, value: 10), isSame: true, to: [outbox])?.run()
        #expect(second.values == [11])
        outbox.cancel()
        numbers.send(20)
        #expect(await first.values(2) == [10, 20])
    }

    @Test("R11 A failure replaces a value that is not requested, and nothing follows it") func failure()
        async
    {
        let (numbers, recorder) = (Numbers(), Recorder<Int, Closed>(demand: .none))
        let outbox = numbers.add(recorder)
        numbers.send(10)
        numbers.fail()
        #expect(await recorder.end() != nil)
        outbox.request(.unlimited)
        numbers.send(20)
        outbox.run()
        #expect(recorder.values.isEmpty && recorder.breaches == [])
        #expect(outbox.isClosed && numbers.left.withLock { $0 } == 0)
    }

    @Test("R11 A failure follows a value that is requested", arguments: 0..<100) func failureAfter(round: Int) async {
        let (numbers, recorder) = (
            Numbers(), Recorder<Int, Closed>(demand: round.isMultiple(of: 2) ? .unlimited : .max(1))
        )
        numbers.add(recorder)
        numbers.send(10)
        numbers.fail()
        #expect(await recorder.end() != nil)
        #expect(recorder.values == [10])
    }

    @Test("A run that does not follow a source yet can fail, and then follows none") func failsEarly() async {
        let (numbers, recorder) = (Numbers(), Recorder<Int, Closed>())
        let outbox = LatestValueOutbox(recorder.sink)
        recorder.sink.receive(upstream: outbox.upstream)
        outbox.fail(Closed())
        #expect(await recorder.end() != nil)
        #expect(!outbox.follow(numbers.source))
    }

    @Test("R3 A source is abandoned when its last follower leaves, and takes no further follower") func abandoned() {
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
        late.cancel()
        // An outbox that is cancelled before it follows never counts as a follower.
        let early = LatestValueOutbox(Recorder<Int, Closed>().sink)
        early.cancel()
        let other = Numbers()
        #expect(!early.follow(other.source) && !other.isAbandoned.withLock { $0 })
    }

    @Test("A held outbox delivers on the thread that holds it") func held() {
        let (numbers, here) = (Numbers(), LiveThreadID.current)
        let threads = Lock<Set<UInt>>([])
        let recorder = Recorder<Int, Closed> { _, event in
            if case .upstream = event { return }
            threads.withLock { _ = $0.insert(LiveThreadID.current) }
        }
        let outbox = LatestValueOutbox(recorder.sink, isHeld: true)
        recorder.sink.receive(upstream: outbox.upstream)
        #expect(outbox.follow(numbers.source))
        #expect(numbers.source.send(NumberedValue(number: 0, value: 1), to: [outbox]) == nil)
        #expect(recorder.values.isEmpty)
        outbox.endHold()
        #expect(recorder.values == [1] && threads.withLock { $0 } == [here])
        outbox.cancel()
    }

    @Test("S17 The demand that a sink returns for a value counts") func answers() async {
        let (numbers, recorder) = (Numbers(), Recorder<Int, Closed>(demand: .max(1), perValue: .max(1)))
        numbers.add(recorder)
        for number in 1...3 {
            numbers.send(number)
            #expect(await recorder.values(number) == Array(1...number))
        }
    }

    @Test("S34 A cancel releases the sink") func release() {
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

    @Test("R8 A late delivery brings the latest value to a sink that has just requested one") func lateWalk() async {
        let source = LatestSource(isSame: { (one: Int, other: Int) in one == other })
        let recorders = (0..<3).map { _ in Recorder<Int, Closed>(demand: .none) }
        let outboxes = recorders.map { recorder in
            let outbox = LatestValueOutbox(recorder.sink)
            recorder.sink.receive(upstream: outbox.upstream)
            #expect(outbox.follow(source))
            return outbox
        }
        recorders[0].request(.unlimited)
        let followers = ContiguousArray<LatestOutbox>(outboxes)
        let late = source.send(NumberedValue(number: 1, value: 1), to: followers)
        source.send(NumberedValue(number: 2, value: 2), to: followers)?.run()
        // The request has been counted, but has not notified the outbox yet.
        outboxes[1].demand.add(.max(1))
        late?.run()
        #expect(late != nil && outboxes[1].demand.current == .none && recorders[0].values == [2])
        for outbox in outboxes { outbox.cancel() }
    }

    /// An outbox that is cancelled while a thread that makes values checks it.
    private final class Cancelling: Outbox, @unchecked Sendable {
        // Safe because both properties are constant.
        let releasedBy: Lock<UInt?>
        let released: DispatchSemaphore

        init(_ releasedBy: Lock<UInt?>, _ released: DispatchSemaphore) {
            (self.releasedBy, self.released) = (releasedBy, released)
            super.init(isHeld: false)
        }

        override var isReady: Bool {
            cancel()
            return true
        }

        override func release() {
            releasedBy.withLock { $0 = LiveThreadID.current }
            released.signal()
        }
    }

    @Test("S28 A thread that makes values does not release the sink") func releasedElsewhere() {
        let (releasedBy, released) = (Lock<UInt?>(nil), DispatchSemaphore(value: 0))
        let outbox = Cancelling(releasedBy, released)
        onThreads(1) { _ in
            let thread = LiveThreadID.current
            #expect(!outbox.claim())
            released.wait()
            #expect(releasedBy.withLock { $0 } != thread)
        }
    }

    @Test("R11 A failure follows the values of a backlog, which then takes no more") func backlog() async {
        let recorder = Recorder<Int, Closed>(demand: .none)
        let outbox = BacklogOutbox(recorder.sink, limit: 10, weight: { _ in 1 }, overflow: { -$0 })
        recorder.sink.receive(upstream: outbox.upstream)
        #expect(outbox.put(1).isEmpty && outbox.put(2).isEmpty)
        outbox.fail(Closed())
        _ = outbox.put(3)
        recorder.request(.max(1))
        #expect(await recorder.values(1) == [1])
        #expect(!recorder.isEnded)
        recorder.request(.unlimited)
        #expect(await recorder.end() != nil)
        #expect(recorder.values == [1, 2])
    }

    @Test("R17 Beyond its bound, a backlog replaces all waiting values with one") func bound() async {
        let recorder = Recorder<Int, Closed>(demand: .none)
        let outbox = BacklogOutbox(recorder.sink, limit: 3, weight: { _ in 1 }, overflow: { -$0 })
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
        "S7 S14 S30 R4 R7 R8 Sinks that request at random get numbers in order, and the last one unless they cancel",
        arguments: 0..<40)
    func latest(seed: Int) async {
        var random = SeededGenerator(seed: UInt64(seed))
        let source = LatestSource(isSame: { (one: Int, other: Int) in one == other })
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
        let returned = onThreads(4) { [followers] thread in
            var random = SeededGenerator(seed: UInt64(seed * 4 + thread))
            guard thread > 0 else {
                // Sometimes the value changes back to the number before, and forth again.
                for number in 1...last {
                    for value in random.chance(20) ? [number, number - 1, number] : [number] {
                        let sent = source.send(NumberedValue(number: number, value: value), to: followers)
                        if random.chance(50) { sent?.run() } else { sent?.schedule() }
                    }
                }
                return
            }
            for _ in 0..<200 {
                guard let recorder = recorders.randomElement(using: &random) else { return }
                if random.chance(2) { recorder.cancel() } else { recorder.request(.max(1)) }
            }
        }
        #expect(returned)
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
            // At most one step back at a time: a value that changed back.
            #expect(zip(recorder.values, recorder.values.dropFirst()).allSatisfy { $1 >= $0 - 1 })
        }
    }

    @Test("S7 S14 S30 Until a cancel, a backlog loses nothing while other threads request", arguments: 0..<40)
    func backlog(seed: Int) async {
        let recorder = Recorder<Int, Closed>(demand: .none, perValue: seed.isMultiple(of: 3) ? .max(1) : .none)
        let outbox = BacklogOutbox(recorder.sink, limit: .max, weight: { _ in 1 }, overflow: { -$0 })
        recorder.sink.receive(upstream: outbox.upstream)
        let isCancelling = seed.isMultiple(of: 2)
        let returned = onThreads(3) { thread in
            var random = SeededGenerator(seed: UInt64(seed * 3 + thread))
            for number in 1...300 {
                if thread == 0 {
                    _ = outbox.put(number)
                } else {
                    recorder.request(.max(Int.random(in: 0...1, using: &random)))
                }
                if isCancelling, thread == 1, number == 150 { recorder.cancel() }
            }
            if thread == 0 { outbox.fail(Closed()) }
        }
        recorder.request(.unlimited)
        if !isCancelling { #expect(await recorder.end() != nil) }
        #expect(returned && recorder.breaches == [])
        #expect(Array(1...300).starts(with: recorder.values) && (isCancelling || recorder.values.count == 300))
    }
}
