import Dispatch

/// A queue that processes the events of an `Engine` when no other thread does.
///
/// An attach, a request or a cancel processes only its own event, and leaves events that other threads have stored. The
/// next thread that sends a value processes these events. The helper does so in case no such thread arrives.
enum Helper {
    /// Calls `step` on a new queue, again and again until it returns true.
    ///
    /// Between two calls, a sending thread can take over the stored events. It then delivers its own values on its own
    /// thread, and waits until they are delivered. No other work can block the new queue, and it takes no thread of the
    /// concurrent pool.
    static func begin(_ step: @escaping @Sendable () -> Bool) {
        let queue = DispatchQueue(label: "Signals.Helper")
        @Sendable func next() {
            if !step() { queue.async(execute: next) }
        }
        queue.async(execute: next)
    }
}
