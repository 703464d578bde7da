import OpenCombine
import Signals

extension Catalogue {
    /// One upstream for a hundred sinks.
    static var streamShare: Row {
        let count = opaque(5_000)
        return Row(
            id: "stream.share100", work: "subject → map → share → 100 sinks, per delivery", operations: 100 * count,
            bars: [.ofPeer(1)],
            ours: .timed("Signals", repeats: 5) {
                let tally = Tally()
                let subject = Broadcast<Int, Never>()
                let shared = subject.signal.map { $0 &* 3 &+ 1 }.share()
                let tokens = (0..<100).map { _ in shared.sink { tally.add($0) } }
                for value in 1...count { subject.send(value) }
                for token in tokens { token.cancel() }
                return tally.sum
            },
            peer: .timed("OpenCombine") {
                let tally = Tally()
                let subject = PassthroughSubject<Int, Never>()
                let shared = subject.map { $0 &* 3 &+ 1 }.share()
                let tokens = (0..<100).map { _ in shared.sink { tally.add($0) } }
                for value in 1...count { subject.send(value) }
                for token in tokens { token.cancel() }
                return tally.sum
            })
    }
}
