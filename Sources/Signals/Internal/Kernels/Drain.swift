import Synchronization

/// Serial execution without holding a lock: the first thread to enter works, and the others only note that there is
/// more.
///
/// ```
///   idle ──enter──▶ busy ──leave──▶ idle            closed: no thread enters for a moment (Inbox)
///                    │ ▲
///         enter fails│ │leave fails, and the worker checks again
///                    ▼ │
///                   recheck ──leaveAvailable──▶ available ──takeAvailable──▶ busy
/// ```
/// Work that cannot be done at once must be stored where the worker finds it *before* `run` is called. Re-entering from
/// the worker's own thread only requests another check, so nothing recurses. This is the queue-drain loop of
/// reactive-streams implementations, with states instead of a counter.
///
/// There are two kinds of workers. A sender continues until nothing is left. A control call (an attach, a request or a
/// cancel) does only its own work. It leaves the work of other threads available to the next sender, and to a helper in
/// case no sender arrives.
@usableFromInline
struct Drain: ~Copyable, Sendable {
    @usableFromInline let phase: Atomic<UInt8>
    /// The thread that works for a control call, or 0.
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

    /// Becomes the worker, taking over work that a control call left available.
    @inlinable
    func takeAvailable() -> Bool { move(from: Self.available, to: Self.busy).moved }

    /// Stops being the worker; false if another call has requested a check, and the worker must check again.
    @inlinable
    func leave() -> Bool {
        if move(from: Self.busy, to: Self.idle).moved { return true }
        phase.store(Self.busy, ordering: .sequentiallyConsistent)
        return false
    }

    /// Asks the worker to check again; false if there is no worker.
    @inlinable
    func requestRecheck() -> Bool {
        let (moved, found) = move(from: Self.busy, to: Self.recheck)
        return moved || found == Self.recheck
    }

    /// Runs `pass` exclusively, and again if another call has requested a check; returns false at once if there is a
    /// worker, which will then run it.
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
    /// Asks the worker to check again, or finds that work is available, so that the next worker will check.
    ///
    /// The phase is written even if unchanged, so that each side sees what the other did before.
    @inlinable
    func recheckOrFindAvailable() -> Bool { requestRecheck() || move(from: Self.available, to: Self.available).moved }

    /// Returns whether there is no worker; otherwise the worker will check again.
    @inlinable
    func findsNoWorker() -> Bool {
        while true {
            if recheckOrFindAvailable() { return false }
            if move(from: Self.idle, to: Self.idle).moved || move(from: Self.closed, to: Self.closed).moved {
                return true
            }
        }
    }

    /// Notes that the worker is a control call, so that its own events can be distinguished from those of other
    /// threads.
    @usableFromInline
    func beginControl() { controlThread.store(LiveThreadID.current, ordering: .relaxed) }

    /// Stops being the worker like `leave`; the control call continues if another call has requested a check.
    @usableFromInline
    func leaveControl() -> Bool {
        controlThread.store(0, ordering: .relaxed)
        if leave() { return true }
        beginControl()
        return false
    }

    /// Stops being the worker, and leaves the remaining work available.
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

    /// Keeps all threads out for a moment, if there is no worker; `open` must follow.
    @inlinable
    func close() -> Bool { move(from: Self.idle, to: Self.closed).moved }

    @inlinable
    func open() { phase.store(Self.idle, ordering: .releasing) }
}
