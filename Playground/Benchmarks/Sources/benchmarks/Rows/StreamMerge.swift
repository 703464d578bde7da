import OpenCombine
import Signals

extension Catalogue {
    /// Four subjects that send in turn, as one stream.
    ///
    /// OpenCombine has no merge; its flatMap over the four does the same.
    static var streamMerge: Row {
        let count = opaque(100_000)
        return Row(
            id: "stream.merge4", work: "4 subjects → merge → sink", operations: 4 * count,
            bars: [.ofPeer(1)],
            ours: .timed("Signals", repeats: 5) {
                let tally = Tally()
                let subjects = (0..<4).map { _ in Broadcast<Int, Never>() }
                let token = Signal.merge(subjects.map(\.signal)).sink { tally.add($0) }
                for value in 1...count { for subject in subjects { subject.send(value) } }
                token.cancel()
                return tally.sum
            },
            peer: .timed("OpenCombine") {
                let tally = Tally()
                let subjects = (0..<4).map { _ in PassthroughSubject<Int, Never>() }
                let token = subjects.publisher.flatMap { $0 }.sink { tally.add($0) }
                for value in 1...count { for subject in subjects { subject.send(value) } }
                token.cancel()
                return tally.sum
            })
    }
}
