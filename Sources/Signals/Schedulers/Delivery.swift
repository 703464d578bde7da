import Dispatch

#if canImport(Darwin)
    import Darwin
#elseif canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#elseif canImport(Android)
    import Android
#endif

/// The threads on which sinks are called: never the queue that made their values, so that a callback cannot block it.
///
/// The library has its own threads for this: a callback that waits for another result must neither keep that result
/// from arriving nor take a thread from the rest of the program. The outbox of each sink keeps its values in order.
/// While `limit` sinks block at the same time, the others wait for one of them.
package enum Delivery {
    /// The number of sinks that can block at the same time.
    static let limit = 64
    static let processors = sysconf(Int32(_SC_NPROCESSORS_ONLN))

    private static let threads = Threads(label: "Signals.delivery", limit: limit)
    private static let clock = DispatchQueue(label: "Signals.delivery.clock")

    package static func schedule(_ work: (@Sendable () -> Void)?) {
        if let work { threads.async(work) }
    }

    /// Runs short work that calls no sink, after a pause.
    static func after(milliseconds pause: Int, _ work: @escaping @Sendable () -> Void) {
        clock.asyncAfter(deadline: .now() + .milliseconds(pause), execute: work)
    }
}
