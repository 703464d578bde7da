import SignalRepository

/// One run of an import, with its display.
struct ImportSession: Sendable {
    /// The counts of an import, and the failure that ended it before the end of the input, if any.
    struct Outcome: Sendable {
        var counts = ImportCounts()
        var failure: PlaygroundError?
    }

    let importer: Importer
    let display: ImportDisplay

    /// Imports batch after batch, each in its own transaction.
    func importBatches(_ log: inout RejectLog) async -> Outcome {
        let live = followStore()
        defer { live.cancel() }
        var outcome = Outcome()
        do throws(PlaygroundError) {
            for try await step in importer.steps.values {
                outcome.counts = outcome.counts + step.counts
                for reject in step.rejects { try log.add(reject) }
                display.advance(to: step.bytesRead, rows: outcome.counts.rows)
            }
            try log.flush()
        } catch {
            outcome.failure = error
        }
        await finish()
        return outcome
    }

    /// Imports everything in one transaction.
    func importWhole() async -> Outcome {
        let live = followStore()
        defer { live.cancel() }
        var outcome = Outcome()
        do throws(PlaygroundError) {
            for try await counts in importer.whole(onStep: { display.advance(to: $1, rows: $0.rows) }).values {
                outcome.counts = counts
            }
        } catch {
            outcome.failure = error
        }
        await finish()
        return outcome
    }

    /// Shows the store's count and sum after each commit, as a subscription delivers them.
    private func followStore() -> SignalToken {
        importer.repository.follow(FilmTotals.live())
            .sink(onValue: { display.show($0.value) }, onCompletion: { _ in })
    }

    /// Shows the state of the store after the import.
    private func finish() async {
        let last = try? await importer.repository.follow(FilmTotals.live()).value()
        display.finish(last?.value)
    }
}
