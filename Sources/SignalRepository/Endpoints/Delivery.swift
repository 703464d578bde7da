import Dispatch

/// Where results leave the repository: never on a database's queue, so that a callback cannot hold up the database.
///
/// The queue is concurrent, because a callback that waits for another result must not keep that one from arriving; the
/// values of one sink are put in order by its own mailbox.
enum Delivery {
    private static let queue = DispatchQueue(label: "SignalRepository.delivery", attributes: .concurrent)

    static func schedule(_ work: @escaping @Sendable () -> Void) {
        queue.async(execute: work)
    }
}
