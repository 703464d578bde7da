#if Serve
    import Dispatch
    import PlaygroundKit
    import Signals
    import Synchronization

    /// Runs one import at a time, and tells every tab how far it has come.
    final class ImportDesk: Sendable {
        /// An import in work.
        private struct Run {
            let isStopped = Flag()
            var token: SignalToken?
        }

        private final class Flag: Sendable {
            let isSet = Atomic(false)
        }

        private let repository: any FilmRepository
        private let latest = CurrentValue<ImportProgress, Never>(ImportProgress())
        private let run = Mutex<Run?>(nil)

        init(_ repository: any FilmRepository) {
            self.repository = repository
        }

        /// The progress now, and then at most ten times a second.
        var progress: Signal<ImportProgress, Never> {
            latest.signal.throttle(for: .milliseconds(100), on: DispatchQueue.global(), latest: true)
        }

        /// Begins an import, and returns at once; false when one is in work.
        func begin(_ input: FilmInput, name: String) -> Bool {
            let flag = run.withLock { run -> Flag? in
                guard run == nil else { return nil }
                let next = Run()
                run = next
                return next.isStopped
            }
            guard let flag else { return false }
            latest.send(ImportProgress(state: .running, name: name))
            let importer = Importer(
                input: input, repository: repository, batchSize: 1000,
                isStopped: { flag.isSet.load(ordering: .relaxed) })
            let token = importer.steps.sink(
                onValue: { [self] step in add(step, of: input) },
                onCompletion: { [self] completion in end(completion, isStopped: flag.isSet.load(ordering: .relaxed)) })
            // An import that has ended meanwhile is no more.
            run.withLock { $0?.token = token }
            return true
        }

        /// Ends the import in work, if there is one: the batch in work is rolled back, and those before it stay.
        func stop() {
            run.withLock { run in run?.isStopped.isSet.store(true, ordering: .relaxed) }
        }

        private func add(_ step: Importer.Step, of input: FilmInput) {
            latest.modify { progress in
                progress.counts = progress.counts + step.counts
                progress.fraction = input.size == 0 ? 1 : Double(step.bytesRead) / Double(input.size)
                let room = ImportProgress.shownRejects - progress.rejects.count
                progress.rejects += step.rejects.prefix(max(0, room)).map(\.description)
            }
        }

        private func end(_ completion: Completion<PlaygroundError>, isStopped: Bool) {
            run.withLock { $0 = nil }
            latest.modify { progress in
                switch completion {
                case .finished: (progress.state, progress.fraction) = (.done, 1)
                case .failure where isStopped: progress.state = .stopped
                case .failure(let error): (progress.state, progress.failure) = (.failed, error.summary)
                }
            }
        }
    }
#endif
