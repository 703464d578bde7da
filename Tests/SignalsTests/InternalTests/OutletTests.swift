import SignalsTesting
import Testing

@testable import Signals

@Suite struct OutletTests {
    /// Returns a recorder with an upstream, as if it were attached, and its outlet.
    private func attached(
        demand: Demand = .none, perValue: Demand = .none, bufferSize: Int = 10, dropsOldest: Bool = false
    ) -> (Recorder<Int, Never>, Outlet<Int, Never>) {
        let recorder = Recorder<Int, Never>(demand: demand, perValue: perValue)
        recorder.sink.receive(upstream: Upstream(request: { _ in }, cancel: {}))
        let outlet = Outlet(recorder.sink, bufferSize: bufferSize, dropsOldest: dropsOldest, stage: "test")
        outlet.demand.add(demand)
        return (recorder, outlet)
    }

    @Test("S8 a value does not overtake waiting values, even with demand for both") func order() {
        let (recorder, outlet) = attached()
        outlet.deliver(1)
        // A request first adds its demand, and flushes later.
        outlet.demand.add(.max(2))
        recorder.request(.max(2))
        outlet.deliver(2)
        outlet.flush()
        #expect(recorder.values == [1, 2])
        report(recorder.breaches)
        outlet.release()
    }

    @Test("S14 S24 the demand that the sink returns counts for the next value") func returnedDemand() {
        let (recorder, outlet) = attached(demand: .max(1), perValue: .max(1), bufferSize: 0)
        for number in 1...3 { outlet.deliver(number) }
        #expect(recorder.values == [1, 2, 3] && outlet.demand.current == .max(1))
        report(recorder.breaches)
        outlet.release()
    }

    @Test(
        "S19 S23 a full buffer keeps the oldest or the newest values",
        arguments: [
            (0, false, []), (0, true, []), (1, false, [1]), (1, true, [4]), (2, false, [1, 2]), (2, true, [3, 4]),
            (.max, false, [1, 2, 3, 4]),
        ] as [(Int, Bool, [Int])])
    func keeps(size: Int, dropsOldest: Bool, kept: [Int]) {
        let (recorder, outlet) = attached(bufferSize: size, dropsOldest: dropsOldest)
        for number in 1...4 { outlet.deliver(number) }
        #expect(outlet.isIdle == kept.isEmpty && outlet.keepsValues == (size > 0))
        outlet.demand.add(.unlimited)
        recorder.request(.unlimited)
        outlet.flush()
        #expect(recorder.values == kept && outlet.isIdle)
        outlet.release()
    }

    @Test("S20 dropped values are reported, except by a buffer for the latest value alone") func reports() {
        struct Item: Sendable, Equatable { let number: Int }
        let discards = Discards(of: Item.self)
        for (size, dropsOldest) in [(0, false), (1, true), (1, false), (2, true)] {
            let outlet = Outlet(
                Recorder<Item, Never>().sink, bufferSize: size, dropsOldest: dropsOldest, stage: "test")
            for number in 1...3 { outlet.deliver(Item(number: number)) }
            outlet.release()
        }
        #expect(discards.payloads.map(\.number) == [1, 2, 3, 2, 3, 1])
        #expect(Set(discards.reasons) == [.overflow])
    }

    @Test("S11 the end waits for the values before it, and needs no demand itself") func end() {
        let (recorder, outlet) = attached()
        outlet.deliver(1)
        outlet.end(.finished)
        #expect(recorder.history == [.upstream] && outlet.handle.current() === outlet)
        outlet.demand.add(.max(1))
        recorder.request(.max(1))
        outlet.flush()
        #expect(recorder.history == [.upstream, .value(1), .finished] && outlet.handle.current() == nil)
        outlet.flush()
        report(recorder.breaches)
        let (idle, next) = attached()
        next.end(.finished)
        #expect(idle.history == [.upstream, .finished])
    }

    @Test("S9 S34 once released, it takes nothing, and its handle no longer refers to it") func release() {
        let (recorder, outlet) = attached(demand: .unlimited)
        outlet.deliver(1)
        outlet.release()
        outlet.deliver(2)
        outlet.end(.finished)
        #expect(recorder.history == [.upstream, .value(1)])
        #expect(outlet.handle.current() == nil && outlet.handle.release() == nil)
    }

    @Test("S34 a list does not grow with outlets that come and go") func comeAndGo() {
        var list = OutletList<Int, Never>()
        let (_, stays) = attached()
        list.append(stays)
        for _ in 0..<1_000 {
            let (_, outlet) = attached()
            list.append(outlet)
            list.remove(outlet)
            outlet.release()
        }
        let count = list.count
        #expect(count <= 4)
        list.destroy()
    }
}
