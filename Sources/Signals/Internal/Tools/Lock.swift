#if canImport(Darwin)
    import Darwin
    @usableFromInline typealias PlatformLock = os_unfair_lock_s
#elseif canImport(Glibc)
    import Glibc
    @usableFromInline typealias PlatformLock = pthread_mutex_t
#elseif canImport(Musl)
    import Musl
    @usableFromInline typealias PlatformLock = pthread_mutex_t
#elseif canImport(Android)
    import Android
    @usableFromInline typealias PlatformLock = pthread_mutex_t
#endif

/// State and the lock that guards it, in one allocation; the package has no other lock type.
///
/// On Linux the lock is a pthread mutex, because ThreadSanitizer reports false races for `Synchronization.Mutex`. Both
/// locks cost the same. Foreign code, such as a user's closure, must not run inside `withLock`, because it may call
/// back and take the same lock, which deadlocks or traps. Copies of a `Lock` share its state and its lock.
@usableFromInline
package struct Lock<State>: @unchecked Sendable {
    // Safe because the buffer's header is only accessed while the lock is held.
    @usableFromInline let buffer: ManagedBuffer<State, PlatformLock>

    @inlinable
    package init(_ state: sending State) {
        buffer = LockBuffer<State>.create(minimumCapacity: 1) { _ in state }
        buffer.withUnsafeMutablePointerToElements { lock in
            #if canImport(Darwin)
                lock.initialize(to: os_unfair_lock_s())
            #else
                lock.initialize(to: pthread_mutex_t())
                pthread_mutex_init(lock, nil)
            #endif
        }
    }

    /// Runs `body` with exclusive access to the state.
    ///
    /// `body` can return a closure or an object, so that the caller calls or releases it outside the lock.
    @inlinable
    package func withLock<Result, Failure: Error>(
        _ body: (inout State) throws(Failure) -> Result
    ) throws(Failure) -> Result {
        try buffer.withUnsafeMutablePointers { (state, lock) throws(Failure) -> Result in
            #if canImport(Darwin)
                os_unfair_lock_lock(lock)
                defer { os_unfair_lock_unlock(lock) }
            #else
                pthread_mutex_lock(lock)
                defer { pthread_mutex_unlock(lock) }
            #endif
            #if DEBUG
                LockNesting.taken(State.self)
                defer { LockNesting.released(State.self) }
            #endif
            return try body(&state.pointee)
        }
    }
}

/// The allocation of a lock: the state, followed by the platform's lock, which `deinit` destroys.
@usableFromInline
final class LockBuffer<State>: ManagedBuffer<State, PlatformLock> {
    @inlinable
    deinit {
        withUnsafeMutablePointerToElements { lock in
            #if !canImport(Darwin)
                pthread_mutex_destroy(lock)
            #endif
            lock.deinitialize(count: 1)
        }
    }
}

/// The number of the current thread; it is never 0, and no other living thread has it.
@usableFromInline
enum LiveThreadID {
    @usableFromInline static var current: UInt {
        #if canImport(Glibc)
            pthread_self()
        #else
            UInt(bitPattern: pthread_self())
        #endif
    }
}
