/// The rules that keep the stream and snapshots consistent; tests switch them off one by one.
struct StreamRules: OptionSet, Sendable {
    let rawValue: Int

    /// A streamed commit is admitted once a new snapshot shows it.
    static let admission = StreamRules(rawValue: 1)
    /// A pass that reads waits until the stream has delivered everything that its snapshot can show.
    static let catchingUp = StreamRules(rawValue: 2)
    /// A wait for commits that are not on disk yet makes the server flush them.
    static let fence = StreamRules(rawValue: 4)
    /// Tables are locked before a snapshot is taken, because older snapshots see the effect of TRUNCATE.
    static let locking = StreamRules(rawValue: 8)
    /// The stream is relied upon once a snapshot shows everything that was committed before it.
    static let beginning = StreamRules(rawValue: 16)
    /// Commits that arrive faster than they are admitted are admitted together, which only saves work.
    static let gathering = StreamRules(rawValue: 32)

    static let all: StreamRules = [.admission, .catchingUp, .fence, .locking, .beginning, .gathering]
}
