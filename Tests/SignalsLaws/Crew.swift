import Dispatch
import Foundation
import Signals
import SignalsTesting

/// Several threads that work at the same time.
enum Crew {
    /// Runs `work` on `count` threads, and waits for them; returns whether they all finished in time.
    static func run(_ count: Int, stackSize: Int? = nil, _ work: @escaping @Sendable (Int) -> Void) -> Bool {
        let group = DispatchGroup()
        let out = Lock(Set(0..<count))
        for index in 0..<count {
            group.enter()
            let thread = Thread {
                work(index)
                _ = out.withLock { $0.remove(index) }
                group.leave()
            }
            if let stackSize { thread.stackSize = stackSize }
            thread.start()
        }
        if group.wait(timeout: .now() + .seconds(Patience.seconds)) == .success { return true }
        let missing = out.withLock { $0.sorted() }
        Patience.report("\(count) threads", "threads \(missing) have not returned")
        return false
    }
}
