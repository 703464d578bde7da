/// The rules that keep the stream and snapshots consistent; tests switch them off one by one.
struct StreamRules: OptionSet, Sendable {
    let rawValue: Int

    /// A streamed commit enters the commit log only once a new snapshot of the server shows it.
    static let admission = StreamRules(rawValue: 1)
    /// Live queries read a snapshot only after the stream has delivered every commit that the snapshot can show.
    static let catchingUp = StreamRules(rawValue: 2)
    /// A caller that waits for commits makes the server flush them, because the server streams only flushed commits.
    static let fence = StreamRules(rawValue: 4)
    /// Tables are locked before a snapshot is taken, because even an older snapshot sees the effect of TRUNCATE.
    static let locking = StreamRules(rawValue: 8)
    /// The stream becomes active only once a new snapshot shows every commit from before the stream.
    static let beginning = StreamRules(rawValue: 16)
    /// Commits that arrive in quick succession enter the commit log together.
    ///
    /// This rule only saves work.
    static let gathering = StreamRules(rawValue: 32)

    static let all: StreamRules = [.admission, .catchingUp, .fence, .locking, .beginning, .gathering]
}
