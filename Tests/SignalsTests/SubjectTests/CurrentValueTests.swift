import Signals
import SignalsLaws
import SignalsTesting
import Testing

@Suite struct CurrentValueTests {
    @Test("S39 begins with the latest value") func begins() {
        let current = CurrentValue<Int, Never>(1)
        current.value = 2
        let recorder = current.signal.record()
        current.send(3)
        #expect(recorder.values == [2, 3] && current.value == 3)
    }

    @Test("S22 a sink that has fallen behind gets the latest value") func conflates() {
        let current = CurrentValue<Int, Never>(1)
        let recorder = current.signal.record(demand: .none)
        for number in 2...5 { current.send(number) }
        recorder.request(.max(1))
        #expect(recorder.values == [5])
        recorder.request(.max(1))
        #expect(recorder.values == [5])
    }

    @Test("S9 after the end it keeps its value, and a new sink gets only the end") func end() {
        let current = CurrentValue<Int, LawFailure>(1)
        current.send(completion: .failure(LawFailure()))
        current.send(2)
        #expect(current.value == 1)
        #expect(current.signal.record().history == [.upstream, .failure(LawFailure())])
    }

    @Test("S26 a value sent inside a delivery is the latest at once, and is delivered afterwards") func inside() {
        let current = CurrentValue<Int, Never>(1)
        let seen = Lock<[Int]>([])
        let first = current.signal.record { _, event in
            guard event == .value(1) else { return }
            current.send(2)
            seen.withLock { $0.append(current.value) }
        }
        #expect(first.values == [1, 2] && seen.withLock { $0 } == [2])
        first.cancel()
    }

    @Test("S7 S8 changes on several threads are all kept, and each is delivered once") func modify() {
        let current = CurrentValue<Int, Never>(0)
        let recorder = current.signal.record()
        onThreads(4) { _ in for _ in 0..<1_000 { current.modify { $0 += 1 } } }
        #expect(current.value == 4_000 && recorder.values == Array(0...4_000))
        report(recorder.breaches)
    }

    @Test func aChangeThatIsOvertakenRunsAgainWithTheNewValue() {
        let current = CurrentValue<[Int], Never>([])
        let recorder = current.signal.record()
        let seen = Lock<[[Int]]>([])
        current.modify { list in
            let runs = seen.withLock { seen in
                seen.append(list)
                return seen.count
            }
            // As another thread would, between the read and the write.
            if runs == 1 { current.send([1]) }
            list.append(2)
        }
        #expect(seen.withLock { $0 } == [[], [1]])
        #expect(recorder.values == [[], [1], [1, 2]] && current.value == [1, 2])
    }

    @Test func aChangeAnswersAndMayReadTheSourceItself() {
        let current = CurrentValue<Int, Never>(5)
        let old = current.modify { value in
            defer { value += 1 }
            return value + current.value
        }
        #expect(old == 10 && current.value == 6)
    }

    @Test func aChangeThatThrowsChangesNothing() {
        let current = CurrentValue<Int, Never>(1)
        let recorder = current.signal.record()
        #expect(throws: LawFailure(7)) {
            try current.modify { value throws(LawFailure) in
                value = 2
                throw LawFailure(7)
            }
        }
        #expect(current.value == 1 && recorder.values == [1])
    }

    @Test("S9 a change after the end changes nothing and is reported") func modifyAfterEnd() {
        struct Mine: Sendable, Equatable { var number: Int }
        let discards = Discards(of: Mine.self)
        let current = CurrentValue<Mine, Never>(Mine(number: 1))
        current.send(completion: .finished)
        current.modify { $0.number = 2 }
        #expect(current.value == Mine(number: 1) && discards.payloads == [Mine(number: 2)])
        #expect(discards.reasons == [.afterEnd])
    }

    @Test("S28 no lock is held while a change runs or the old value is released") func modifyUnderNoLock() {
        final class Talker: Sendable {
            let onRelease: @Sendable () -> Void
            init(onRelease: @escaping @Sendable () -> Void) { self.onRelease = onRelease }
            deinit { onRelease() }
        }
        let released = Count()
        let current = CurrentValue<Talker?, Never>(nil)
        current.value = Talker { [weak current] in
            if current?.value == nil { released.raise() }
        }
        current.modify { $0 = nil }
        #expect(released.value == 1)
    }

    @Test("S34 S39 S49 releasing it finishes its sinks, and a new sink gets the latest value before the end")
    func released() {
        var current: CurrentValue<Int, Never>? = CurrentValue(1)
        let signal = current?.signal
        let recorder = current?.signal.record()
        let token = current?.signal.sink { _ in }
        current?.value = 2
        current = nil
        #expect(recorder?.history == [.upstream, .value(1), .value(2), .finished] && token?.isEnded == true)
        for _ in 0..<2 { #expect(signal?.record().history == [.upstream, .value(2), .finished]) }
    }

    @Test("S9 releasing it after its end changes nothing") func releasedAfterTheEnd() {
        var current: CurrentValue<Int, LawFailure>? = CurrentValue(1)
        let signal = current?.signal
        current?.send(completion: .failure(LawFailure(2)))
        current = nil
        #expect(signal?.record().history == [.upstream, .failure(LawFailure(2))])
    }
}
