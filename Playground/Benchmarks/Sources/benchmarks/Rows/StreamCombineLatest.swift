import AsyncAlgorithms
import Signals

extension Catalogue {
    /// The latest values of two and of three streams.
    ///
    /// The peer's sides interleave at random, so the product of the last values is the checksum.
    static var streamCombineLatest: [Row] {
        let count = opaque(100_000)
        let two = Row(
            id: "stream.combineLatest", work: "combineLatest of 1…N and 1…N, per value in", operations: 2 * count,
            bars: [.ofPeer(1)],
            ours: .timed("Signals") {
                let last = Latest()
                let left = Broadcast<Int, Never>()
                let right = Broadcast<Int, Never>()
                let token = left.signal.combineLatest(right.signal).sink { last.product = $0 &* $1 }
                for value in 1...count {
                    left.send(value)
                    right.send(value)
                }
                token.cancel()
                return last.product
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
        let three = Row(
            id: "stream.combineLatest3", work: "combineLatest of three times 1…N, per value in", operations: 3 * count,
            bars: [.ofPeer(1)],
            ours: .timed("Signals") {
                let last = Latest()
                let (first, second, third) = (Broadcast<Int, Never>(), Broadcast<Int, Never>(), Broadcast<Int, Never>())
                let token = first.signal.combineLatest(second.signal, third.signal)
                    .sink { last.product = $0 &* $1 &* $2 }
                for value in 1...count {
                    first.send(value)
                    second.send(value)
                    third.send(value)
                }
                token.cancel()
                return last.product
            },
            peer: .timed("AsyncAlgorithms") {
                waiting {
                    var last = 0
                    for await (first, second, third) in combineLatest(
                        (1...count).async, (1...count).async, (1...count).async)
                    {
                        last = first &* second &* third
                    }
                    return last
                }
            })
        return [two, three]
    }
}

/// The product of the last values that arrived.
///
/// Unchecked but safe because the sink runs on the sending thread.
private final class Latest: @unchecked Sendable {
    var product = 0
}
