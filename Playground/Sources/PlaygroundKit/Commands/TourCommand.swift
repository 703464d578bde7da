import ArgumentParser
import SignalRepository

/// Shows the main features of the library in a few seconds, on a store in memory.
struct TourCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "tour", abstract: "Show the whole idea on a store in memory (runs when no command is given).")

    @Option(help: ArgumentHelp("How many films to make up.", visibility: .hidden))
    var films = 100_000

    func validate() throws {
        guard films > 0 else { throw ValidationError("--films must be greater than 0.") }
    }

    func run() async throws {
        let interrupts = Interrupts()
        let leaving = interrupts.statuses.sink { status in
            Screen.standard.end()
            StandardStreams.complain("Interrupted.")
            StandardStreams.leave(status)
        }
        defer { leaving.cancel() }
        do throws(RepositoryError) {
            try await Tour(screen: .standard, filmCount: films).run()
        } catch {
            throw PlaygroundError(error)
        }
        try Screen.standard.check()
    }
}
