import OpenCombine
import Signals

extension Catalogue {
    /// The cost of attaching and finishing a chain, in time and in allocations.
    static var streamAttach: [Row] {
        let count = opaque(10_000)
        return [
            Row(
                id: "stream.attach12", work: "build, attach and finish 12 stages, one value", operations: count,
                bars: [.ofPeer(1)],
                ours: .timed("Signals") { sum(count, signal) },
                peer: .timed("OpenCombine") { sum(count, publisher) }),
            Row(
                id: "alloc.attach", work: "allocations of the same", operations: count, unit: .allocations,
                bars: [.perOperation(3)],
                ours: Form("Signals") { meter in meter.allocations { sum(count, signal) } },
                peer: Form("OpenCombine") { meter in meter.allocations { sum(count, publisher) } }),
        ]
    }

    private static func sum(_ count: Int, _ run: (Int) -> Int) -> Int {
        (0..<count).reduce(0) { $0 &+ run($1) }
    }
}

@inline(never)
private func signal(_ value: Int) -> Int {
    let tally = Tally()
    let half = Signal<Int, Never>.just(value)
        .map { $0 &+ 1 }.filter { $0 >= 0 }.map { $0 &+ 2 }.filter { $0 >= 0 }.map { $0 &+ 3 }.filter { $0 >= 0 }
    half
        .map { $0 &+ 4 }.filter { $0 >= 0 }.map { $0 &+ 5 }.filter { $0 >= 0 }.map { $0 &+ 6 }.filter { $0 >= 0 }
        .sink { tally.add($0) }
        .detach()
    return tally.sum
}

@inline(never)
private func publisher(_ value: Int) -> Int {
    let tally = Tally()
    let half = point(value)
        .map { $0 &+ 1 }.filter { $0 >= 0 }.map { $0 &+ 2 }.filter { $0 >= 0 }.map { $0 &+ 3 }.filter { $0 >= 0 }
    half
        .map { $0 &+ 4 }.filter { $0 >= 0 }.map { $0 &+ 5 }.filter { $0 >= 0 }.map { $0 &+ 6 }.filter { $0 >= 0 }
        .sink { tally.add($0) }
        .cancel()
    return tally.sum
}

/// A publisher of one value.
///
/// It is type-erased, because the `map` and `filter` of `Just` compute at once and make no stages.
private func point(_ value: Int) -> AnyPublisher<Int, Never> {
    Just(value).eraseToAnyPublisher()
}
