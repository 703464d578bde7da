import SignalsTesting
import Testing

@testable import Signals

@Suite struct OutletTests {
    @Test("S8 a value does not overtake those that wait, although demand has come for both") func order() {
        let recorder = Recorder<Int, Never>(demand: .none)
        recorder.sink.receive(upstream: Upstream(request: { _ in }, cancel: {}))
        let outlet = Outlet(recorder.sink, backlog: .newest(10), stage: "test")
        outlet.offer(1)
        // A request counts first, and flushes later.
        outlet.demand.add(.max(2))
        recorder.request(.max(2))
        outlet.offer(2)
        outlet.flush()
        #expect(recorder.values == [1, 2])
        report(recorder.breaches)
        outlet.release()
    }

    @Test("S34 outlets that come and go leave nothing behind") func places() {
        var list = OutletList<Int, Never>()
        let stays = Outlet(Recorder<Int, Never>().sink, backlog: .newest(1), stage: "test")
        list.append(stays)
        for _ in 0..<1_000 {
            let outlet = Outlet(Recorder<Int, Never>().sink, backlog: .newest(1), stage: "test")
            list.append(outlet)
            list.remove(outlet)
            outlet.release()
        }
        let count = list.count
        #expect(count <= 4)
        list.destroy()
    }
}
