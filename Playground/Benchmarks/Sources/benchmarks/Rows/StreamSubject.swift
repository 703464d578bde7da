import OpenCombine
import Signals

extension Catalogue {
    /// Values sent from outside, through two stages into a sink.
    static var streamSubject: Row {
        let count = opaque(500_000)
        return Row(
            id: "stream.subject", work: "subject → map → filter → sink", operations: count,
            bars: [.ofPeer(1 / 7)],
            ours: .timed("Signals", repeats: 5) {
                let tally = Tally()
                let subject = Broadcast<Int, Never>()
                let token = subject.signal.map { $0 &* 3 &+ 1 }.filter { $0 & 3 != 0 }.sink { tally.add($0) }
                for value in 1...count { subject.send(value) }
                token.cancel()
                return tally.sum
            },
            peer: .timed("OpenCombine") {
                let tally = Tally()
                let subject = PassthroughSubject<Int, Never>()
                let token = subject.map { $0 &* 3 &+ 1 }.filter { $0 & 3 != 0 }.sink { tally.add($0) }
                for value in 1...count { subject.send(value) }
                token.cancel()
                return tally.sum
            })
    }
}
