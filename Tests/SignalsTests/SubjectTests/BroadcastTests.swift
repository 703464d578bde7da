import Signals
import SignalsLaws
import SignalsTesting
import Testing

@Suite struct BroadcastTests {
    @Test func aLateSinkHearsWhatFollows() {
        let broadcast = Broadcast<Int, Never>()
        broadcast.send(1)
        let recorder = broadcast.signal.record()
        broadcast.send(2)
        broadcast.send(completion: .finished)
        #expect(recorder.history == [.upstream, .value(2), .finished])
    }

    @Test("S9 a value sent after the end goes to the discard hook") func afterTheEnd() {
        struct Item: Sendable, Equatable { let number: Int }
        let discards = Discards(of: Item.self)
        let broadcast = Broadcast<Item, Never>()
        broadcast.send(completion: .finished)
        broadcast.send(Item(number: 1))
        #expect(discards.payloads == [Item(number: 1)] && discards.reasons == [.afterEnd])
        withExtendedLifetime(discards) {}
    }

    @Test func ofNothingSendsWithoutAnArgument() {
        let broadcast = Broadcast<Void, Never>()
        let recorder = broadcast.signal.record()
        broadcast.send()
        #expect(recorder.values.count == 1)
    }

    @Test("S34 a cancelled hook is not called again") func hook() {
        struct Item: Sendable {}
        let heard = Count()
        let broadcast = Broadcast<Item, Never>()
        let recorder = broadcast.signal.record(demand: .none)
        let token = DiscardHook.observe { if $0.payload is Item { heard.raise() } }
        broadcast.send(Item())
        token.cancel()
        broadcast.send(Item())
        #expect(heard.value == 1)
        recorder.cancel()
    }

    @Test("S34 S49 releasing it finishes its sinks, and their tokens end") func released() {
        var broadcast: Broadcast<Int, Never>? = Broadcast(bufferSize: 3)
        let signal = broadcast?.signal
        var tokens: Set<SignalToken> = []
        for _ in 0..<100 { broadcast?.signal.sink { _ in }.store(in: &tokens) }
        let recorder = broadcast?.signal.record()
        let behind = broadcast?.signal.record(demand: .none)
        broadcast?.send(1)
        broadcast = nil
        #expect(recorder?.history == [.upstream, .value(1), .finished])
        #expect(behind?.history == [.upstream])
        behind?.request(.max(1))
        #expect(behind?.history == [.upstream, .value(1), .finished])
        #expect(tokens.count { !$0.isEnded } == 0)
        #expect(signal?.record().history == [.upstream, .finished])
    }

    @Test("S10 releasing it after its end changes nothing") func releasedAfterTheEnd() {
        var broadcast: Broadcast<Int, LawFailure>? = Broadcast()
        let signal = broadcast?.signal
        broadcast?.send(completion: .failure(LawFailure(2)))
        broadcast = nil
        #expect(signal?.record().history == [.upstream, .failure(LawFailure(2))])
    }
}
