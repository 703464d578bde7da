#if canImport(Darwin)
    import Darwin
#elseif canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#elseif canImport(Android)
    import Android
#endif

/// The use of something by one thread at a time, which debug builds check; release builds check and store nothing.
///
/// A serial queue confines what it owns: a piece of work holds the queue's confinement, and whatever belongs to the
/// queue asserts that it is held. A connection, which goes from thread to thread, has its own confinement.
@usableFromInline
package struct Confinement: Sendable {
    #if DEBUG
        private struct Holder {
            var thread: pthread_t?
            /// How many pieces of work of that thread are inside one another.
            var depth = 0

            var isCurrent: Bool { thread.map { pthread_equal($0, pthread_self()) != 0 } ?? false }
        }

        private let holder = Lock(Holder())
    #endif

    package init() {}

    /// Does a piece of work; traps if another thread is at work here.
    @inlinable @inline(__always)
    package func during<Output, Failure: Error>(_ work: () throws(Failure) -> Output) throws(Failure) -> Output {
        #if DEBUG
            begin()
            defer { end() }
        #endif
        return try work()
    }

    /// Traps if the calling thread is not at work here.
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
            precondition(isFree, "Two threads use at once what only one may use at a time.")
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
                holder.withLock { $0.isCurrent }, "This belongs to a queue, or a thread, that is not this one.")
        }
    #endif
}
