import Dispatch
import Signals
import SignalsLaws
import SignalsTesting
import Testing

@Suite(.timeLimit(.minutes(5))) @MainActor struct MainActorSinkTests {
    /// The state of a view, isolated to the main actor.
    @MainActor final class Screen {
        var shown: [Int] = []
        var completion: Completion<LawFailure>?
        let seen = Broadcast<Int, Never>()

        func show(_ value: Int) {
            shown.append(value)
            seen.send(value)
        }

        func follow(_ signal: Signal<Int, LawFailure>) -> SignalToken {
            signal.mainActorSink(
                onValue: { [weak self] in self?.show($0) }, onCompletion: { [weak self] in self?.completion = $0 })
        }
    }

    private let screen = Screen()

    @Test("S3 S8 every value sent on the main actor is delivered there before the send returns")
    func atOnce() {
        let source = Broadcast<Int, LawFailure>()
        let token = screen.follow(source.signal)
        for number in 1...100 {
            source.send(number)
            #expect(screen.shown.last == number)
        }
        #expect(screen.shown == Array(1...100))
        source.send(completion: .failure(LawFailure(4)))
        #expect(screen.completion == .failure(LawFailure(4)) && token.isEnded)
    }

    @Test("S3 an available value is delivered before the call returns") func atHand() {
        let current = CurrentValue<Int, Never>(7)
        let shown = Lock<[Int]>([])
        let token = current.signal.mainActorSink { value in shown.withLock { $0.append(value) } }
        #expect(shown.withLock { $0 } == [7])
        current.value = 8
        #expect(shown.withLock { $0 } == [7, 8])
        token.cancel()
    }

    @Test("S8 values sent elsewhere wait for the main actor, and come before later ones sent there") func elsewhere() {
        let source = Broadcast<Int, LawFailure>()
        let token = screen.follow(source.signal)
        onThreads(1) { _ in for number in 1...3 { source.send(number) } }
        #expect(screen.shown.isEmpty, "The main actor has not had a turn yet.")
        source.send(4)
        #expect(screen.shown == [1, 2, 3, 4])
        token.cancel()
    }

    @Test("S8 any number of values sent elsewhere come before later values sent there", arguments: [300, 5_000])
    func muchElsewhere(count: Int) {
        let source = Broadcast<Int, LawFailure>()
        let token = screen.follow(source.signal)
        onThreads(1) { _ in for number in 0..<count { source.send(number) } }
        source.send(count)
        #expect(screen.shown == Array(0...count))
        token.cancel()
    }

    @Test("S8 a value sent elsewhere arrives without another send") func arrives() async {
        let source = Broadcast<Int, LawFailure>()
        let recorder = screen.seen.signal.record()
        let token = screen.follow(source.signal)
        onThreads(1) { _ in source.send(1) }
        #expect(await recorder.values(1) == [1])
        onThreads(1) { _ in for number in 2...3 { source.send(number) } }
        #expect(await recorder.values(3) == [1, 2, 3])
        onThreads(1) { _ in source.send(completion: .finished) }
        let end = screen.seen.signal.record()
        Task { @MainActor in screen.seen.send(0) }
        _ = await end.values(1)
        #expect(screen.completion == .finished && token.isEnded)
    }

    @Test("S7 S8 values sent on several threads and on the main actor all arrive, in order for each thread")
    func threads()
        async
    {
        let source = Broadcast<Int, LawFailure>()
        let recorder = screen.seen.signal.record()
        let token = screen.follow(source.signal)
        let done = Broadcast<Void, Never>()
        let end = done.signal.record()
        DispatchQueue.global().async {
            onThreads(3) { thread in for number in 0..<500 { source.send(thread * 1_000 + number) } }
            done.send()
        }
        for number in 0..<500 { source.send(3_000 + number) }
        _ = await end.values(1)
        let values = await recorder.values(2_000)
        for thread in 0..<4 {
            #expect(values.filter { $0 / 1_000 == thread } == (0..<500).map { thread * 1_000 + $0 })
        }
        token.cancel()
    }

    @Test("S26 a send inside a delivery is delivered after it") func inside() {
        let source = Broadcast<Int, Never>()
        let log = Lock<[String]>([])
        let token = source.signal.mainActorSink { value in
            log.withLock { $0.append("begin \(value)") }
            if value == 1 { source.send(2) }
            log.withLock { $0.append("end \(value)") }
        }
        source.send(1)
        #expect(log.withLock { $0 } == ["begin 1", "end 1", "begin 2", "end 2"])
        token.cancel()
    }

    @Test("S3 S30 S31 a token created before the run can cancel it inside a value") func cancelInside() {
        let token = SignalToken()
        Signal<Int, LawFailure>.sequence(1...3).mainActorSink(
            cancelledBy: token,
            onValue: { [screen] in
                screen.show($0)
                if $0 == 2 { token.cancel() }
            },
            onCompletion: { [screen] in screen.completion = $0 })
        #expect(screen.shown == [1, 2] && screen.completion == nil)
    }

    @Test("S30 a value that waits for the main actor is not delivered after a cancel there") func cancelBefore() async {
        let source = Broadcast<Int, LawFailure>()
        let token = screen.follow(source.signal)
        onThreads(1) { _ in source.send(1) }
        token.cancel()
        let turn = screen.seen.signal.record()
        Task { @MainActor in screen.seen.send(0) }
        _ = await turn.values(1)
        #expect(screen.shown.isEmpty)
    }

    @Test("S34 the closures are released at the end, and at a cancel on any thread", arguments: 0..<4)
    func releases(way: Int) async {
        let source = Broadcast<Int, Never>()
        weak var watched: Count?
        var token: SignalToken?
        do {
            let held = Count()
            watched = held
            token = source.signal.mainActorSink { _ in held.raise() }
        }
        #expect(watched != nil)
        switch way {
        case 0: source.send(completion: .finished)
        case 1: token?.cancel()
        case 2: token = nil
        default:
            onThreads(1) { [token] _ in token?.cancel() }
            let turn = screen.seen.signal.record()
            Task { @MainActor in screen.seen.send(0) }
            _ = await turn.values(1)
        }
        #expect(watched == nil)
        withExtendedLifetime((source, token)) {}
    }

    @Test("S8 S48 the main actor gets its turns while others send, and everything arrives in order") func flood() async
    {
        let source = Broadcast<Int, LawFailure>()
        let recorder = screen.seen.signal.record()
        let screen = screen
        let token = source.signal.mainActorSink(
            onValue: { value in
                screen.show(value)
                // As if the other threads were always a little faster.
                if value < 2_000 { onThreads(1) { _ in source.send(value + 1) } }
            }, onCompletion: { _ in })
        onThreads(1) { _ in source.send(1) }
        let turn = Task { @MainActor in screen.shown.count }
        #expect(await turn.value < 2_000)
        #expect(await recorder.values(2_000) == Array(1...2_000))
        token.cancel()
    }

    @Test("S8 S26 a value sent inside a delivery is delivered before the outer send returns")
    func sentInside() {
        let source = Broadcast<Int, LawFailure>()
        let screen = screen
        let token = source.signal.mainActorSink(
            onValue: { value in
                screen.show(value)
                if value < 100 { source.send(value + 1) }
            }, onCompletion: { _ in })
        source.send(1)
        #expect(screen.shown == Array(1...100))
        token.cancel()
    }

    @Test("S8 a value sent just as a delivery ends arrives without another send") func justAsItEnds() async {
        let source = Broadcast<Int, LawFailure>()
        let arrivals = Arrivals()
        let token = source.signal.mainActorSink(onValue: { _ in arrivals.note() }, onCompletion: { _ in })
        let hasAll = await Task.detached { arrivals.followRounds(10_000) { source.send(1) } }.value
        #expect(hasAll)
        token.cancel()
    }
}
