/// The policy for a value that arrives while a buffer is full.
///
/// The size of the buffer is passed separately. A hot source has one buffer for each sink. It can only drop values,
/// because it can neither wait nor fail for a single sink.
///
/// ```swift
/// let newest = Broadcast<Int, Never>(bufferSize: 10, whenFull: .dropOldest)
/// let token = newest.signal.buffer(size: 100, whenFull: .dropNewest).sink { print($0) }
/// ```
public enum BufferingStrategy<Failure: Error>: Sendable {
    /// Drops the oldest value and reports it to `DiscardHook`.
    case dropOldest
    /// Drops the new value and reports it to `DiscardHook`.
    case dropNewest
    /// Cancels the upstream, delivers the buffered values, then fails with the given failure.
    case fail(Failure)
    /// Requests only as many values as the buffer can hold, so that the upstream waits; not allowed for a hot source.
    case suspend
}
