#if canImport(Darwin)
    import Darwin
#elseif canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#elseif canImport(Android)
    import Android
#endif

/// A check in debug builds that one thread at a time uses an object; release builds check and store nothing.
///
/// Work on a serial queue holds the queue's confinement, and the objects that belong to the queue assert that it is
/// held. A database connection, which moves from thread to thread, has its own confinement.
@usableFromInline
package struct Confinement: Sendable {
    #if DEBUG
        private struct Holder {
            var thread: pthread_t?
            /// The nesting depth of the calls of `during` on that thread.
            var depth = 0

            var isCurrent: Bool { thread.map { pthread_equal($0, pthread_self()) != 0 } ?? false }
        }

        private let holder = Lock(Holder())
    #endif

    package init() {}

    /// Runs work; in debug builds, traps if another thread holds the confinement.
    @inlinable @inline(__always)
    package func during<Output, Failure: Error>(_ work: () throws(Failure) -> Output) throws(Failure) -> Output {
        #if DEBUG
            begin()
            defer { end() }
        #endif
        return try work()
    }

    /// In debug builds, traps if the calling thread does not hold the confinement.
    @inlinable @inline(__always)
    package func assertHeld() {
        #if DEBUG
            checkHeld()
        #endif
    }

    #if DEBUG
        @usableFromInline
        func begin() {
            let isFree = holder.withLock { holder in
                guard holder.depth == 0 || holder.isCurrent else { return false }
                (holder.thread, holder.depth) = (pthread_self(), holder.depth + 1)
                return true
            }
            precondition(isFree, "Two threads use an object that only one may use at a time.")
        }

        @usableFromInline
        func end() {
            holder.withLock { holder in
                holder.depth -= 1
                if holder.depth == 0 { holder.thread = nil }
            }
        }

        @usableFromInline
        func checkHeld() {
            precondition(
                holder.withLock { $0.isCurrent }, "An object is used outside its queue or thread.")
        }
    #endif
}
