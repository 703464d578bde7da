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

/// The threads that call sinks.
///
/// They are separate from the queue that made the values, so a sink cannot block that queue.
///
/// The library has its own threads for sinks, because a sink may block until another signal delivers. Such a sink must
/// neither delay that other signal nor take a thread from the rest of the program. Each sink's `Outbox` keeps its
/// values in order. While `limit` sinks block at the same time, all other sinks wait for a free thread.
package enum Delivery {
    /// The number of sinks that can block at the same time before other sinks must wait.
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
