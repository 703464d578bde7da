import OpenCombine
import Signals

extension Catalogue {
    /// One subject with 1, 10 and 1,000 sinks.
    static var streamSinks: [Row] {
        [1, 10, 1_000].map(streamSinks)
    }

    private static func streamSinks(_ sinks: Int) -> Row {
        let count = opaque(500_000 / sinks)
        return Row(
            id: "stream.subject.sinks\(sinks)", work: "subject → \(sinks) sinks, per delivery",
            operations: count * sinks,
            bars: sinks == 1_000 ? [.ofPeer(1 / 3)] : [],
            ours: .timed("Signals", repeats: 5) {
                let tally = Tally()
                let subject = Broadcast<Int, Never>()
                let tokens = (0..<sinks).map { _ in subject.signal.sink { tally.add($0) } }
                for value in 1...count { subject.send(value) }
                for token in tokens { token.cancel() }
                return tally.sum
            },
            peer: .timed("OpenCombine") {
                let tally = Tally()
                let subject = PassthroughSubject<Int, Never>()
                let tokens = (0..<sinks).map { _ in subject.sink { tally.add($0) } }
                for value in 1...count { subject.send(value) }
                for token in tokens { token.cancel() }
                return tally.sum
            })
    }
}
