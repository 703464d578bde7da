import SignalRepository

/// Imports a checked input into a store.
package struct Importer: Sendable {
    /// The result of a committed batch.
    package struct Step: Sendable {
        package var counts: ImportCounts
        package var rejects: [RejectedRow]
        package var bytesRead: Int
    }

    let input: FilmInput
    let repository: any FilmRepository
    let batchSize: Int
    /// Whether the import should stop: then the current transaction is rolled back, and no other one begins.
    let isStopped: @Sendable () -> Bool

    /// Makes an importer that has not started.
    package init(
        input: FilmInput, repository: any FilmRepository, batchSize: Int, isStopped: @escaping @Sendable () -> Bool
    ) {
        (self.input, self.repository, self.batchSize, self.isStopped) = (input, repository, batchSize, isStopped)
    }

    /// Imports batch after batch, each in its own transaction, and delivers each once it is committed.
    ///
    /// The next batch is read when the previous one is committed and received, so memory holds one or two batches,
    /// however large the input is.
    package var steps: Signal<Step, PlaygroundError> {
        batches.flatMap(maxConcurrent: .max(1)) { [repository, isStopped] batch in
            repository.transaction(author: "import") { store in
                var counts = try ImportCounts(merging: batch.films, into: store)
                if isStopped() { store.cancel() }
                counts.rejected = batch.rejects.count
                return Step(counts: counts, rejects: batch.rejects, bytesRead: batch.bytesRead)
            }
            .mapError(PlaygroundError.init)
        }
    }

    /// Imports everything in one transaction, all of it or nothing.
    ///
    /// `onStep` receives the counts and the bytes read after each batch, before anything is committed.
    func whole(onStep: @escaping @Sendable (ImportCounts, Int) -> Void) -> Signal<ImportCounts, PlaygroundError> {
        repository.transaction(author: "import") { [input, batchSize, isStopped] store in
            var reader = input.makeReader()
            var total = ImportCounts()
            while let batch = try RowBatch.read(batchSize, from: &reader) {
                guard batch.rejects.isEmpty else {
                    throw PlaygroundError("the input has changed while it was imported")
                }
                let counts = try ImportCounts(merging: batch.films, into: store)
                total = total + counts
                onStep(total, batch.bytesRead)
                if isStopped() { throw RepositoryError.cancelled }
            }
            return total
        }
        .mapError(PlaygroundError.init)
    }

    /// Reads the input on demand, a batch for each requested value.
    private var batches: Signal<RowBatch, PlaygroundError> {
        .deferred { [input, batchSize] in
            .unfold(input.makeReader()) { (reader) throws(PlaygroundError) in
                try RowBatch.read(batchSize, from: &reader)
            }
        }
    }
}
