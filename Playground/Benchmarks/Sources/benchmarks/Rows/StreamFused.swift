import OpenCombine
import Signals

extension Catalogue {
    /// A chain that the optimizer sees as a whole.
    static var streamFused: [Row] {
        let count = opaque(1_000_000)
        let raw = Form.timed("loop", repeats: 50) { plainLoop(count) }
        return [
            Row(
                id: "stream.fused", work: "1…N → map → filter → reduce, in one place", operations: count,
                bars: [.ofPeer(1 / 100)], raw: raw,
                ours: .timed("Signals", repeats: 50) { reducedSignal(count) },
                peer: .timed("OpenCombine") { reducedPublisher(count) }),
            Row(
                id: "stream.fused.sink", work: "1…N → map → filter → sink, in one place", operations: count,
                bars: [.ofPeer(1 / 100)], raw: raw,
                ours: .timed("Signals", repeats: 50) { sunkSignal(count) },
                peer: .timed("OpenCombine") { sunkPublisher(count) }),
        ]
    }
}

/// The chain as a loop written by hand.
@inline(never)
func plainLoop(_ count: Int) -> Int {
    var sum = 0
    for value in 1...count {
        let mapped = value &* 3 &+ 1
        if mapped & 3 != 0 { sum &+= mapped }
    }
    return sum
}

@inline(never)
private func reducedSignal(_ count: Int) -> Int {
    let tally = Tally()
    Signal<Int, Never>.sequence(1...count)
        .map { $0 &* 3 &+ 1 }
        .filter { $0 & 3 != 0 }
        .reduce(0) { $0 &+ $1 }
        .sink { tally.add($0) }
        .detach()
    return tally.sum
}

@inline(never)
private func reducedPublisher(_ count: Int) -> Int {
    let tally = Tally()
    let token = (1...count).publisher
        .map { $0 &* 3 &+ 1 }
        .filter { $0 & 3 != 0 }
        .reduce(0) { $0 &+ $1 }
        .sink { tally.add($0) }
    token.cancel()
    return tally.sum
}

@inline(never)
private func sunkSignal(_ count: Int) -> Int {
    let tally = Tally()
    Signal<Int, Never>.sequence(1...count)
        .map { $0 &* 3 &+ 1 }
        .filter { $0 & 3 != 0 }
        .sink { tally.add($0) }
        .detach()
    return tally.sum
}

@inline(never)
private func sunkPublisher(_ count: Int) -> Int {
    let tally = Tally()
    let token = (1...count).publisher
        .map { $0 &* 3 &+ 1 }
        .filter { $0 & 3 != 0 }
        .sink { tally.add($0) }
    token.cancel()
    return tally.sum
}
