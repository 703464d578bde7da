import AsyncAlgorithms
import Signals

extension Catalogue {
    /// The latest values of two streams.
    ///
    /// The peer's two sides interleave at random, so the last pair is the checksum.
    static var streamCombineLatest: Row {
        let count = opaque(100_000)
        return Row(
            id: "stream.combineLatest", work: "combineLatest of 1…N and 1…N, per value in", operations: 2 * count,
            bars: [.ofPeer(1)],
            ours: .timed("Signals") {
                let last = Latest()
                let left = Broadcast<Int, Never>()
                let right = Broadcast<Int, Never>()
                let token = left.signal.combineLatest(right.signal).sink { last.pair = $0 &* $1 }
                for value in 1...count {
                    left.send(value)
                    right.send(value)
                }
                token.cancel()
                return last.pair
            },
            peer: .timed("AsyncAlgorithms") {
                waiting {
                    var last = 0
                    for await (left, right) in combineLatest((1...count).async, (1...count).async) {
                        last = left &* right
                    }
                    return last
                }
            })
    }
}

/// The last pair that arrived.
///
/// Unchecked but safe because the sink runs on the sending thread.
private final class Latest: @unchecked Sendable {
    var pair = 0
}
