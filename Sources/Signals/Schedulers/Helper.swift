import Dispatch

/// A queue that processes the events of an `Engine` when no other thread does.
///
/// An attach, a request or a cancel processes only its own event, and leaves events that other threads have stored. The
/// next thread that sends a value processes these events. If no such thread arrives, the helper processes them.
enum Helper {
    /// Calls `step` on a new queue, again and again until it returns true.
    ///
    /// Between two calls, a sending thread can take over the stored events. It processes these events, and then
    /// delivers its own value itself. Other work cannot block the queue, because the queue is new. As a serial queue,
    /// it has its own thread while it works.
    static func begin(_ step: @escaping @Sendable () -> Bool) {
        let queue = DispatchQueue(label: "Signals.Helper")
        @Sendable func next() {
            if !step() { queue.async(execute: next) }
        }
        queue.async(execute: next)
    }
}
