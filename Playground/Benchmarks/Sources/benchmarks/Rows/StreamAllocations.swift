import OpenCombine
import Signals

extension Catalogue {
    /// The allocations per value in stages without state; there should be none.
    static var streamAllocations: Row {
        let count = opaque(100_000)
        return Row(
            id: "alloc.value", work: "allocations per value: 1…N → map → filter → compactMap → handleEvents → sink",
            operations: count, unit: .allocations, bars: [.perOperation(0.01)],
            ours: Form("Signals") { meter in
                meter.allocations {
                    let tally = Tally()
                    Signal<Int, Never>.sequence(1...count)
                        .map { $0 &* 3 }.filter { $0 & 1 == 0 }.compactMap { $0 > 0 ? $0 : nil }
                        .handleEvents(onValue: { _ in })
                        .sink { tally.add($0) }
                        .detach()
                    return tally.sum
                }
            },
            peer: Form("OpenCombine") { meter in
                meter.allocations {
                    let tally = Tally()
                    (1...count).publisher
                        .map { $0 &* 3 }.filter { $0 & 1 == 0 }.compactMap { $0 > 0 ? $0 : nil }
                        .handleEvents(receiveOutput: { _ in })
                        .sink { tally.add($0) }
                        .cancel()
                    return tally.sum
                }
            })
    }
}
