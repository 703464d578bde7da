import Foundation
import Signals
import SignalsTesting

@testable import RepositoryCore
@testable import SignalRepository

/// The two clocks of a repository, moved together by a test.
final class TestClock: Sendable {
    private let seconds = Lock(800_000_000.5)
    private let scheduler = VirtualScheduler()

    var now: Date { Date(timeIntervalSinceReferenceDate: seconds.withLock { $0 }) }

    var configuration: RepositoryConfiguration {
        var configuration = RepositoryConfiguration()
        configuration.now = { self.now }
        configuration.clock = scheduler
        return configuration
    }

    func advance(by count: Int) {
        seconds.withLock { $0 += Double(count) }
        scheduler.advance(by: .seconds(count))
    }

    /// Moves only the clock that shows the time, as a person does.
    func set(by count: Int) { seconds.withLock { $0 += Double(count) } }
}
