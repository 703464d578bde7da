/// The limits of silence on a stream; tests use shorter ones.
struct SilenceLimits: Sendable {
    /// How long to wait for commits before queries are re-read instead.
    var waited = Duration.seconds(2)
    /// The same, for a stream that is still behind after an earlier wait.
    var waitedAgain = Duration.milliseconds(100)
    /// The silence after which the server is asked to reply.
    var requested = Duration.seconds(10)
    /// The silence after which a stream is closed, and any other connection if the server does not answer a new one.
    var lost = Duration.seconds(20)
}
