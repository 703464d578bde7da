#if canImport(Combine)
    import Combine
    import Signals
    import SignalsTesting
    import Testing

    @Suite(.timeLimit(.minutes(5))) struct CombineTests {
        @Test("S42 S14 a publisher gives its subscriber what it asks for") func publisher() {
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
    }
#endif
