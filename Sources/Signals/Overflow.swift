/// What a full buffer does with the next value.
public enum Overflow<Failure: Error>: Sendable {
    /// Drops the value that has waited longest; it is reported to `DiscardHook`.
    case dropOldest
    /// Drops the value that has just arrived; it is reported to `DiscardHook`.
    case dropNewest
    /// Delivers what is buffered, then fails; the upstream is cancelled.
    case fail(Failure)
    /// Requests no more from the upstream than there is room for, so that it waits; more is requested when `low` are
    /// left.
    case suspend
}
