import Foundation
import Signals

/// The identity of a thread.
///
/// Unlike the address of a thread's object, the identity stays unique after the thread has ended.
package struct ThreadIdentity: Hashable, Sendable {
    private static let last = Lock(0)
    private let number: Int

    /// The identity of the current thread.
    ///
    /// The first call assigns a number to the thread, which then keeps this number.
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
