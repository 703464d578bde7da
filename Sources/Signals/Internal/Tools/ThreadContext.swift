#if canImport(Darwin)
    import Darwin
#elseif canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#elseif canImport(Android)
    import Android
#endif

/// The role of a thread, which decides where work runs, and the delivery that the thread's work has produced.
///
/// A delivery is a closure that calls sinks; see `Executor`.
package final class ThreadContext {
    private enum Role {
        case other
        /// The thread attaches a run and waits for it. It does the run's work itself if the executor has room.
        case waiting
        /// The thread runs work of an executor. It must not wait for other work, which could wait for this thread.
        case working
    }

    private static let key = {
        var key = pthread_key_t()
        let code = pthread_key_create(&key) { context in
            let context: UnsafeMutableRawPointer? = context
            // Safe because the thread has retained the context, and this closure runs once, when the thread ends.
            if let context { Unmanaged<ThreadContext>.fromOpaque(context).release() }
        }
        precondition(code == 0, "The process has no thread-specific key left.")
        return key
    }()

    private var role = Role.other
    /// The last delivery that the work in progress has produced.
    var delivery: Executor.Work?

    private init() {}

    /// The current thread's context; nil if the thread has never been `waiting` or `working`.
    private static var known: ThreadContext? {
        // Safe because the thread retains its context until the thread ends.
        pthread_getspecific(key).map { Unmanaged<ThreadContext>.fromOpaque($0).takeUnretainedValue() }
    }

    private static var current: ThreadContext {
        if let known { return known }
        let context = ThreadContext()
        // Safe because the closure passed to `pthread_key_create` releases the context when the thread ends.
        pthread_setspecific(key, Unmanaged.passRetained(context).toOpaque())
        return context
    }

    package static var isWaiting: Bool { known?.role == .waiting }
    package static var isWorking: Bool { known?.role == .working }
    /// The current thread's context, if its role is `working`.
    static var working: ThreadContext? { known.flatMap { $0.role == .working ? $0 : nil } }

    /// Runs `body`, which attaches a run that the thread waits for.
    package static func wait(_ body: () -> Void) { _ = current.during(.waiting, body) }

    /// Runs work, and returns the last delivery that the work has produced.
    ///
    /// If the call is made inside other work, returns nil; the outer call then returns the delivery.
    static func work(_ body: () -> Void) -> Executor.Work? {
        let context = current
        return context.during(.working, body) == .working ? nil : context.delivery.take()
    }

    /// Runs `body` in a role; then restores the previous role, and returns it.
    private func during(_ role: Role, _ body: () -> Void) -> Role {
        let outer = self.role
        self.role = role
        defer { self.role = outer }
        body()
        return outer
    }
}
