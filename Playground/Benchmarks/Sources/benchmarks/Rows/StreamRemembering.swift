import OpenCombine
import Signals

extension Catalogue {
    /// Hot sources that remember a value for later sinks, and attaching a sink to a source that does not.
    static var streamRemembering: [Row] {
        let (count, attaches) = (opaque(500_000), opaque(100_000))
        return [
            Row(
                id: "stream.currentValue", work: "CurrentValue → sink", operations: count, bars: [.ofPeer(0.3)],
                ours: .timed("Signals", repeats: 5) {
                    let (tally, source) = (Tally(), CurrentValue<Int, Never>(0))
                    let token = source.signal.sink { tally.add($0) }
                    for value in 1...count { source.send(value) }
                    token.cancel()
                    return tally.sum
                },
                peer: .timed("OpenCombine") {
                    let (tally, source) = (Tally(), CurrentValueSubject<Int, Never>(0))
                    let token = source.sink { tally.add($0) }
                    for value in 1...count { source.send(value) }
                    token.cancel()
                    return tally.sum
                }),
            Row(
                id: "stream.replay", work: "Replay(keeping: 1) → sink", operations: count, bars: [.ofPeer(0.3)],
                ours: .timed("Signals", repeats: 5) {
                    let (tally, source) = (Tally(), Replay<Int, Never>(keeping: 1))
                    let token = source.signal.sink { tally.add($0) }
                    for value in 1...count { source.send(value) }
                    token.cancel()
                    return tally.sum
                },
                peer: .timed("OpenCombine, CurrentValueSubject") {
                    let (tally, source) = (Tally(), CurrentValueSubject<Int, Never>(0))
                    let token = source.sink { tally.add($0) }
                    for value in 1...count { source.send(value) }
                    token.cancel()
                    return tally.sum
                }),
            Row(
                id: "stream.attachHot", work: "attach to a subject, one value, cancel", operations: attaches,
                bars: [.ofPeer(0.8)],
                ours: .timed("Signals") {
                    let (tally, source) = (Tally(), Broadcast<Int, Never>())
                    for value in 1...attaches {
                        let token = source.signal.sink { tally.add($0) }
                        source.send(value)
                        token.cancel()
                    }
                    return tally.sum
                },
                peer: .timed("OpenCombine") {
                    let (tally, source) = (Tally(), PassthroughSubject<Int, Never>())
                    for value in 1...attaches {
                        let token = source.sink { tally.add($0) }
                        source.send(value)
                        token.cancel()
                    }
                    return tally.sum
                }),
        ]
    }
}
