import ArgumentParser
import Foundation

/// Measures this repository's libraries beside the raw form of the work and beside their peers.
@main
struct Benchmarks: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "benchmarks",
        abstract: "Measures Signals and SignalRepository beside a raw form of the same work and beside their peers.",
        discussion: """
            The forms of a row run in turn, one round after another, each in a process of its own, and the table shows \
            the median round per operation. Every form's result is checked against the others'.
            """
    )

    @Flag(help: "Print a line of JSON for each row, in units of the whole run, instead of the table.")
    var json = false

    @Flag(help: "Print the rows' ids and what they do, and measure nothing.")
    var list = false

    @Option(help: "The rows to run: ids, or beginnings of ids, separated by commas.")
    var only: String?

    @Option(help: "How many rounds count, after one that warms up.")
    var rounds = 7

    @Option(help: "The time that is measured: wall, or cpu, which counts this program's work on all processors.")
    var clock = Meter.Clock.wall

    @Option(help: "Run one form, such as fetch.all:ours (or :raw, :peer), a round for each line of standard input.")
    var measure: String?

    @Option(help: "Draw what live queries cost as they grow, all or the --only ones, into SVG files in a folder.")
    var curves: String?

    @Option(help: "Measure the import and the reading of nycflights13, whose CSV files are in a folder; nothing else.")
    var flights: String?

    @Flag(help: "Measure clean release builds, which take minutes; nothing else.")
    var builds = false

    func validate() throws {
        guard rounds > 0 else { throw ValidationError("--rounds has to be at least 1.") }
        let isDrawn = !chosenCurves.isEmpty || isChosen(RelaySimulation.name)
        guard curves == nil ? !chosenRows.isEmpty : isDrawn else {
            throw ValidationError("No row or curve is called \(only ?? ""); --list shows the rows.")
        }
    }

    func run() throws {
        guard !list else {
            for row in chosenRows { print("\(row.id): \(row.work)") }
            return
        }
        if let measure { return try answerRounds(of: measure) }
        if let curves {
            for curve in chosenCurves { try curve.draw(in: curves, clock: clock) }
            if isChosen(RelaySimulation.name) { try RelaySimulation.draw(in: curves) }
            return
        }
        // At first, so that a fault in the data is said once, before anything is measured.
        if let flights { _ = try FlightData(folder: flights) }
        let runner = Runner(rounds: rounds, clock: clock, options: flights.map { ["--flights", $0] } ?? [])
        var reports: [Report] = []
        for row in chosenRows {
            let report = try runner.run(row)
            reports.append(report)
            if json { print(try JSONLine(report).text()) }
        }
        guard !json else { return }
        for line in Table(reports).lines { print(line) }
        let flatness = Catalogue.flatness.compactMap { $0.line(reports) }
        if !flatness.isEmpty { print("\n" + flatness.joined(separator: "\n")) }
        if let note = Load.note(on: reports) { print("\n" + note) }
    }

    /// Runs rounds of one form and prints what each measured, and its checksum.
    private func answerRounds(of name: String) throws {
        let rows = allRows + Catalogue.build + Curve.all.flatMap(\.rows)
        guard let form = rows.flatMap(\.forms).first(where: { $0.name == name })?.form else {
            throw ValidationError("No form is called \(name).")
        }
        while readLine() != nil {
            let (amount, checksum) = try form.measure(clock)
            // At once, because somebody waits for it.
            try FileHandle.standardOutput.write(contentsOf: Data("\(amount) \(checksum)\n".utf8))
        }
    }

    private var allRows: [Row] {
        builds ? Catalogue.build : flights.map(Catalogue.flights) ?? Catalogue.rows
    }

    private var chosenRows: [Row] { allRows.filter { isChosen($0.id) } }

    private var chosenCurves: [Curve] { Curve.all.filter { isChosen($0.name) } }

    private func isChosen(_ name: String) -> Bool {
        guard let only else { return true }
        return only.split(separator: ",").contains { name == $0 || name.hasPrefix("\($0).") }
    }
}
