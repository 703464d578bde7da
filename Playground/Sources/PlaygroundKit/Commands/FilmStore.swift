import ArgumentParser
import Foundation
import SignalRepository
import Signals

/// Names the store that a command works on.
struct FilmStore: ParsableArguments {
    @Option(name: .long, help: ArgumentHelp("The SQLite file that holds the films.", valueName: "file"))
    var store: String

    /// Opens the store to read only; it must exist.
    func forReading() throws(PlaygroundError) -> SQLiteRepository {
        do throws(RepositoryError) {
            return try SQLiteRepository(.file(store), entities: Film.self, access: .readOnly)
        } catch {
            throw PlaygroundError(error)
        }
    }

    /// Opens the store to read and write, and makes it when it is missing.
    func forWriting() throws(PlaygroundError) -> SQLiteRepository {
        do throws(RepositoryError) {
            return try SQLiteRepository(.file(store), entities: Film.self)
        } catch {
            throw PlaygroundError(error)
        }
    }
}

extension Signal where Failure == RepositoryError {
    /// The same signal, with what goes wrong worded for the person at the terminal.
    var worded: Signal<Value, PlaygroundError> { mapError { PlaygroundError($0) } }
}
