public import Signals

// The history of a store's commits; see `StoreHistory`. A server keeps no history.
extension SQLiteRepository {
    /// Reports which items each commit after a token changed: first the past commits, then each new one.
    ///
    /// The token may come from an earlier run of the program, or from another process.
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
    /// An entry has the ids of the changed items, not their values: read the items that you need. If the history no
    /// longer has the commits after the token, the first entry says why, and has the store's current token.
    ///
    /// - Delivery: an entry for each commit that changed rows, exactly once, in commit order, off the database queues,
    ///   at the pace of the sink: entries that the sink has not requested wait in the store. The signal does not
    ///   finish.
    /// - Failure: `.misuse` when the store keeps no history, `.corrupt` for a damaged entry, `.closed`.
    public func changes(since token: HistoryToken) -> Signal<HistoryEntry, RepositoryError> {
        .deferred { [self] in
            let last = Lock(token)
            // Compares the whole token, not its number alone: a copy that replaced the store may reach the same number.
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

    /// Undoes an author's last commit that is still in effect, in one transaction of that author.
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
    /// A second call undoes the author's commit before that one. If no author is given, it undoes commits without one.
    ///
    /// - Delivery: the entry of the undone commit, once the undo is committed, or `nil` if there is nothing to undo;
    ///   then it finishes.
    /// - Failure: `.conflict` with the items that a later commit has changed; `.misuse` when the changes of the commit
    ///   are unknown, the history does not have its old values, or a trigger or a foreign key would change other rows;
    ///   `.constraint`. After a failure, nothing is undone.
    public func undo(author: String? = nil) -> Signal<HistoryEntry?, RepositoryError> {
        engine.writing(self, author: author) { [opened] store in
            try store.undo(isRedo: false, on: opened.writingConnection())
        }
    }

    /// Reverts the last undo of an author, unless the author has made another change since that undo.
    ///
    /// - Delivery: the entry of the reverted undo, once the redo is committed, or `nil` if there is no undo to revert;
    ///   then it finishes.
    /// - Failure: as `undo(author:)`.
    public func redo(author: String? = nil) -> Signal<HistoryEntry?, RepositoryError> {
        engine.writing(self, author: author) { [opened] store in
            try store.undo(isRedo: true, on: opened.writingConnection())
        }
    }
}
