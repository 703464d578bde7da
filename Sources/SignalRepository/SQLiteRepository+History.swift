public import Signals

// The history of a store's commits; see `StoreHistory`. A server has none.
extension SQLiteRepository {
    /// Reports which items each commit after a token changed, and then each new commit, even after a restart or in
    /// another process.
    ///
    /// ```swift
    /// let token = repository.changes(since: .beginning).sink(
    ///     onValue: { entry in
    ///         switch entry.extent {
    ///         case .rows: print(entry.token.number, entry.author ?? "somebody", entry.tables)
    ///         case .unknown(let reason): print("read everything again:", reason)
    ///         }
    ///     }, onCompletion: { _ in })
    /// ```
    /// Entries have the ids, not the values: read the items that you need. If the commits after the token are no longer
    /// known, the first entry says why, and its token is the current one of the store.
    ///
    /// - Delivery: an entry for each commit that changed rows, exactly once, in commit order, off the database queues,
    ///   at the pace of the sink: entries that it has not requested wait in the store. It does not finish.
    /// - Failure: `.misuse` when the store keeps no history, `.corrupt` for a damaged entry, `.closed`.
    public func changes(since token: HistoryToken) -> Signal<HistoryEntry, RepositoryError> {
        .deferred { [self] in
            let last = Lock(token)
            // The whole token and not its number: a copy that replaced the store may reach the same number.
            let latest = LiveQuery { store in try store.historyToken() }
            return engine.following(self, latest).concatMap { _ in self.entries(after: last) }
        }
    }

    /// Reads the entries after a token page by page, so that no transaction waits for a sink.
    private func entries(after last: Lock<HistoryToken>) -> Signal<HistoryEntry, RepositoryError> {
        let page = 1_000
        return read { store in try store.history(since: last.withLock { $0 }, limit: page) }.flatMap { entries in
            guard let token = entries.last?.token else { return .empty() }
            last.withLock { $0 = token }
            let known = Signal<HistoryEntry, RepositoryError>.sequence(entries)
            return entries.count < page ? known : known.append(.deferred { self.entries(after: last) })
        }
    }

    /// Undoes the last commit of an author that is not undone yet, in one transaction of that author.
    ///
    /// ```swift
    /// let repository = try SQLiteRepository(
    ///     .inMemory, entities: Movie.self,
    ///     configuration: RepositoryConfiguration(history: .kept(for: .seconds(86_400), isUndoable: true)))
    /// try await repository.authored(by: "ann").update(movie).value()
    /// let undone = try await repository.undo(author: "ann").value()
    /// print(try undone?.updated(of: Movie.self) == [movie.id])  // true
    /// ```
    /// An undo is a commit like any other: live queries see it, the history records it, and `redo(author:)` reverts it.
    /// Called again, it undoes the commit before. Without an author, it undoes commits that have none.
    ///
    /// - Delivery: the entry that was undone, once that is committed, or `nil` if there is none; then it finishes.
    /// - Failure: `.conflict` with the items that another commit has changed since; `.misuse` when the changes of the
    ///   commit are unknown, its old values are not kept, or a trigger or a reference would change other rows too;
    ///   `.constraint`. Nothing is undone.
    public func undo(author: String? = nil) -> Signal<HistoryEntry?, RepositoryError> {
        engine.writing(self, author: author) { [opened] store in
            try store.undo(isRedo: false, on: opened.writingConnection())
        }
    }

    /// Reverts the last undo of an author, unless the author has changed something since.
    ///
    /// - Delivery: the entry of the undo that was reverted, once that is committed, or `nil` if there is none; then it
    ///   finishes.
    /// - Failure: as `undo(author:)`.
    public func redo(author: String? = nil) -> Signal<HistoryEntry?, RepositoryError> {
        engine.writing(self, author: author) { [opened] store in
            try store.undo(isRedo: true, on: opened.writingConnection())
        }
    }
}
