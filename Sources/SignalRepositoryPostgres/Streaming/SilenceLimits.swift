/// The times after which the program reacts to a silent stream.
///
/// Tests use shorter times.
struct SilenceLimits: Sendable {
    /// How long a read waits for commits that the stream has not sent.
    ///
    /// After this time, live queries are re-read.
    var waited = Duration.seconds(2)
    /// The value of `waited` for a stream that has not caught up since an earlier wait timed out.
    var waitedAgain = Duration.milliseconds(100)
    /// How long a stream is silent before the program asks the server for a reply.
    var requested = Duration.seconds(10)
    /// How long a stream is silent before the program closes it.
    ///
    /// If any other connection waits this long for the server, the program pings the server, and closes the connection
    /// unless the server answers.
    var lost = Duration.seconds(20)
}
