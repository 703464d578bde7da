import Foundation
import Signals

/// Shows the progress of an import and, below it, the current totals of the store.
struct ImportDisplay: Sendable {
    private let screen: Screen
    private let total: Int
    private let start = ContinuousClock.now
    private let progress = CurrentValue<Progress?, Never>(nil)
    private let totals = CurrentValue<FilmTotals?, Never>(nil)
    private let lastLine = CurrentValue<ContinuousClock.Instant?, Never>(nil)

    /// Makes a display for work with the total size `total`, in bytes or any other unit.
    init(_ screen: Screen, total: Int) {
        self.screen = screen
        self.total = total
    }

    /// Shows that `done` of the total is finished, with `rows` rows.
    func advance(to done: Int, rows: Int) {
        let fraction = total == 0 ? nil : Double(done) / Double(total)
        progress.send(Progress(rows: rows, seconds: seconds, fraction: fraction))
        if screen.isTerminal { draw() } else { printLine() }
    }

    /// Shows the totals of the store.
    func show(_ latest: FilmTotals) {
        totals.send(latest)
        draw()
    }

    /// Shows the last state and keeps it on the screen.
    func finish(_ latest: FilmTotals?) {
        if let latest { totals.send(latest) }
        draw()
        if screen.isTerminal { screen.settle() } else { screen.print(lines.joined(separator: "; ")) }
    }

    private var seconds: Double { start.duration(to: .now) / .seconds(1) }

    private var lines: [String] {
        let stored = totals.value.map { "in the store: " + $0.text }
        return [screen.isTerminal ? progress.value?.bar : progress.value?.figures, stored].compactMap { $0 }
    }

    private func draw() { screen.show(lines) }

    /// Prints a plain line for the first batch, and then at most one per second.
    private func printLine() {
        let now = ContinuousClock.now
        if let last = lastLine.value, last.duration(to: now) < .seconds(1) { return }
        lastLine.send(now)
        screen.print(lines.joined(separator: "; "))
    }
}
