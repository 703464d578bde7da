import Dispatch

/// Reports whether the current code is on the main actor, whose work the main queue runs.
///
/// It checks the queue, not the thread: on Linux, threads other than the first may run the main queue.
enum MainQueue {
    private static let mark = {
        let mark = DispatchSpecificKey<Bool>()
        DispatchQueue.main.setSpecific(key: mark, value: true)
        return mark
    }()

    static var isCurrent: Bool { DispatchQueue.getSpecific(key: mark) == true }
}
