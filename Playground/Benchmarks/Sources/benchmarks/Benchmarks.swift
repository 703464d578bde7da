import ArgumentParser
import Foundation

/// Compares this repository's libraries with a raw form of the same work and with their peers.
@main
struct Benchmarks: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "benchmarks",
        abstract: "Compare Signals and SignalRepository with a raw form of the same work and with their peers.",
        discussion: """
            The forms of a row take turns, one round each, and every form has its own process. The table shows the \
            median round, per operation. The results of all forms are compared.
            """
    )

    @Flag(help: "Print a line of JSON for each row instead of the table; its figures are per run, not per operation.")
    var json = false

    @Flag(help: "List the ids of the rows with their work, and measure nothing.")
    var list = false

    @Option(help: "The rows to run: ids, or beginnings of ids such as live.sum, separated by commas.")
    var only: String?

    @Option(help: "How many rounds to measure, after one warm-up round.")
    var rounds = 7

    @Option(help: "The clock: wall, or cpu, which counts the CPU time of all threads of this program.")
    var clock = Meter.Clock.wall

    @Option(help: "Run one form, such as fetch.all:ours (or :raw, :peer): one round for each line of standard input.")
    var measure: String?

    @Option(help: "Draw how the cost of live queries grows, as SVG files in this folder; --only selects curves.")
    var curves: String?

    @Option(help: "Measure only the rows of nycflights13, whose CSV files are in this folder.")
    var flights: String?

    @Flag(help: "Measure only clean release builds, which take minutes.")
    var builds = false

    func validate() throws {
        guard rounds > 0 else { throw ValidationError("--rounds must be at least 1.") }
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
        // Read first, so that an error in the data is reported once, before anything is measured.
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

    /// Runs rounds of one form, and prints the figure and the checksum of each.
    private func answerRounds(of name: String) throws {
        let rows = allRows + Catalogue.build + Curve.all.flatMap(\.rows)
        guard let form = rows.flatMap(\.forms).first(where: { $0.name == name })?.form else {
            throw ValidationError("No form is called \(name).")
        }
        while readLine() != nil {
            let (amount, checksum) = try form.measure(clock)
            // Written at once, because the parent process waits for it.
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
