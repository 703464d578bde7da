public import Signals

// What a store keeps of its commits; see `StoreHistory`. A server keeps none.
extension SQLiteRepository {
    /// Reports which items each commit after a token changed, and then those of each new one: after a restart, in
    /// another process too.
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
    /// The ids are told, not the values: read the items that are of interest. Where the commits after the token are not
    /// known any more, the first entry says so and why, and the token of that entry is where the store is now.
    ///
    /// - Delivery: an entry for each commit that changed rows, in commit order, none left out and none twice, off the
    ///   database queues, at the pace of the sink: what it does not ask for waits in the store. It does not finish.
    /// - Failure: `.misuse` where the store keeps no history, `.corrupt` for a damaged entry, `.closed`.
    public func changes(since token: HistoryToken) -> Signal<HistoryEntry, RepositoryError> {
        .deferred { [self] in
            let last = Lock(token)
            // A copy that has taken the store's place may have gone on to the same number, with another mark.
            let latest = LiveQuery { store in try store.historyToken() }
            return engine.following(self, latest).concatMap { _ in self.entries(after: last) }
        }
    }

    /// The entries that follow, page by page, so that no transaction waits for a sink.
    private func entries(after last: Lock<HistoryToken>) -> Signal<HistoryEntry, RepositoryError> {
        let page = 1_000
        return read { store in try store.history(since: last.withLock { $0 }, limit: page) }.flatMap { entries in
            guard let token = entries.last?.token else { return .empty() }
            last.withLock { $0 = token }
            let known = Signal<HistoryEntry, RepositoryError>.sequence(entries)
            return entries.count < page ? known : known.append(.deferred { self.entries(after: last) })
        }
    }

    /// Undoes the last commit of an author that is not undone, as one transaction of that author.
    ///
    /// ```swift
    /// let repository = try SQLiteRepository(
    ///     .inMemory, entities: Movie.self,
    ///     configuration: RepositoryConfiguration(history: .kept(for: .seconds(86_400), isUndoable: true)))
    /// try await repository.authored(by: "ann").update(movie).value()
    /// let undone = try await repository.undo(author: "ann").value()
    /// print(try undone?.updated(of: Movie.self) == [movie.id])  // true
    /// ```
    /// What it does is a commit like any other: live queries see it, the history has it, and `redo(author:)` takes it
    /// back. Called again, it undoes the commit before. Without an author, it is about the commits that have none.
    ///
    /// - Delivery: the entry that was undone, once that is committed, or `nil` where there is none; then it finishes.
    /// - Failure: `.conflict` with the items that were changed since by another commit; `.misuse` where it is not known
    ///   what the commit did, or the old values are not kept, or a trigger or a reference would change other rows too;
    ///   `.constraint`. Nothing is undone.
    public func undo(author: String? = nil) -> Signal<HistoryEntry?, RepositoryError> {
        engine.writing(self, author: author) { store in try store.undo(isRedo: false) }
    }

    /// Does again what an author has undone last, unless the author has changed something since.
    ///
    /// - Delivery: the entry of the undoing that was taken back, once that is committed, or `nil` where there is none;
    ///   then it finishes.
    /// - Failure: as `undo(author:)`.
    public func redo(author: String? = nil) -> Signal<HistoryEntry?, RepositoryError> {
        engine.writing(self, author: author) { store in try store.undo(isRedo: true) }
    }
}
