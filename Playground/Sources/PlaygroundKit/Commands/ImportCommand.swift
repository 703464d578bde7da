import ArgumentParser
import Foundation
import SignalRepository

/// Imports films from a file into a store, and shows the store's count and sum while they come in.
struct ImportCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "import",
        abstract: "Import films from a CSV, JSON or NDJSON file.",
        discussion: """
            A film is identified by its title and release date: the same row again changes nothing. The input is read \
            through before the store is touched, so a malformed file leaves the store as it was. Memory does not grow \
            with the file: a row may have 1 MiB (in JSON: one element of the array) and is held with its batch, which \
            ends early at 4 MiB; standard input is kept in a temporary file. Ctrl-C keeps the batches before it.
            """)

    @Argument(help: "The file to import; - is standard input.")
    var file: String

    @OptionGroup var store: FilmStore

    @Option(help: "The input's format: csv, json (an array) or ndjson; by default, its extension decides.")
    var format: InputFormat?

    @Flag(help: "Import nothing when one row is rejected.")
    var strict = false

    @Option(help: ArgumentHelp("Write the rejected rows to this file, as NDJSON.", valueName: "file"))
    var rejects: String?

    @Option(help: "How many rows to import in one transaction; with --strict all are one.")
    var batch = 1000

    func validate() throws {
        guard (1...1_000_000).contains(batch) else { throw ValidationError("--batch must be 1 to 1000000.") }
    }

    func run() async throws {
        let interrupts = Interrupts()
        let leaving = interrupts.statuses.sink { status in
            StandardStreams.complain("Interrupted: nothing was imported.")
            StandardStreams.leave(status)
        }
        try refuseOverwriting()
        let input = try strict ? checkEveryRow() : FilmInput(path: file, format: format)
        var log = try RejectLog(path: rejects)
        let repository = try store.store.forWriting()
        leaving.cancel()
        let importer = Importer(
            input: input, repository: repository, batchSize: batch, isStopped: { interrupts.status != nil })
        let session = ImportSession(importer: importer, display: ImportDisplay(.standard, total: input.size))
        let outcome = await strict ? session.importWhole() : session.importBatches(&log)
        await repository.close().value()
        try report(outcome, log, interrupts.status)
    }

    /// Reads the whole input, and throws if a row is not a film.
    private func checkEveryRow() throws(PlaygroundError) -> FilmInput {
        var log = try RejectLog(path: nil)
        let input = try FilmInput(path: file, format: format) { (record) throws(PlaygroundError) in
            do throws(RowRejection) {
                _ = try Film(record)
            } catch {
                if log.count == 0 { log = try RejectLog(path: rejects) }
                try log.add(RejectedRow(record: record, reason: error.reason))
            }
        }
        guard log.count > 0 else { return input }
        try log.flush()
        Screen.standard.print(log.summary + [ImportCounts(rejected: log.count).summary])
        throw PlaygroundError("nothing was imported, because --strict was given and rows were rejected")
    }

    /// Throws if the rejects would overwrite the input or a store.
    private func refuseOverwriting() throws(PlaygroundError) {
        guard let rejects else { return }
        if file != "-", OpenFile.isSame(rejects, file) {
            throw PlaygroundError("--rejects would overwrite \(Escaping.visible(file))")
        }
        try store.store.refuseOverwriting(by: rejects, "--rejects")
    }

    private func report(_ outcome: ImportSession.Outcome, _ log: RejectLog, _ interruption: Int32?) throws {
        let screen = Screen.standard
        screen.print(log.summary + [outcome.counts.summary])
        if let failure = outcome.failure {
            let rows = outcome.counts.rows
            let stayed =
                rows == 0
                ? "nothing was imported"
                : "the current batch was rolled back, the \(rows) rows before it stay as imported"
            if let interruption {
                StandardStreams.complain("Interrupted: \(stayed).")
                throw ExitCode(interruption)
            }
            throw PlaygroundError("\(failure) (\(stayed))")
        }
        try screen.check()
    }
}
