/// Where results leave the repository: never on a database queue, so that a callback cannot hold up the database.
///
/// There are many threads, owned by the repository, because a callback that waits for another result must neither keep
/// that result from arriving nor take a thread from the rest of the program; the values of one sink are kept in order
/// by its own mailbox. If as many sinks block at the same time as there are threads, the others wait for one of them.
enum Delivery {
    /// How many sinks can block at the same time.
    static let limit = 64

    private static let threads = Threads(label: "SignalRepository.delivery", limit: limit)

    static func schedule(_ work: (@Sendable () -> Void)?) {
        if let work { threads.async(work) }
    }
}
