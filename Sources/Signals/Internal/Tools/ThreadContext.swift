#if canImport(Darwin)
    import Darwin
#elseif canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#elseif canImport(Android)
    import Android
#endif

/// The role of a thread, which decides where work is done, and the delivery that its work has made due.
package final class ThreadContext {
    private enum Role {
        case other
        /// It attaches what it waits for, and does that work itself where there is room.
        case waiting
        /// It is in a piece of work of an executor, where waiting for other work could be for ever.
        case working
    }

    private static let key = {
        var key = pthread_key_t()
        let code = pthread_key_create(&key) { context in
            let context: UnsafeMutableRawPointer? = context
            // Safe because the thread ends, and has retained what it stored.
            if let context { Unmanaged<ThreadContext>.fromOpaque(context).release() }
        }
        precondition(code == 0, "The system has no room for one more value of each thread.")
        return key
    }()

    private var role = Role.other
    /// The last delivery that became due in the work in progress.
    var delivery: Executor.Work?

    private init() {}

    /// The thread's context, if it has ever had another role.
    private static var known: ThreadContext? {
        // Safe because the thread keeps it until it ends.
        pthread_getspecific(key).map { Unmanaged<ThreadContext>.fromOpaque($0).takeUnretainedValue() }
    }

    private static var current: ThreadContext {
        if let known { return known }
        let context = ThreadContext()
        // Safe because the thread releases it when it ends.
        pthread_setspecific(key, Unmanaged.passRetained(context).toOpaque())
        return context
    }

    package static var isWaiting: Bool { known?.role == .waiting }
    package static var isWorking: Bool { known?.role == .working }
    /// The context of a thread that works.
    static var working: ThreadContext? { known.flatMap { $0.role == .working ? $0 : nil } }

    /// Attaches something that the thread waits for.
    package static func wait(_ body: () -> Void) { _ = current.during(.waiting, body) }

    /// Does a piece of work, and returns the delivery that it has made due; inside another piece of work nothing, since
    /// that one returns it.
    static func work(_ body: () -> Void) -> Executor.Work? {
        let context = current
        return context.during(.working, body) == .working ? nil : context.delivery.take()
    }

    /// Runs `body` in a role; returns the role before, which the thread has again.
    private func during(_ role: Role, _ body: () -> Void) -> Role {
        let outer = self.role
        self.role = role
        defer { self.role = outer }
        body()
        return outer
    }
}
