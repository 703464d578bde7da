import Dispatch
import Foundation

/// Several threads that do something at once.
enum Crew {
    /// Runs `work` on as many threads, and waits for them; returns whether they all came back in time.
    static func run(
        _ count: Int, stackSize: Int? = nil, seconds: Int = 60, _ work: @escaping @Sendable (Int) -> Void
    ) -> Bool {
        let group = DispatchGroup()
        for index in 0..<count {
            group.enter()
            let thread = Thread {
                work(index)
                group.leave()
            }
            if let stackSize { thread.stackSize = stackSize }
            thread.start()
        }
        return group.wait(timeout: .now() + .seconds(seconds)) == .success
    }
}
