import Dispatch
import Foundation
import SignalRepository

extension StoreName {
    /// Whether the file does not exist yet, but its folder does; false for a server.
    private var isMissing: Bool {
        guard let path else { return false }
        let (folder, name) = OpenFile.parts(path)
        var isFolder: ObjCBool = false
        return !["", ".", ".."].contains(name) && !FileManager.default.fileExists(atPath: path)
            && FileManager.default.fileExists(atPath: folder, isDirectory: &isFolder) && isFolder.boolValue
    }

    /// Opens the store read-only as soon as it exists; calls `onWait` if it must wait.
    ///
    /// Another program may still be making a store that has just appeared, so opening it is tried for two seconds more.
    func forReadingWhenThere(onWait: @escaping @Sendable () -> Void) -> Signal<any FilmRepository, PlaygroundError> {
        Signal<any FilmRepository, PlaygroundError>
            .deferred { .result(Result { () throws(PlaygroundError) in try forReading() }) }
            // Opening may block for minutes if a server does not answer.
            .subscribe(on: DispatchQueue.global())
            .retry { failures in
                failures.scan(Waiting()) { waiting, failure in waiting.after(failure, isMissing: isMissing) }
                    .handleEvents(onValue: { if $0.isFirst { onWait() } })
                    .flatMap { waiting -> Signal<Int, PlaygroundError> in
                        if let failure = waiting.failure { return .fail(failure) }
                        return Signal<Int, Never>.interval(.milliseconds(100), on: DispatchQueue.global()).first()
                            .setFailureType(to: PlaygroundError.self)
                    }
            }
    }
}

/// The state of the wait for a store that could not be opened.
private struct Waiting: Sendable {
    private var attempts = 0
    private var attemptsLeft = 0
    /// The reason why the wait is over; nil while it goes on.
    private(set) var failure: PlaygroundError?

    /// Whether the wait has just begun.
    var isFirst: Bool { attempts == 1 && failure == nil }

    func after(_ failure: PlaygroundError, isMissing: Bool) -> Waiting {
        var next = self
        next.attempts += 1
        next.attemptsLeft = isMissing ? 20 : attemptsLeft - 1
        if next.attemptsLeft < 0 { next.failure = failure }
        return next
    }
}
