import AsyncAlgorithms
import Signals

extension Catalogue {
    /// Two streams in step.
    static var streamZip: Row {
        let count = opaque(100_000)
        return Row(
            id: "stream.zip", work: "zip of 1…N and 1…N, per pair", operations: count,
            bars: [.ofPeer(1)],
            ours: .timed("Signals") {
                let tally = Tally()
                Signal<Int, Never>.sequence(1...count)
                    .zip(Signal<Int, Never>.sequence(1...count))
                    .sink { tally.add($0 &* $1) }
                    .detach()
                return tally.sum
            },
            peer: .timed("AsyncAlgorithms") {
                waiting {
                    var sum = 0
                    for await (left, right) in zip((1...count).async, (1...count).async) { sum &+= left &* right }
                    return sum
                }
            })
    }
}
