import ArgumentParser
import Foundation
import SignalRepository

/// Lists films.
struct ListCommand: AsyncParsableCommand {
    enum Format: String, CaseIterable, ExpressibleByArgument {
        case table, json, csv
    }

    enum SortKey: String, CaseIterable, ExpressibleByArgument {
        case title, releaseDate, boxOffice
    }

    static let configuration = CommandConfiguration(commandName: "list", abstract: "List films.")

    @OptionGroup var store: FilmStore

    @Option(help: "Only the films of this studio.")
    var studio: String?

    @Option(help: "Only the films of this genre.")
    var genre: String?

    @Option(help: "Only films with this text in their title.")
    var titleContains: String?

    @Option(help: "Sort by title, releaseDate or boxOffice.")
    var sort = SortKey.title

    @Flag(help: "Largest or latest first; titles from Z to A.")
    var descending = false

    @Option(help: "List at most this many films.")
    var limit: Int?

    @Option(help: "Print a table, json or csv; the output of json and csv can be imported again.")
    var format = Format.table

    func validate() throws {
        if let limit, limit < 0 { throw ValidationError("--limit must not be negative.") }
    }

    func run() async throws {
        let repository = try store.store.forReading()
        let films = try await repository.fetch(query).worded.value()
        await repository.close().value()
        let screen = Screen.standard
        switch format {
        case .table: screen.print(table(films).lines(width: screen.width))
        case .json: screen.print(JSONText.array(films.map(\.json)))
        case .csv:
            let lines = [CSVText.row(Film.csvHeader)] + films.map { CSVText.row($0.csvFields) }
            // An import would refuse the whole file.
            guard !lines.contains(where: { $0.utf8.contains(0) }) else {
                throw PlaygroundError("a film holds byte 0x00, which CSV cannot: list the films with --format json")
            }
            screen.print(screen.isTerminal ? lines.map(Escaping.visible) : lines)
        }
        try screen.check()
    }

    private var query: FetchQuery<Film> {
        var query = Film.all
        if let studio { query = query.where { $0.studio == studio } }
        if let genre { query = query.where { $0.genre == genre } }
        if let titleContains { query = query.where { $0.title.contains(titleContains) } }
        let direction: Ordering<Film>.Direction = descending ? .descending : .ascending
        switch sort {
        case .title: query = query.sorted(by: \.title, direction)
        case .releaseDate: query = query.sorted(by: \.releaseDate, direction)
        case .boxOffice: query = query.sorted(by: \.boxOffice, direction)
        }
        return limit.map { query.limit($0) } ?? query
    }

    private func table(_ films: [Film]) -> Table {
        let columns = [
            Table.Column(title: "title", canShrink: true), Table.Column(title: "releaseDate"),
            Table.Column(title: "boxOffice", alignment: .right), Table.Column(title: "studio", canShrink: true),
            Table.Column(title: "genre", canShrink: true),
        ]
        return Table(columns: columns, rows: films.map(\.csvFields))
    }
}
