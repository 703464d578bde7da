import ArgumentParser
import SignalRepository

/// Prints the count and the sum now and after every change, by any program, until it is interrupted.
struct WatchCommand: AsyncParsableCommand {
    enum Format: String, CaseIterable, ExpressibleByArgument {
        case text, json
    }

    static let configuration = CommandConfiguration(
        commandName: "watch",
        abstract: "Print the count and the sum of the films now and whenever they change, until Ctrl-C.",
        discussion: """
            It sees the changes of other programs, too. Changes in quick succession are one line. It waits for a file \
            that does not exist yet.
            """)

    @OptionGroup var store: FilmStore

    @Option(help: "Only the films of this studio.")
    var studio: String?

    @Option(help: "Print text or json, a line each time.")
    var format = Format.text

    @Flag(help: "With each line, print how often the result was updated in place, refilled and re-read.")
    var stats = false

    func run() async throws {
        let interrupts = Interrupts()
        let waiting = store.store.forReadingWhenThere {
            StandardStreams.complain("\(store.store.description) is not there yet: waiting for it.")
        }
        let opened = try await waiting.prefix(until: interrupts.statuses).collect().value()
        guard let repository = opened.first else { throw ExitCode(interrupts.status ?? 1) }
        let screen = Screen.standard
        let leaving = interrupts.statuses.sink { _ in repository.close() }
        defer { leaving.cancel() }
        do throws(RepositoryError) {
            for try await totals in repository.follow(FilmTotals.live(studio: studio)).values {
                screen.print(line(totals.value, stats ? repository.statistics : nil))
                guard screen.isOpen else { break }
            }
        } catch {
            // An interrupt closes the repository, which ends the loop.
            guard case .closed = error, let status = interrupts.status else { throw PlaygroundError(error) }
            throw ExitCode(status)
        }
        await repository.close().value()
        try screen.check()
    }

    private func line(_ totals: FilmTotals, _ statistics: LiveStatistics?) -> String {
        let counts =
            statistics.map { [("updated", $0.updatedInPlace), ("refilled", $0.refilled), ("reread", $0.reread)] } ?? []
        switch format {
        case .text:
            return ([totals.text] + counts.map { "\($0.0) \($0.1)" }).joined(separator: ", ")
        case .json:
            let figures = [("count", JSONText.number(totals.count)), ("sum", JSONText.number(totals.sum))]
            return JSONText.object(figures + counts.map { ($0.0, JSONText.number($0.1)) })
        }
    }
}
