import ArgumentParser
import SignalRepository
import Signals

/// Prints count and sum now and after every change, whoever makes it, until somebody interrupts it.
struct WatchCommand: AsyncParsableCommand {
    enum Format: String, CaseIterable, ExpressibleByArgument {
        case text, json
    }

    static let configuration = CommandConfiguration(
        commandName: "watch",
        abstract: "Print the count and the sum of the films now and after every change, until Ctrl-C.")

    @OptionGroup var store: FilmStore

    @Option(help: "Only the films of this studio.")
    var studio: String?

    @Option(help: "Print text or json, a line for each change.")
    var format = Format.text

    func run() async throws {
        let interrupts = Interrupts()
        let repository = try store.forReading()
        let screen = Screen.standard
        let leaving = interrupts.statuses.sink { _ in repository.close() }
        defer { leaving.cancel() }
        do throws(RepositoryError) {
            for try await totals in repository.follow(FilmTotals.live(studio: studio)).values {
                screen.print(line(totals.value))
                guard screen.isOpen else { break }
            }
        } catch {
            // Closing the repository is what ends the loop when somebody interrupts it.
            guard case .closed = error, let status = interrupts.status else { throw PlaygroundError(error) }
            if status != 128 + 2 { throw ExitCode(status) }
        }
        _ = await repository.close().first()
        try screen.check()
    }

    private func line(_ totals: FilmTotals) -> String {
        switch format {
        case .text: totals.text
        case .json:
            JSONText.object([("count", JSONText.number(totals.count)), ("sum", JSONText.number(totals.sum))])
        }
    }
}
