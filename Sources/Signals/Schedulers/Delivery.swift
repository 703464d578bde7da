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

/// Where sinks are called: never on the queue that has made their values, so that a callback cannot hold it up.
///
/// The threads are the library's own, because a callback that waits for another result must neither keep that result
/// from arriving nor take a thread from the rest of the program; the values of one sink are kept in order by its
/// outbox. While `limit` sinks block at the same time, the others wait for one of them.
package enum Delivery {
    /// How many sinks can block at the same time.
    static let limit = 64
    static let processors = sysconf(Int32(_SC_NPROCESSORS_ONLN))

    private static let threads = Threads(label: "Signals.delivery", limit: limit)
    private static let clock = DispatchQueue(label: "Signals.delivery.clock")

    package static func schedule(_ work: (@Sendable () -> Void)?) {
        if let work { threads.async(work) }
    }

    /// Does something that is short and calls no sink.
    static func after(milliseconds pause: Int, _ work: @escaping @Sendable () -> Void) {
        clock.asyncAfter(deadline: .now() + .milliseconds(pause), execute: work)
    }
}
