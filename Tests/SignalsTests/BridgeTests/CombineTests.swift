#if canImport(Combine)
    import Combine
    import Signals
    import SignalsLaws
    import SignalsTesting
    import Testing

    @Suite(.timeLimit(.minutes(5))) struct CombineTests {
        @Test("S42 S14 a publisher delivers as many values as its subscriber requests") func publisher() {
            var values: [Int] = []
            var ended = false
            let subscription = Signals.Signal<Int, Never>.sequence(1...5).publisher
                .sink(receiveCompletion: { _ in ended = true }, receiveValue: { values.append($0) })
            #expect(values == [1, 2, 3, 4, 5] && ended)
            subscription.cancel()
        }

        @Test("S42 S1 S10 S29 a publisher becomes a signal that keeps the contract") func signal() {
            let recorder = Signals.Signal<Int, Never>(publisher: [1, 2, 3].publisher).record(demand: .max(2))
            #expect(recorder.history == [.upstream, .value(1), .value(2)])
            recorder.request(.unlimited)
            #expect(recorder.isEnded && recorder.breaches.isEmpty)
            let cancelled = Signals.Signal<Int, Never>(publisher: (1...9).publisher).record(cancelAt: 2)
            #expect(cancelled.values == [1, 2] && cancelled.breaches.isEmpty)
        }

        @Test("S42 S10 S12 a failure passes in both directions") func failures() {
            let failing = Signals.Signal<Int, LawFailure>.sequence(1...2).append(.fail(LawFailure(7)))
            let recorder = Signals.Signal<Int, LawFailure>(publisher: failing.publisher).record()
            #expect(recorder.history == [.upstream, .value(1), .value(2), .failure(LawFailure(7))])
            #expect(recorder.breaches.isEmpty)
        }

        @Test("S42 S29 S34 a cancelled subscription detaches from the signal") func cancelling() {
            let source = Broadcast<Int, Never>()
            var values: [Int] = []
            let subscription = source.signal.publisher.prefix(2).sink { values.append($0) }
            for number in 1...3 { source.send(number) }
            #expect(values == [1, 2])
            subscription.cancel()
            let probe = Probe<Int, Never>()
            let other = probe.signal.publisher.sink { values.append($0) }
            #expect(probe.liveCount == 1)
            other.cancel()
            #expect(probe.liveCount == 0)
        }

        @Test("S42 S13 a Combine subject is a hot source") func subject() {
            let subject = PassthroughSubject<Int, Never>()
            let recorder = Signals.Signal<Int, Never>(publisher: subject).record(demand: .max(1), perValue: .max(1))
            for number in 1...3 { subject.send(number) }
            subject.send(completion: .finished)
            #expect(recorder.history == [.upstream, .value(1), .value(2), .value(3), .finished])
        }
    }
#endif
