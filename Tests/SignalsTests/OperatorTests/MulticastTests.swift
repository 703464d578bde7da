import Signals
import SignalsLaws
import SignalsTesting
import Testing

@Suite(.timeLimit(.minutes(5))) struct MulticastTests {
    @Test("S2 S34 S38 autoconnect") func laws() {
        report(Laws.verifyMulticast(replays: 0) { $0.multicast().autoconnect() })
    }

    @Test("S38 sinks wait for the connection, and stay when it is cancelled") func connect() {
        let probe = Probe<Int, Never>()
        let numbers = probe.signal.multicast()
        let first = numbers.signal.record()
        let second = numbers.signal.record()
        #expect(probe.attachCount == 0)
        let connection = numbers.connect()
        let again = numbers.connect()
        #expect(probe.attachCount == 1)
        probe.send(1)
        connection.cancel()
        #expect(probe.liveCount == 0)
        let third = numbers.connect()
        probe.send(2)
        #expect(first.values == [1, 2] && second.values == [1, 2])
        withExtendedLifetime((again, third)) {}
        first.cancel()
        second.cancel()
    }

    @Test("S33 Detaching one token of a connection leaves the others as they are") func detached() {
        let probe = Probe<Int, Never>()
        let numbers = probe.signal.multicast()
        let recorder = numbers.signal.record()
        numbers.connect().detach()
        var other: SignalToken? = numbers.connect()
        #expect(probe.liveCount == 1 && other?.isEnded == false)
        other = nil
        #expect(probe.liveCount == 0)
        recorder.cancel()
    }

    @Test("S38 a connection made by hand outlives the last sink") func staysConnected() {
        let probe = Probe<Int, Never>()
        let numbers = probe.signal.multicast()
        let recorder = numbers.signal.record()
        let connection = numbers.connect()
        recorder.cancel()
        #expect(probe.liveCount == 1)
        connection.cancel()
        #expect(probe.liveCount == 0)
    }

    @Test("S38 a token cancels its own connection, and no later one") func ownConnection() {
        let probe = Probe<Int, Never>()
        let numbers = probe.signal.multicast()
        let first = numbers.connect()
        let same = numbers.connect()
        probe.finish()
        #expect(first.isEnded && same.isEnded)
        let second = numbers.connect()
        first.cancel()
        #expect(probe.liveCount == 1 && !second.isEnded)
        let sameAsSecond = numbers.connect()
        second.cancel()
        #expect(probe.liveCount == 0 && sameAsSecond.isEnded)
        let third = numbers.connect()
        sameAsSecond.cancel()
        same.cancel()
        #expect(probe.liveCount == 1 && probe.attachCount == 3)
        third.cancel()
        #expect(probe.liveCount == 0)
    }

    @Test("S38 a connection that ends while it is being made can be followed by another") func endsAtOnce() {
        let numbers = Signal<Int, Never>.sequence(1...2).multicast()
        let recorder = numbers.signal.record()
        let first = numbers.connect()
        #expect(recorder.history == [.upstream, .value(1), .value(2), .finished] && first.isEnded)
        let again = numbers.signal.record()
        let second = numbers.connect()
        #expect(again.values == [1, 2] && second.isEnded)
    }
}
