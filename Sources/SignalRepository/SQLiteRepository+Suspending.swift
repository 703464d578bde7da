public import Signals

extension SQLiteRepository {
    /// Lets go of the file for a while: every lock, every descriptor, the right to write.
    ///
    /// ```swift
    /// try await repository.suspend().value()  // when the app goes to the background
    /// try await repository.resume().value()   // when it is back
    /// ```
    /// It is for a file that an app shares with its extensions, where the system ends a program that holds a lock in
    /// the background; and to let another process write for a while. Work that is in progress is done first, so cancel
    /// what takes long. Streams end with `.busy`, since they hold a transaction. What is attached meanwhile begins when
    /// the repository goes on, in its order; `wait()` and `immediately()` fail with `.busy`, because the thread that
    /// they hold could be the one that resumes. Live signals and change signals rest.
    ///
    /// A store in memory keeps what it has, and only makes work wait. A repository that is suspended can be closed;
    /// what waits then ends with `.closed`.
    ///
    /// - Delivery: an empty value, once nothing is held any more; then it finishes.
    /// - Failure: `.closed`.
    public func suspend() -> Signal<Void, RepositoryError> { engine.suspending(self) }

    /// Goes on after `suspend()`: opens the file again, and begins with what was attached meanwhile.
    ///
    /// Others may have written, so live queries are read again, and change signals report "unknown". One that is not
    /// suspended stays as it is.
    ///
    /// - Delivery: an empty value, once the repository goes on; then it finishes.
    /// - Failure: those of opening: `.ownedElsewhere` while another process writes to the file, `.schemaMismatch` where
    ///   a newer version of the program has migrated it, `.fileMoved` where it is gone, `.closed`. The repository stays
    ///   suspended, and can be resumed later.
    public func resume() -> Signal<Void, RepositoryError> { engine.resuming(self) }
}
