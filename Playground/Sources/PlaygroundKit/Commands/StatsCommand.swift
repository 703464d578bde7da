import ArgumentParser
import SignalRepository

/// Prints count, sum, average, least and greatest box office, of all films or by group.
struct StatsCommand: AsyncParsableCommand {
    enum Format: String, CaseIterable, ExpressibleByArgument {
        case table, json
    }

    static let configuration = CommandConfiguration(
        commandName: "stats", abstract: "Sum up the box office of all films, or by studio, genre or year.")

    @OptionGroup var store: FilmStore

    @Option(name: .customLong("by"), help: "Group by studio, genre or year; the largest sum comes first.")
    var key: FilmStatistics.Key?

    @Option(help: "Print a table, of 80 columns (or COLUMNS) where there is no terminal, or json.")
    var format = Format.table

    func run() async throws {
        let repository = try store.store.forReading()
        let statistics = try await repository.read { [key] store in
            try key.map { try store.statistics(by: $0) } ?? [store.statistics()]
        }
        .worded.value()
        await repository.close().value()
        let screen = Screen.standard
        switch format {
        case .table: screen.print(screen.lines(of: table(statistics)))
        case .json: screen.print(json(statistics))
        }
        try screen.check()
    }

    private func table(_ statistics: [FilmStatistics]) -> Table {
        let keyColumn = key.map { Table.Column(title: $0.rawValue, canShrink: true) }
        let figures = ["count", "sum", "average", "min", "max"].map { Table.Column(title: $0, alignment: .right) }
        var table = Table(columns: (keyColumn.map { [$0] } ?? []) + figures)
        table.rows = statistics.map { group in
            let cells = [
                String(group.count), Amount.text(group.sum), group.average.map(Amount.rounded),
                group.min.map(Amount.text), group.max.map(Amount.text),
            ]
            return (key == nil ? [] : [group.key]) + cells
        }
        return table
    }

    private func json(_ statistics: [FilmStatistics]) -> [String] {
        let objects = statistics.map { group in
            var members = [
                ("count", JSONText.number(group.count)), ("sum", JSONText.number(group.sum)),
                ("average", JSONText.number(group.average)), ("min", JSONText.number(group.min)),
                ("max", JSONText.number(group.max)),
            ]
            if let key { members.insert((key.rawValue, keyText(group.key)), at: 0) }
            return JSONText.object(members)
        }
        return key == nil ? objects : JSONText.array(objects)
    }

    /// Writes a year as a number, a name as a text.
    private func keyText(_ text: String?) -> String {
        key == .year ? text ?? "null" : JSONText.string(text)
    }
}

extension FilmStatistics.Key: ExpressibleByArgument {}
