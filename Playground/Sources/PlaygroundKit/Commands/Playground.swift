public import ArgumentParser
public import SignalRepository
import Synchronization

/// The program: each command shows a part of the library on a store of films.
public struct Playground: AsyncParsableCommand {
    /// Names the program and its commands.
    public static var configuration: CommandConfiguration {
        CommandConfiguration(
            commandName: "playground",
            abstract: "Films in a SignalRepository: import them, follow them live, sum them up.",
            discussion: """
                Without a command it gives the tour. A command ends with status 0 when all is well, 1 when its data \
                or its store are not, 64 when it was called wrongly, and 130 when Ctrl-C ended it.
                """,
            subcommands: [
                TourCommand.self, ImportCommand.self, StatsCommand.self, ListCommand.self, WatchCommand.self,
                CopyCommand.self, DoctorCommand.self,
            ] + further.withLock { $0 })
    }

    /// The commands that the executable adds to the list above.
    private static let further = Mutex<[any AsyncParsableCommand.Type]>([])

    /// Makes the command; its parser calls this initializer.
    public init() {}

    /// Gives the tour.
    ///
    /// The tour is not a default subcommand, because it would then take every unknown word for one of its arguments.
    public func run() async throws { try await TourCommand.parse([]).run() }

    /// Runs the program, and opens stores on a server with `openServer`.
    ///
    /// The function receives a connection string, the entities and the configuration. If the reader of the output goes
    /// away, the program ends quietly instead of by a signal.
    public static func start(
        adding commands: [any AsyncParsableCommand.Type],
        openServer:
            @escaping @Sendable (String, [any Entity.Type], RepositoryConfiguration) throws(RepositoryError)
            -> any FilmRepository
    ) async {
        StandardStreams.prepare()
        further.withLock { $0 = commands }
        StoreName.openServer.withLock { $0 = openServer }
        await main()
    }
}
