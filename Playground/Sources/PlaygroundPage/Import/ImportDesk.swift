#if Serve
    import Dispatch
    import PlaygroundKit
    import Signals
    import Synchronization

    /// Runs one import at a time, and reports its progress to every tab.
    final class ImportDesk: Sendable {
        /// An import, from the beginning of its upload to its end.
        final class Run: Sendable {
            private let stopped = Atomic(false)
            private let upload = Mutex<Task<OpenFile, any Error>?>(nil)
            // Each run has its own token, because the next import may already be running when this one ends.
            private let token = Mutex<SignalToken?>(nil)

            /// Whether it should end: the rest of its upload is not received, and the current batch is rolled back.
            var isStopped: Bool { stopped.load(ordering: .relaxed) }

            fileprivate func stop() {
                stopped.store(true, ordering: .relaxed)
                upload.withLock { $0 }?.cancel()
            }

            /// Receives the file; stopping the import ends the wait for it, because a client may never send the rest.
            func receive(_ body: @escaping @Sendable () async throws -> OpenFile) async throws -> OpenFile {
                let task = Task { try await body() }
                upload.withLock { $0 = task }
                if isStopped { task.cancel() }
                return try await withTaskCancellationHandler {
                    try await task.value
                } onCancel: {
                    task.cancel()
                }
            }

            fileprivate func keep(_ token: SignalToken) { self.token.withLock { $0 = token } }
        }

        let repository: any FilmRepository
        private let latest = CurrentValue<ImportProgress, Never>(ImportProgress())
        private let run = Mutex<Run?>(nil)

        init(_ repository: any FilmRepository) {
            self.repository = repository
        }

        /// The progress now, and then at most ten times a second.
        var progress: Signal<ImportProgress, Never> {
            latest.signal.throttle(for: .milliseconds(100), on: DispatchQueue.global(), latest: true)
        }

        /// Reserves the one import, before its file has arrived; returns `nil` if another import is running.
        func enter(name: String) -> Run? {
            let next = Run()
            let isFree = run.withLock { run in
                guard run == nil else { return false }
                run = next
                return true
            }
            guard isFree else { return nil }
            latest.send(ImportProgress(state: .running, name: name))
            return next
        }

        /// Starts the reserved import, and returns at once.
        func begin(_ run: Run, _ input: FilmInput) {
            let importer = Importer(
                input: input, repository: repository, batchSize: 1000, isStopped: { run.isStopped })
            let token = importer.steps.sink(
                onValue: { [self] step in add(step, of: input) },
                onCompletion: { [self] completion in end(run, completion) })
            run.keep(token)
        }

        /// Ends a reserved import that has nothing to import.
        func leave(_ run: Run, because reason: String) {
            end(run, .failure(PlaygroundError(reason)))
        }

        /// Stops the current import, if any: its current batch is rolled back, and earlier batches stay.
        func stop() {
            run.withLock { $0 }?.stop()
        }

        private func add(_ step: Importer.Step, of input: FilmInput) {
            latest.modify { progress in
                progress.counts = progress.counts + step.counts
                progress.fraction = input.size == 0 ? 1 : Double(step.bytesRead) / Double(input.size)
                let room = ImportProgress.shownRejects - progress.rejects.count
                progress.rejects += step.rejects.prefix(max(0, room)).map(\.description)
            }
        }

        private func end(_ run: Run, _ completion: Completion<PlaygroundError>) {
            // Reported before the next import can be reserved, which reports its own state.
            latest.modify { progress in
                switch completion {
                case .finished: (progress.state, progress.fraction) = (.done, 1)
                case .failure where run.isStopped: progress.state = .stopped
                case .failure(let error): (progress.state, progress.failure) = (.failed, error.summary)
                }
            }
            self.run.withLock { $0 = nil }
        }
    }
#endif
