#if DEBUG
    import Synchronization

    /// A record of the locks that threads take while they hold other locks.
    ///
    /// A test compares this record with the table of nested locks in the documentation.
    ///
    /// It exists only in debug builds, and records nothing until a test turns it on. A lock is named by the type of its
    /// state.
    @usableFromInline
    package enum LockNesting {
        /// A lock that a thread held, and another lock that the thread took while it held the first one.
        package struct Pair: Hashable, Sendable {
            package let held: String
            package let taken: String
        }

        fileprivate struct Notes {
            /// The locks that each thread holds, in the order in which it took them.
            var held: [UInt: [String]] = [:]
            var pairs: Set<Pair> = []
        }

        private static let isOn = Atomic(false)
        private static let notes = Lock(Notes())

        package static func start() { isOn.store(true, ordering: .releasing) }

        /// The pairs recorded so far, of all threads.
        package static var pairs: Set<Pair> { notes.withLock { $0.pairs } }

        @usableFromInline
        package static func taken(_ state: Any.Type) {
            // The lock of the notes is not recorded, because recording it would take that lock again.
            guard isOn.load(ordering: .acquiring), state != Notes.self else { return }
            let (thread, name) = (LiveThreadID.current, String(reflecting: state))
            notes.withLock { notes in
                if let outer = notes.held[thread]?.last { notes.pairs.insert(Pair(held: outer, taken: name)) }
                notes.held[thread, default: []].append(name)
            }
        }

        @usableFromInline
        package static func released(_ state: Any.Type) {
            guard isOn.load(ordering: .acquiring), state != Notes.self else { return }
            notes.withLock { notes in
                _ = notes.held[LiveThreadID.current]?.popLast()
                if notes.held[LiveThreadID.current]?.isEmpty == true { notes.held[LiveThreadID.current] = nil }
            }
        }
    }
#endif
