import ArgumentParser
import SignalRepository

/// The option that names the store of a command.
struct FilmStore: ParsableArguments {
    @Option(
        name: .long,
        help: ArgumentHelp(
            "The store that holds the films: an SQLite file, or a PostgreSQL server as postgresql://host/name or "
                + "\"host=… dbname=…\".", valueName: "store"))
    var store: StoreName
}

extension Signal where Failure == RepositoryError {
    /// The same signal, with its errors worded for the person at the terminal.
    var worded: Signal<Value, PlaygroundError> { mapError { PlaygroundError($0) } }
}
