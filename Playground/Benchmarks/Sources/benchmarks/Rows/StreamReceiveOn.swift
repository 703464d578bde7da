import Dispatch
import OpenCombine
import OpenCombineDispatch
import Signals

extension Catalogue {
    /// Bursts of values that are received on a queue; each burst waits for the previous one.
    static var streamReceiveOn: Row {
        let bursts = opaque(50)
        let queue = DispatchQueue(label: "benchmarks.receiveOn")
        return Row(
            id: "stream.receiveOn", work: "subject → receive(on: queue) → sink, bursts of 1,000",
            operations: bursts * burst,
            bars: [.ofPeer(1)],
            ours: .timed("Signals", repeats: 3) {
                let arrivals = Arrivals()
                let subject = Broadcast<Int, Never>()
                let token = subject.signal.receive(on: queue).sink { arrivals.add($0) }
                for _ in 0..<bursts {
                    for value in 1...burst { subject.send(value) }
                    arrivals.waitForBurst()
                }
                token.cancel()
                return arrivals.tally.sum
            },
            peer: .timed("OpenCombine") {
                let arrivals = Arrivals()
                let subject = PassthroughSubject<Int, Never>()
                let token = subject.receive(on: DispatchQueue.OCombine(queue)).sink { arrivals.add($0) }
                for _ in 0..<bursts {
                    for value in 1...burst { subject.send(value) }
                    arrivals.waitForBurst()
                }
                token.cancel()
                return arrivals.tally.sum
            })
    }
}

private let burst = 1_000

/// The values that have arrived on the queue, with a semaphore for the sender after each burst.
private struct Arrivals: Sendable {
    let tally = Tally()
    private let whole = DispatchSemaphore(value: 0)

    func add(_ value: Int) {
        tally.add(value)
        if tally.count % burst == 0 { whole.signal() }
    }

    func waitForBurst() {
        whole.wait()
    }
}
