import Foundation
import Signals

/// The identity of a thread, unique even after the thread has ended, unlike the address of a thread's object.
package struct ThreadIdentity: Hashable, Sendable {
    private static let last = Lock(0)
    private let number: Int

    /// The identity of the current thread, which keeps the number that it gets on first use.
    package static var current: ThreadIdentity {
        let values = Thread.current.threadDictionary
        if let number = values["SignalsTesting"] as? Int { return ThreadIdentity(number: number) }
        let number = last.withLock { last in
            last += 1
            return last
        }
        values["SignalsTesting"] = number
        return ThreadIdentity(number: number)
    }
}
