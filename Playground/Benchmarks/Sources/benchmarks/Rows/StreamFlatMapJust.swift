import OpenCombine
import Signals

extension Catalogue {
    /// A flat map that makes a signal of one value from each value.
    static var streamFlatMapJust: Row {
        let count = opaque(200_000)
        return Row(
            id: "stream.flatMapJust", work: "1…N → flatMap(just) → sink", operations: count,
            bars: [.ofPeer(1 / 10)],
            ours: .timed("Signals", repeats: 5) {
                let tally = Tally()
                Signal<Int, Never>.sequence(1...count)
                    .flatMap { Signal<Int, Never>.just($0) }
                    .sink { tally.add($0) }
                    .detach()
                return tally.sum
            },
            peer: .timed("OpenCombine") {
                let tally = Tally()
                let token = (1...count).publisher.flatMap { Just($0) }.sink { tally.add($0) }
                token.cancel()
                return tally.sum
            })
    }
}
