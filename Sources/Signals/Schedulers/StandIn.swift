import Dispatch

/// Does what a visitor of an engine has offered, in case no sender comes.
enum StandIn {
    /// Takes one step after another on its own queue, until one reports that it was the last.
    ///
    /// Between two steps the work is on offer again, so that a returning sender takes it: it knows where its values are
    /// to be delivered, and waits for them. Nobody else can block this queue, nor does it use the pool of the tasks.
    static func begin(_ step: @escaping @Sendable () -> Bool) {
        let queue = DispatchQueue(label: "Signals.StandIn")
        @Sendable func next() {
            if !step() { queue.async(execute: next) }
        }
        queue.async(execute: next)
    }
}
