import Dispatch

/// Reports whether the current code runs on the main queue, and so on the main actor.
///
/// The check is about the queue, not the thread, because on Linux, threads other than the first may run the main queue.
enum MainQueue {
    private static let mark = {
        let mark = DispatchSpecificKey<Bool>()
        DispatchQueue.main.setSpecific(key: mark, value: true)
        return mark
    }()

    static var isCurrent: Bool { DispatchQueue.getSpecific(key: mark) == true }
}
