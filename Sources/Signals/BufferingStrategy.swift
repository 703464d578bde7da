/// What a full buffer does with the next value.
///
/// The size of the buffer is stated with it. A hot source, which has a buffer for each of its sinks, drops: it can
/// neither fail for one of them nor wait.
///
/// ```swift
/// let newest = Broadcast<Int, Never>(bufferSize: 10, whenFull: .dropOldest)
/// let token = newest.signal.buffer(size: 100, whenFull: .dropNewest).sink { print($0) }
/// ```
public enum BufferingStrategy<Failure: Error>: Sendable {
    /// Drops the value that has waited longest; it is reported to `DiscardHook`.
    case dropOldest
    /// Drops the value that has just arrived; it is reported to `DiscardHook`.
    case dropNewest
    /// Delivers what is buffered, then fails; the upstream is cancelled.
    case fail(Failure)
    /// Requests no more from the upstream than there is room for, so that it waits; a hot source cannot.
    case suspend
}
