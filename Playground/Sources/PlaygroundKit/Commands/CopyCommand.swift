import ArgumentParser
import Foundation
import SignalRepository

/// Copies the films of one store into another, and compares both row by row.
struct CopyCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "copy",
        abstract: "Copy all films from one store into another, and compare both row by row.",
        discussion: """
            Either store is a file or on a server. A missing target is created; one that holds films is refused. \
            Memory does not grow with the store. A terminal on standard error shows the progress. Ctrl-C or a failure \
            leaves the whole batches before it in the target, and says how many films they hold. It ends with status 1 \
            when the stores are not equal afterwards.
            """)

    @Argument(help: ArgumentHelp("The store to copy from.", valueName: "from"))
    var source: StoreName

    @Argument(help: ArgumentHelp("The store to copy to.", valueName: "to"))
    var target: StoreName

    @Option(help: "How many films to copy in one transaction.")
    var batch = 10_000

    func validate() throws {
        guard (1...1_000_000).contains(batch) else { throw ValidationError("--batch must be 1 to 1000000.") }
    }

    func run() async throws {
        let interrupts = Interrupts()
        let leaving = interrupts.statuses.sink { status in
            StandardStreams.complain("Interrupted: nothing was copied.")
            StandardStreams.leave(status)
        }
        let copy = StoreCopy(source: try source.forReading(), target: try target.forWriting(), batchSize: batch)
        leaving.cancel()
        do {
            try await refuseFilled(copy)
            let display = CopyDisplay(total: try await copy.source.count(Film.self).worded.value())
            defer { display.finish() }
            let count = try await fill(copy, display, interrupts)
            let comparison = try await copy.compare { found in
                display.show("compared", found.rows)
                guard let status = interrupts.status else { return }
                StandardStreams.complain("Interrupted: all is copied, and \(found.rows) rows were compared.")
                throw ExitCode(status)
            }
            display.show("compared", comparison.rows)
            display.finish()
            try report(count, comparison)
        } catch {
            await copy.close()
            throw error
        }
        await copy.close()
        try Screen.standard.check()
    }

    private func refuseFilled(_ copy: StoreCopy) async throws {
        let count = try await copy.target.count(Film.self).worded.value()
        guard count == 0 else {
            throw PlaygroundError("\(target.description) holds films already (\(count)): name a store without any")
        }
    }

    private func fill(_ copy: StoreCopy, _ display: CopyDisplay, _ interrupts: Interrupts) async throws -> Int {
        var (copied, failure): (Int, PlaygroundError?) = (0, nil)
        do throws(PlaygroundError) {
            for try await rows in copy.counts.prefix(until: interrupts.statuses).values {
                copied = rows
                display.show("copied", rows)
            }
        } catch {
            failure = error
        }
        guard failure != nil || interrupts.status != nil else { return copied }
        display.finish()
        // A batch may have been committed after the last count that arrived.
        let count = try? await copy.target.count(Film.self).value()
        let stayed = count.map { $0 == 0 ? "nothing was copied" : "the \($0) rows before it stay as copied" }
        if let failure { throw PlaygroundError("\(failure) (\(stayed ?? "how much was copied is not known"))") }
        StandardStreams.complain("Interrupted: \(stayed ?? "how much was copied is not known").")
        throw ExitCode(interrupts.status ?? 1)
    }

    private func report(_ copied: Int, _ comparison: Comparison) throws {
        Screen.standard.print("copied \(copied), compared \(comparison.rows), equal \(comparison.equal)")
        guard let id = comparison.difference else { return }
        throw PlaygroundError(
            "the stores are not equal, because one of them changed during the copy: the first film that differs is "
                + "\"\(Escaping.visible(id))\"")
    }
}

/// The progress of a copy, which only a terminal shows; other outputs get the result alone.
private struct CopyDisplay {
    let total: Int
    private let screen = Screen(descriptor: STDERR_FILENO)
    private let start = ContinuousClock.now

    init(total: Int) {
        self.total = total
    }

    func show(_ word: String, _ rows: Int) {
        let seconds = start.duration(to: .now) / .seconds(1)
        let fraction = total == 0 ? nil : Double(rows) / Double(total)
        screen.show(["\(word) \(Progress(rows: rows, seconds: seconds, fraction: fraction).bar)"])
    }

    /// Keeps the last line on the screen.
    func finish() { screen.settle() }
}
