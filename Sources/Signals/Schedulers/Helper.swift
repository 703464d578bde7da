import Dispatch

/// A helper that does the work that a control call of an engine has left available, in case no sender arrives.
enum Helper {
    /// Runs `step` on a new queue, again and again until it returns true.
    ///
    /// Between two steps the work is available again, so that a returning sender takes it: its values belong on its
    /// thread, which then waits for their delivery. No other work can block this queue, and it uses no thread of the
    /// concurrent pool.
    static func begin(_ step: @escaping @Sendable () -> Bool) {
        let queue = DispatchQueue(label: "Signals.Helper")
        @Sendable func next() {
            if !step() { queue.async(execute: next) }
        }
        queue.async(execute: next)
    }
}
