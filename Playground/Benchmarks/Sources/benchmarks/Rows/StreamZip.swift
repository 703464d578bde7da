import AsyncAlgorithms
import OpenCombine
import Signals

extension Catalogue {
    /// Zips of two sequences, and of two and of three subjects.
    static var streamZip: [Row] {
        let count = opaque(100_000)
        return [sequences(count), two(count), three(count)]
    }

    private static func sequences(_ count: Int) -> Row {
        Row(
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

    private static func two(_ count: Int) -> Row {
        Row(
            id: "stream.zip2", work: "zip of two subjects, per pair", operations: count, bars: [.ofPeer(1)],
            ours: .timed("Signals") {
                let (tally, first, second) = (Tally(), Broadcast<Int, Never>(), Broadcast<Int, Never>())
                let token = first.signal.zip(second.signal).sink { tally.add($0 &* $1) }
                for value in 1...count {
                    first.send(value)
                    second.send(value)
                }
                token.cancel()
                return tally.sum
            },
            peer: .timed("OpenCombine") {
                let (tally, first) = (Tally(), PassthroughSubject<Int, Never>())
                let second = PassthroughSubject<Int, Never>()
                let token = first.zip(second).sink { tally.add($0 &* $1) }
                for value in 1...count {
                    first.send(value)
                    second.send(value)
                }
                token.cancel()
                return tally.sum
            })
    }

    private static func three(_ count: Int) -> Row {
        Row(
            id: "stream.zip3", work: "zip of three subjects, per triple", operations: count, bars: [.ofPeer(1)],
            ours: .timed("Signals") {
                let tally = Tally()
                let (first, second, third) = (Broadcast<Int, Never>(), Broadcast<Int, Never>(), Broadcast<Int, Never>())
                let token = Signal.zip(first.signal, second.signal, third.signal).sink { tally.add($0 &* $1 &+ $2) }
                for value in 1...count {
                    first.send(value)
                    second.send(value)
                    third.send(value)
                }
                token.cancel()
                return tally.sum
            },
            peer: .timed("OpenCombine") {
                let tally = Tally()
                let first = PassthroughSubject<Int, Never>(), second = PassthroughSubject<Int, Never>()
                let third = PassthroughSubject<Int, Never>()
                let token = first.zip(second, third).sink { tally.add($0 &* $1 &+ $2) }
                for value in 1...count {
                    first.send(value)
                    second.send(value)
                    third.send(value)
                }
                token.cancel()
                return tally.sum
            })
    }
}
