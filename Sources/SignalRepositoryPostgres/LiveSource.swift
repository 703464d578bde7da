/// The way in which a repository on a server learns of commits.
///
/// Programs that share a store may use different sources.
public enum LiveSource: Sendable, Hashable {
    /// Logical replication: the server delivers the changed rows of every commit by any program, shortly after the
    /// commit and without delaying writers.
    ///
    /// Live values are updated with the changed rows, and `changes()` reports the changes of every program. The server
    /// needs `wal_level = logical`. The role needs the attribute REPLICATION, which lets it read every table of the
    /// database. When the store is first opened with this source, the role also needs CREATE on the database.
    case replication
    /// Notifications that tables have changed, for servers and roles without replication.
    ///
    /// Live values are re-read after each commit that touches their tables. With notifications, the server makes the
    /// commits of all programs queue up briefly, so many writers slow each other down. `changes()` fails with
    /// `.misuse`.
    case notifications
}
