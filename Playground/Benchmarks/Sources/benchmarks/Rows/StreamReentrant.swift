import OpenCombine
import Signals

extension Catalogue {
    /// A sink that sends into the subject it listens to.
    ///
    /// OpenCombine delivers such a value inside the delivery of the value before it, so each chain of sends is short.
    static var streamReentrant: Row {
        let (chains, length) = (opaque(100_000), opaque(5))
        return Row(
            id: "stream.reentrant", work: "subject → sink that sends the next of 5 values, per value",
            operations: chains * length, bars: [.ofPeer(1)],
            ours: .timed("Signals") {
                let (tally, subject) = (Tally(), Broadcast<Int, Never>())
                let token = subject.signal.sink { value in
                    tally.add(value)
                    if value > 1 { subject.send(value - 1) }
                }
                for _ in 0..<chains { subject.send(length) }
                token.cancel()
                return tally.sum
            },
            peer: .timed("OpenCombine") {
                let (tally, subject) = (Tally(), PassthroughSubject<Int, Never>())
                let token = subject.sink { value in
                    tally.add(value)
                    if value > 1 { subject.send(value - 1) }
                }
                for _ in 0..<chains { subject.send(length) }
                token.cancel()
                return tally.sum
            })
    }
}
