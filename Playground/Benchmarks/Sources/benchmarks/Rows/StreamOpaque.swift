import OpenCombine
import Signals

extension Catalogue {
    /// A chain whose parts come from functions that the optimizer cannot see into, as in a real program.
    static var streamOpaque: Row {
        let count = opaque(1_000_000)
        return Row(
            id: "stream.opaque", work: "the same through opaque functions", operations: count,
            bars: [.ofPeer(1 / 12)],
            raw: .timed("loop", repeats: 50) { plainLoop(count) },
            ours: .timed("Signals", repeats: 5) { Ours.run(count) },
            peer: .timed("OpenCombine") { Peer.run(count) })
    }
}

private enum Ours {
    static func run(_ count: Int) -> Int {
        total(of: sum(filtered(mapped(numbers(count)))))
    }

    @inline(never)
    static func numbers(_ count: Int) -> Signal<Int, Never> {
        .sequence(1...count)
    }

    @inline(never)
    static func mapped(_ upstream: Signal<Int, Never>) -> Signal<Int, Never> {
        upstream.map { $0 &* 3 &+ 1 }
    }

    @inline(never)
    static func filtered(_ upstream: Signal<Int, Never>) -> Signal<Int, Never> {
        upstream.filter { $0 & 3 != 0 }
    }

    @inline(never)
    static func sum(_ upstream: Signal<Int, Never>) -> Signal<Int, Never> {
        upstream.reduce(0) { $0 &+ $1 }
    }

    @inline(never)
    static func total(of upstream: Signal<Int, Never>) -> Int {
        let tally = Tally()
        upstream.sink { tally.add($0) }.detach()
        return tally.sum
    }
}

private enum Peer {
    static func run(_ count: Int) -> Int {
        total(of: sum(filtered(mapped(numbers(count)))))
    }

    @inline(never)
    static func numbers(_ count: Int) -> AnyPublisher<Int, Never> {
        (1...count).publisher.eraseToAnyPublisher()
    }

    @inline(never)
    static func mapped(_ upstream: AnyPublisher<Int, Never>) -> AnyPublisher<Int, Never> {
        upstream.map { $0 &* 3 &+ 1 }.eraseToAnyPublisher()
    }

    @inline(never)
    static func filtered(_ upstream: AnyPublisher<Int, Never>) -> AnyPublisher<Int, Never> {
        upstream.filter { $0 & 3 != 0 }.eraseToAnyPublisher()
    }

    @inline(never)
    static func sum(_ upstream: AnyPublisher<Int, Never>) -> AnyPublisher<Int, Never> {
        upstream.reduce(0) { $0 &+ $1 }.eraseToAnyPublisher()
    }

    @inline(never)
    static func total(of upstream: AnyPublisher<Int, Never>) -> Int {
        let tally = Tally()
        upstream.sink { tally.add($0) }.cancel()
        return tally.sum
    }
}
