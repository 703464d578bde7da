import Foundation
import Signals

/// Tells threads apart, those that have ended too: the address of a thread's object may become that of another's.
package struct ThreadIdentity: Hashable, Sendable {
    private static let last = Lock(0)
    private let number: Int

    /// The current thread's: it keeps the number that it gets when it is first asked.
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
