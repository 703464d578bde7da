import Dispatch
import Signals
import SignalsLaws
import SignalsTesting
import Testing

@Suite("Cancelling", .timeLimit(.minutes(5))) struct CancellingTests {
    @Test("S29 eight threads cancel and request, and each run is cancelled once") func manyThreads() {
        for _ in 0..<500 {
            let cancels = Count()
            let signal = Signal<Int, Never> { sink in
                sink.receive(upstream: Upstream(request: { _ in }, cancel: { cancels.raise() }))
            }
            let recorder = signal.flatMap { .just($0) }.record()
            let token = signal.sink { _ in }
            onThreads(8) { thread in
                recorder.request(.max(1))
                recorder.cancel()
                if thread.isMultiple(of: 2) { token.cancel() }
            }
            #expect(cancels.value == 2)
        }
    }

    @Test("S10 S29 S31 ten thousand races between a cancel and a finish") func race() {
        let source = Lock<Broadcast<Int, LawFailure>>(Broadcast())
        let recorders = Lock<Recorder<Int, LawFailure>?>(nil)
        let turn = Turnstile(parties: 2)
        let returned = onThreads(2) { thread in
            for _ in 0..<10_000 {
                if thread == 0 {
                    let fresh = Broadcast<Int, LawFailure>()
                    source.withLock { $0 = fresh }
                    recorders.withLock { $0 = fresh.signal.map { $0 }.prefix(9).record() }
                }
                turn.pass()
                if thread == 0 {
                    recorders.withLock { $0 }?.cancel()
                } else {
                    source.withLock { $0 }.send(completion: .finished)
                }
                turn.pass()
                if thread == 0, let breaches = recorders.withLock({ $0 })?.breaches, !breaches.isEmpty {
                    report(breaches)
                }
            }
        }
        #expect(returned)
    }

    @Test("S30 nothing more arrives on the cancelling thread, and elsewhere at most one in flight") func afterCancel() {
        for _ in 0..<300 {
            let source = Broadcast<Int, Never>()
            let recorder = source.signal.flatMap { .just($0) }.record()
            onThreads(3) { thread in
                if thread == 0 { recorder.cancel() } else { for number in 0..<20 { source.send(number) } }
            }
            source.send(99)
            report(recorder.breaches)
        }
    }

    @Test("S30 a cancel counts even if another thread's cancel has not reached the source yet")
    func meetsAnother() {
        let (entered, released) = (DispatchSemaphore(value: 0), DispatchSemaphore(value: 0))
        for number in 0..<2 {
            let probe = Probe<Int, LawFailure>()
            let slow = probe.rawSignal.lift { next in
                Sink(
                    onUpstream: { upstream in
                        next.receive(
                            upstream: Upstream(
                                request: { upstream.request($0) },
                                cancel: {
                                    entered.signal()
                                    released.wait()
                                    upstream.cancel()
                                }))
                    },
                    onValue: { next.receive($0) }, onCompletion: { next.receive(completion: $0) })
            }
            let recorder = Recorder<Int, LawFailure>()
            slow.attach(recorder.sink)
            onThreads(2) { thread in
                if thread == 0 { return recorder.cancel() }
                entered.wait()
                recorder.cancel()
                if number == 0 { probe.send(1) } else { probe.fail(LawFailure()) }
                released.signal()
            }
            report(recorder.breaches)
            #expect(recorder.history == [.upstream])
        }
    }

    @Test("S31 a cancel delivers no completion") func noCompletion() {
        let ends = Count()
        let token = Signal<Int, LawFailure>.never().handleEvents(onCompletion: { _ in ends.raise() })
            .sink(onValue: { _ in }, onCompletion: { _ in ends.raise() })
        token.cancel()
        #expect(ends.value == 0 && token.isEnded)
    }

    @Test("S32 a cancel reaches a source that is serving an endless request") func overtakes() {
        let begun = DispatchSemaphore(value: 0)
        let token = SignalToken()
        let returned = onThreads(2) { thread in
            if thread == 0 {
                Signal<Int, Never>.unfold(0) { number in
                    number += 1
                    return number
                }.map { $0 }.sink(
                    cancelledBy: token, onValue: { if $0 == 1_000 { begun.signal() } }, onCompletion: { _ in })
            } else {
                begun.wait()
                token.cancel()
            }
        }
        #expect(returned)
    }

    @Test("S33 releasing the token cancels, and detach() opts out") func tokens() {
        let probe = Probe<Int, Never>()
        do { _ = probe.signal.sink { _ in } }
        #expect(probe.liveCount == 0)
        do {
            let token = probe.signal.sink { _ in }
            token.detach()
        }
        #expect(probe.liveCount == 1)
        probe.finish()
    }

    @Test("S33 a set of tokens drops the ended ones") func tokenSet() {
        var tokens: Set<SignalToken> = []
        for _ in 0..<10_000 { Signal<Int, Never>.just(1).sink { _ in }.store(in: &tokens) }
        let live = Signal<Int, Never>.never().sink { _ in }
        live.store(in: &tokens)
        #expect(tokens.count < 5_000 && tokens.contains(live))
        tokens.removeAll()
        #expect(!live.isEnded)
    }

    @Test("S33 an array of tokens drops the ended ones, and keeps the others in order") func tokenArray() {
        var tokens: [SignalToken] = []
        let live = (0..<2).map { _ in Signal<Int, Never>.never().sink { _ in } }
        live[0].store(in: &tokens)
        for _ in 0..<10_000 { Signal<Int, Never>.just(1).sink { _ in }.store(in: &tokens) }
        live[1].store(in: &tokens)
        #expect(tokens.count < 5_000 && tokens.filter { !$0.isEnded } == live)
        let probe = Probe<Int, Never>()
        probe.signal.sink { _ in }.store(in: &tokens)
        tokens.removeAll()
        #expect(probe.liveCount == 0 && !live[0].isEnded)
    }

    @Test("a collection of tokens is swept when it is full, and not each time a token is stored") func sweeps() {
        let ended = SignalToken()
        ended.cancel()
        var array: [SignalToken] = []
        array.reserveCapacity(100)
        let room = array.capacity
        for number in 1...room {
            ended.store(in: &array)
            #expect(array.count == number)
        }
        ended.store(in: &array)
        #expect(array.count == 1)
        var set: Set<SignalToken> = []
        set.reserveCapacity(100)
        let capacity = set.capacity
        for number in 1...capacity {
            let token = SignalToken()
            token.cancel()
            token.store(in: &set)
            #expect(set.count == number)
        }
        ended.store(in: &set)
        #expect(set == [ended])
    }

    @Test("S29 S33 a token with an action runs it once") func action() {
        let calls = Count()
        do {
            let token = SignalToken(onCancel: { calls.raise() })
            onThreads(4) { _ in token.cancel() }
        }
        #expect(calls.value == 1)
        do { _ = SignalToken(onCancel: { calls.raise() }) }
        #expect(calls.value == 2)
    }

    @Test("S34 sinks and closures are released at the finish, the failure and the cancel") func releases() {
        for end in 0..<3 {
            let source = Broadcast<Int, LawFailure>()
            weak var watched: Count?
            var token: SignalToken?
            do {
                let count = Count()
                watched = count
                token = source.signal.map { count.value + $0 }.scan(0, +).buffer(size: 3, whenFull: .dropOldest)
                    .sink(onValue: { _ in count.raise() }, onCompletion: { _ in count.raise() })
            }
            source.send(1)
            #expect(watched?.value == 1)
            switch end {
            case 0: source.send(completion: .finished)
            case 1: source.send(completion: .failure(LawFailure()))
            default: token?.cancel()
            }
            // The token still exists, but no longer retains anything.
            #expect(watched == nil && token?.isEnded == true)
        }
    }

    @Test("S34 a sink cancelled by another inside a delivery is released when that ends", arguments: [1, 2, 5, 100])
    func cancelledByAnother(_ others: Int) {
        let source = Broadcast<Int, Never>()
        let victim = Lock<SignalToken?>(nil)
        weak var watched: Count?
        let canceller = source.signal.sink { _ in victim.withLock { $0 }?.cancel() }
        do {
            let count = Count()
            watched = count
            victim.withLock { $0 = source.signal.sink { _ in count.raise() } }
        }
        let stay = (0..<others).map { _ in source.signal.record() }
        #expect(watched != nil)
        source.send(1)
        #expect(watched == nil)
        source.send(2)
        for recorder in stay {
            #expect(recorder.values == [1, 2])
            recorder.cancel()
        }
        withExtendedLifetime(canceller) {}
    }

    @Test("S34 a cancel releases the work of a task that was never requested") func unaskedTask() {
        let kept = Lock<Upstream?>(nil)
        weak var watched: Count?
        do {
            let count = Count()
            watched = count
            Signal<Int, Never>.task { count.raise() }.attach(
                Sink(
                    onUpstream: { upstream in kept.withLock { $0 = upstream } }, onValue: { _ in .none },
                    onCompletion: { _ in }))
        }
        #expect(watched != nil)
        kept.withLock { $0 }?.cancel()
        #expect(watched == nil && kept.withLock { $0 != nil })
    }

    @Test("S34 a hand-written source that retains the sink of a cancelled run retains nothing else") func keptSink() {
        let kept = Lock<Sink<Int, Never>?>(nil)
        weak var watched: Count?
        let token: SignalToken
        do {
            let count = Count()
            watched = count
            token = Signal<Int, Never> { sink in
                kept.withLock { $0 = sink }
                sink.receive(upstream: Upstream(request: { _ in }, cancel: {}))
            }.sink { _ in count.raise() }
        }
        _ = kept.withLock { $0 }?.receive(1)
        #expect(watched?.value == 1)
        token.cancel()
        #expect(watched == nil && kept.withLock { $0 != nil })
    }
}

/// A barrier at which several threads wait for each other.
final class Turnstile: Sendable {
    private let parties: Int
    private let state = Lock((waiting: 0, semaphore: DispatchSemaphore(value: 0)))

    init(parties: Int) { self.parties = parties }

    func pass() {
        let (isLast, semaphore) = state.withLock { state in
            state.waiting += 1
            let semaphore = state.semaphore
            guard state.waiting == parties else { return (false, semaphore) }
            state = (0, DispatchSemaphore(value: 0))
            return (true, semaphore)
        }
        if isLast {
            for _ in 1..<parties { semaphore.signal() }
        } else {
            semaphore.wait()
        }
    }
}
