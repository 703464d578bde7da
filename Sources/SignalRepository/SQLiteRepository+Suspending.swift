public import Signals

extension SQLiteRepository {
    /// Suspends the repository: releases every lock and descriptor of the file, and the right to write.
    ///
    /// ```swift
    /// try await repository.suspend().value()  // when the app goes to the background
    /// try await repository.resume().value()   // when it is back
    /// ```
    /// Use it to let another process write. Use it also for a file that an app shares with its extensions: the system
    /// ends a background program that holds a lock on such a file. The repository completes work in progress first, so
    /// cancel long work. Signals that stream rows end with `.busy`, because they hold a transaction. Signals that are
    /// attached to a suspended repository begin after `resume()`, in order. `wait()` and `immediately()` fail with
    /// `.busy`, because the thread that they block could be the one that resumes. Live signals and change signals
    /// pause.
    ///
    /// For a store in memory, suspending only makes work wait; the contents stay. A suspended repository can be closed;
    /// waiting work then ends with `.closed`.
    ///
    /// - Delivery: an empty value, once the file is released; then it finishes.
    /// - Failure: `.closed`.
    public func suspend() -> Signal<Void, RepositoryError> { engine.suspending(self) }

    /// Resumes the repository after `suspend()`: opens the file again, and begins the waiting work.
    ///
    /// Other programs may have written to the file, so live queries are re-read, and change signals report "unknown". A
    /// repository that is not suspended is left as it is.
    ///
    /// - Delivery: an empty value, once the repository is resumed; then it finishes.
    /// - Failure: as for opening: `.ownedElsewhere` while another process writes to the file, `.schemaMismatch` if a
    ///   newer version of the program has migrated the file, `.fileMoved` if the file is gone; `.closed`. After a
    ///   failure, the repository stays suspended, and can be resumed later.
    public func resume() -> Signal<Void, RepositoryError> { engine.resuming(self) }
}
