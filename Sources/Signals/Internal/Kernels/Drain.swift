import Synchronization

/// Serial execution without a lock: the first thread to enter becomes the worker, and other threads leave work for it.
///
/// ```
///   idle ──enter──▶ busy ──leave──▶ idle            closed: no thread enters for a moment (Inbox)
///                    │ ▲
///         enter fails│ │leave fails, and the worker checks again
///                    ▼ │
///                   recheck ──leaveAvailable──▶ available ──takeAvailable──▶ busy
/// ```
/// A caller must store its work where the worker finds it *before* it calls `run`. Re-entering from the worker's own
/// thread only requests another check, so nothing recurses. This is the queue-drain loop of reactive-streams
/// implementations, with states instead of a counter.
///
/// There are two kinds of workers. A sender continues until nothing is left. A control call (an attach, a request or a
/// cancel) does only its own work. It leaves the work of other threads available to the next sender, and to a helper in
/// case no sender arrives.
@usableFromInline
struct Drain: ~Copyable, Sendable {
    @usableFromInline let phase: Atomic<UInt8>
    /// The number of the thread that works for a control call, or 0 if there is none.
    @usableFromInline let controlThread: Atomic<UInt>

    @inlinable static var idle: UInt8 { 0 }
    @inlinable static var busy: UInt8 { 1 }
    @inlinable static var recheck: UInt8 { 2 }
    @inlinable static var available: UInt8 { 3 }
    @inlinable static var closed: UInt8 { 4 }

    @inlinable
    init() {
        phase = Atomic(0)
        controlThread = Atomic(0)
    }

    /// Becomes the worker if there is none.
    @inlinable
    func enter() -> Bool { move(from: Self.idle, to: Self.busy).moved }

    /// Becomes the worker if a control call has left work available.
    @inlinable
    func takeAvailable() -> Bool { move(from: Self.available, to: Self.busy).moved }

    /// Stops being the worker.
    ///
    /// Returns false if another call has requested a check. The caller is then still the worker, and must check again.
    @inlinable
    func leave() -> Bool {
        if move(from: Self.busy, to: Self.idle).moved { return true }
        phase.store(Self.busy, ordering: .sequentiallyConsistent)
        return false
    }

    /// Asks the worker to check again; returns false if there is no worker.
    @inlinable
    func requestRecheck() -> Bool {
        let (moved, found) = move(from: Self.busy, to: Self.recheck)
        return moved || found == Self.recheck
    }

    /// Runs `pass` as the worker, and again whenever another call has requested a check.
    ///
    /// If there already is a worker, returns false at once, and that worker will check again.
    @inlinable
    @discardableResult
    func run(_ pass: () -> Void, whileClosed wait: () -> Void = {}) -> Bool {
        while !enter() && !takeAvailable() {
            if requestRecheck() { return false }
            wait()
        }
        repeat { pass() } while !leave()
        return true
    }

    @inlinable
    func move(from old: UInt8, to new: UInt8) -> (moved: Bool, found: UInt8) {
        let (moved, found) = phase.compareExchange(expected: old, desired: new, ordering: .acquiringAndReleasing)
        return (moved, found)
    }
}

extension Drain {
    /// Returns true if the current worker will check again, or if work is available, which the next worker will take.
    ///
    /// Writes the phase even if it stays the same, so that caller and worker see each other's earlier changes.
    @inlinable
    func recheckOrFindAvailable() -> Bool { requestRecheck() || move(from: Self.available, to: Self.available).moved }

    /// Returns true if there is no worker; otherwise, the current or the next worker will check again.
    @inlinable
    func findsNoWorker() -> Bool {
        while true {
            if recheckOrFindAvailable() { return false }
            if move(from: Self.idle, to: Self.idle).moved || move(from: Self.closed, to: Self.closed).moved {
                return true
            }
        }
    }

    /// Records that the worker is a control call, to distinguish its events from the events of other threads.
    @usableFromInline
    func beginControl() { controlThread.store(LiveThreadID.current, ordering: .relaxed) }

    /// Stops being the worker, like `leave`.
    ///
    /// If another call has requested a check, returns false and stays the worker.
    @usableFromInline
    func leaveControl() -> Bool {
        controlThread.store(0, ordering: .relaxed)
        if leave() { return true }
        beginControl()
        return false
    }

    /// Stops being the worker, and leaves the remaining work available to other threads.
    @usableFromInline
    func leaveAvailable() {
        controlThread.store(0, ordering: .relaxed)
        phase.store(Self.available, ordering: .releasing)
    }

    @inlinable var isControlledByThisThread: Bool {
        let controlThread = controlThread.load(ordering: .relaxed)
        return controlThread != 0 && controlThread == LiveThreadID.current
    }

    @inlinable var isControlledByAnotherThread: Bool {
        let controlThread = controlThread.load(ordering: .relaxed)
        return controlThread != 0 && controlThread != LiveThreadID.current
    }

    /// Keeps all threads out until `open`; returns false if there is a worker or work is available.
    @inlinable
    func close() -> Bool { move(from: Self.idle, to: Self.closed).moved }

    @inlinable
    func open() { phase.store(Self.idle, ordering: .releasing) }
}
