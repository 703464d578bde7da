import Dispatch
import Signals

// Suspending and resuming. The queue `transitions` runs both, and blocks until each step has ended.
extension Engine {
    /// Runs `body` on the queue `transitions` for one attached sink, and delivers the outcome to the sink.
    private func transition(
        _ sink: Sink<Void, RepositoryError>, _ body: @escaping @Sendable (Engine) throws(RepositoryError) -> Void
    ) {
        let run = OneValueOutbox(sink)
        run.start(sink.onUpstream) { _ in
            transitions.async { [self] in
                do throws(RepositoryError) {
                    try body(self)
                    run.finish(with: ())
                } catch {
                    run.fail(error)
                }
            }
        }
    }

    private func suspend() throws(RepositoryError) {
        transitions.assertCurrent()
        guard try lifecycle.suspend() else { return }
        streams.end(.suspended)
        wait { lifecycle.whenIdle($0) }
        // An in-memory store keeps its connection, because closing it would lose everything.
        guard let readers else { return }
        wait { live.pause(then: $0) }
        wait { readers.drain(then: $0) }
        guard let writer else { return }
        wait { done in
            writer.queue.async {
                writer.close()
                done()
            }
        }
    }

    private func resume() throws(RepositoryError) {
        transitions.assertCurrent()
        guard lifecycle.isOpen else { throw .closed }
        guard lifecycle.isSuspended else { return }
        if let readers {
            if let writer, let reopened = try readers.reopenWriter() { writer.replace(by: reopened) }
            // Other processes may have committed during the suspension.
            log.recordExternalCommit()
            live.resume()
        }
        lifecycle.resume()
    }

    private func wait(_ step: (@escaping @Sendable () -> Void) -> Void) {
        let semaphore = DispatchSemaphore(value: 0)
        step { semaphore.signal() }
        semaphore.wait()
    }

    package func suspending(_ owner: some AnyObject & Sendable) -> Signal<Void, RepositoryError> {
        Signal(trusted: { sink in
            withExtendedLifetime(owner) {
                self.transition(sink) { engine throws(RepositoryError) in try engine.suspend() }
            }
        })
    }

    /// Returns a signal that suspends the repository, runs `body` while the file is not open, and then resumes the
    /// repository if it was not suspended before.
    package func suspended(
        _ owner: some AnyObject & Sendable, _ body: @escaping @Sendable () throws(RepositoryError) -> Void
    ) -> Signal<Void, RepositoryError> {
        Signal(trusted: { sink in
            withExtendedLifetime(owner) {
                self.transition(sink) { engine throws(RepositoryError) in
                    let wasSuspended = engine.lifecycle.isSuspended
                    try engine.suspend()
                    let outcome = Result(catching: body)
                    if !wasSuspended { try engine.resume() }
                    try outcome.get()
                }
            }
        })
    }

    package func resuming(_ owner: some AnyObject & Sendable) -> Signal<Void, RepositoryError> {
        Signal(trusted: { sink in
            withExtendedLifetime(owner) {
                self.transition(sink) { engine throws(RepositoryError) in try engine.resume() }
            }
        })
    }
}

extension RepositoryError {
    /// The error of work that cannot wait until the repository is resumed.
    static var suspended: RepositoryError {
        .busy(
            Diagnosis(engine: "SignalRepository", code: "suspended", message: "the repository is suspended"))
    }
}
