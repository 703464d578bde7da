import Dispatch
import Foundation
import Signals

/// Delivers Ctrl-C and a request to terminate as a `Signal`.
///
/// The first of them asks the program to end in order; the second ends the program at once.
// `@unchecked` is safe because `sources` is never changed, and a source may be cancelled on any thread.
package final class Interrupts: @unchecked Sendable {
    private let received = CurrentValue<Int32?, Never>(nil)
    private let sources: [any DispatchSourceSignal]

    package init() {
        // A separate queue, because the threads of the global queue may all be blocked.
        let queue = DispatchQueue(label: "interrupts")
        let registrations = DispatchGroup()
        sources = [SIGINT, SIGTERM].map { [received] number in
            Foundation.signal(number, SIG_IGN)
            let source = DispatchSource.makeSignalSource(signal: number, queue: queue)
            source.setEventHandler {
                if received.value != nil { exit(128 + number) }
                received.send(128 + number)
            }
            registrations.enter()
            source.setRegistrationHandler { registrations.leave() }
            source.activate()
            return source
        }
        // A UNIX signal that arrives before the registration would be ignored.
        registrations.wait()
    }

    deinit {
        for source in sources { source.cancel() }
    }

    /// The status with which an interrupted program ends; nil if it was not interrupted.
    package var status: Int32? { received.value }

    /// Delivers the exit status when the program is interrupted, or immediately if it was interrupted before.
    package var statuses: Signal<Int32, Never> { received.signal.compactMap { $0 } }
}
