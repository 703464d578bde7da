import Signals

/// Where commits get their numbers, one at a time, and where a snapshot learns which number it shows.
///
/// The gate is shut while the writer commits and while a reader opens a snapshot for live queries, so that a snapshot's
/// number and the tables that changed up to it are exact. Other reads pass by without it.
final class CommitGate: Sendable {
    private struct State {
        var number = 0
        var dirty = DirtyTables.none
    }

    private let state = Lock(State())

    /// How many commits there were; on the writer's queue none can come in between.
    var number: Int { state.withLock { $0.number } }

    /// Commits with `body`, and counts the commit if it succeeds; returns its number.
    @discardableResult
    func commit(_ changed: DirtyTables, _ body: () throws(RepositoryError) -> Void) throws(RepositoryError) -> Int {
        try state.withLock { state throws(RepositoryError) in
            try body()
            guard !changed.isEmpty else { return state.number }
            state.number += 1
            state.dirty.formUnion(changed)
            return state.number
        }
    }

    /// Counts a commit of another connection, of which it is not known what it changed; returns its number.
    func commitElsewhere() -> Int {
        state.withLock { state in
            state.number += 1
            state.dirty = .all
            return state.number
        }
    }

    /// Opens a snapshot with `body`; returns its number and the tables that changed since the last one.
    ///
    /// `body` is given the number of commits so far and answers whether there was one more, elsewhere.
    func open(
        _ body: (_ number: Int) throws(RepositoryError) -> Bool
    ) throws(RepositoryError) -> (number: Int, dirty: DirtyTables) {
        try state.withLock { state throws(RepositoryError) in
            if try body(state.number) {
                state.number += 1
                state.dirty = .all
            }
            defer { state.dirty = .none }
            return (state.number, state.dirty)
        }
    }
}
