import Dispatch
import Foundation
import SignalsTesting

/// Counts what arrives, for a thread that waits for it.
final class Arrivals: Sendable {
    private let count = Count()
    private let semaphore = DispatchSemaphore(value: 0)

    func note() {
        count.raise()
        semaphore.signal()
    }

    /// Sends twice in each round, the second time just as the delivery of the first one ends.
    ///
    /// Nothing else is sent meanwhile, which would make up for what was lost; false when something has not arrived in
    /// time.
    func followRounds(_ rounds: Int, send: @escaping @Sendable () -> Void) -> Bool {
        let isMissing = Count()
        let returned = onThreads(1) { _ in
            for round in 0..<rounds where isMissing.value == 0 {
                send()
                self.spin(until: 2 * round + 1)
                // A little later each time, to meet every moment of the end.
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
