/// What a full buffer does with the next value.
public enum Overflow<Failure: Error>: Sendable {
    /// Drops the value that has waited longest, to `DiscardHook`.
    case dropOldest
    /// Drops the value that has just come, to `DiscardHook`.
    case dropNewest
    /// Delivers what waits, then fails; the upstream is cancelled.
    case fail(Failure)
    /// Asks the upstream for no more than there is room for, so that it waits; it is asked again when `low` are left.
    case suspend
}
