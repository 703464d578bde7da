#if Serve
    import ArgumentParser
    import PlaygroundKit
    import Serving
    import SignalRepository

    /// Shows the films of a store on a page in a browser, until it is interrupted.
    package struct ServeCommand: AsyncParsableCommand {
        package static let configuration = CommandConfiguration(
            commandName: "serve",
            abstract: "Show the films on a page in a browser, which changes when a row does, until Ctrl-C.",
            discussion: """
                The page imports, searches, edits and deletes, and shows what the live queries cost. A missing file \
                is created, and no other program can write to it while it is open; servers on one PostgreSQL store \
                show each other's edits.
                """)

        @Option(
            help: ArgumentHelp(
                "The store that holds the films, an SQLite file or a PostgreSQL server.", valueName: "store"))
        var store = StoreName(argument: "films.sqlite")

        @Option(help: "The port to listen on; 0 is any that is free.")
        var port = 8080

        @Option(
            help: """
                The address to listen on. There is no sign-in: with an address that other machines reach, their users \
                may edit the films.
                """)
        var host = "127.0.0.1"

        package init() {}

        package func validate() throws {
            guard (0...65_535).contains(port) else { throw ValidationError("--port must be 0 to 65535.") }
            guard !host.isEmpty else { throw ValidationError("--host must not be empty.") }
        }

        package func run() async throws {
            let interrupts = Interrupts()
            let statements = StatementTrail()
            var configuration = RepositoryConfiguration()
            configuration.statementLog = statements.log
            // Opening may block for minutes if a server does not answer.
            let opened = try await Signal<any FilmRepository, PlaygroundError>.worked {
                [store, configuration] () throws(PlaygroundError) in
                try store.forWriting(configuration)
            }
            .prefix(until: interrupts.statuses).collect().value()
            guard let repository = opened.first else { throw ExitCode(interrupts.status ?? 1) }
            let server = PageServer(
                repository: repository, statements: statements, storeName: store.description,
                address: ServerAddress(host: host, port: port))
            do throws(PlaygroundError) {
                try await server.run(until: interrupts.statuses) { address in
                    Screen.standard.print("\(address) shows \(store.description), until Ctrl-C.")
                }
            } catch {
                await repository.close().value()
                throw error
            }
            await repository.close().value()
            if let status = interrupts.status { throw ExitCode(status) }
        }
    }
#endif
