import Dispatch
import Foundation
import SignalsTesting

/// Counts arrivals, for a thread that waits for them.
final class Arrivals: Sendable {
    private let count = Count()
    private let semaphore = DispatchSemaphore(value: 0)

    func note() {
        count.raise()
        semaphore.signal()
    }

    /// Sends twice in each round, the second time just as the first delivery ends; returns whether all arrived in time.
    ///
    /// Nothing else is sent, because another send could deliver a value that was otherwise lost.
    func followRounds(_ rounds: Int, send: @escaping @Sendable () -> Void) -> Bool {
        let isMissing = Count()
        let returned = onThreads(1) { _ in
            for round in 0..<rounds where isMissing.value == 0 {
                send()
                self.spin(until: 2 * round + 1)
                // A little later in each round, to hit every moment of the delivery's end.
                for _ in 0..<round % 100 { _ = self.count.value }
                send()
                if !self.wait(for: 2) { isMissing.raise() }
            }
        }
        return returned && isMissing.value == 0
    }

    private func spin(until number: Int) {
        var spins = 0
        while count.value < number && spins < 10_000_000 {
            spins += 1
            if spins.isMultiple(of: 1_000) { sched_yield() }
        }
    }

    private func wait(for number: Int) -> Bool {
        (0..<number).allSatisfy { _ in semaphore.wait(timeout: .now() + .seconds(Patience.seconds)) == .success }
    }
}
