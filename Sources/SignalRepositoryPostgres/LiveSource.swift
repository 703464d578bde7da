/// How a repository on a server learns of commits.
///
/// Programs that share a store may use different sources.
public enum LiveSource: Sendable, Hashable {
    /// The server's logical replication, which delivers the rows of every commit by any program shortly after it,
    /// without delaying writers.
    ///
    /// Live values are updated with the changed rows, and `changes()` reports the changes of every program. The server
    /// needs `wal_level = logical`. The role needs the attribute REPLICATION, which lets it read every table of the
    /// database, and CREATE on the database when the store is first opened with this source.
    case replication
    /// Notifications that tables have changed, for servers and roles without replication.
    ///
    /// Live values are re-read after each commit that touches their tables. The server makes the commits of all
    /// programs queue up briefly, so that many writers slow each other down. `changes()` fails with `.misuse`.
    case notifications
}

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

/// The limits of silence on a stream; tests use shorter ones.
struct SilenceLimits: Sendable {
    /// How long to wait for commits before queries are re-read instead.
    var waited = Duration.seconds(2)
    /// The same, for a stream that is still behind after an earlier wait.
    var waitedAgain = Duration.milliseconds(100)
    /// The silence after which the server is asked to reply.
    var asked = Duration.seconds(10)
    /// The silence after which a stream is closed, and any other connection if the server does not answer a new one.
    var lost = Duration.seconds(20)
}
