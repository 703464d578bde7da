/// How a repository on a server hears of commits.
///
/// Several programs may use one store in different ways.
public enum LiveSource: Sendable, Hashable {
    /// The server's logical replication: the rows of every commit of every program, a moment after it; whoever writes
    /// waits for nothing more.
    ///
    /// Live values are brought up to date by the rows that changed, and `changes()` reports them, whoever made them.
    /// The server needs `wal_level = logical`; the role needs the attribute REPLICATION, with which it can read every
    /// table of the database, and, when the store is first opened so, CREATE on the database.
    case replication
    /// Notifications that tables have changed, for servers and roles without replication.
    ///
    /// Live values are read again after each commit that touches their tables. Commits of all programs queue up for a
    /// moment, so that many writers slow each other down. `changes()` fails with `.misuse`.
    case notifications
}

/// The rules by which what the stream tells and what a snapshot shows agree; tests switch them off one by one.
struct StreamRules: OptionSet, Sendable {
    let rawValue: Int

    /// What was heard is believed once a new snapshot shows it.
    static let admission = StreamRules(rawValue: 1)
    /// A pass that reads waits until everything has been heard that its snapshot can show.
    static let catchingUp = StreamRules(rawValue: 2)
    /// What has not been written to the disk is written when it is waited for.
    static let fence = StreamRules(rawValue: 4)
    /// Tables are locked before a snapshot is taken: TRUNCATE shows in older ones.
    static let locking = StreamRules(rawValue: 8)
    /// It begins when a snapshot shows everything that the stream does not tell.
    static let beginning = StreamRules(rawValue: 16)
    /// Commits that come faster than they are admitted are admitted several at a time, which saves work and no more.
    static let gathering = StreamRules(rawValue: 32)

    static let all: StreamRules = [.admission, .catchingUp, .fence, .locking, .beginning, .gathering]
}

/// How long a server may say nothing on a stream; tests have less patience.
struct SilenceLimits: Sendable {
    /// Until what has not been heard is read anew instead.
    var waited = Duration.seconds(2)
    /// The same, of a stream that was waited for before and is still behind.
    var waitedAgain = Duration.milliseconds(100)
    /// Until it is asked to answer.
    var asked = Duration.seconds(10)
    /// Until the stream is given up, and another connection if the server answers nobody.
    var lost = Duration.seconds(20)
}
