import Foundation
import Signals

/// Shows how far an import has come, and below it what the store holds by now.
struct ImportDisplay: Sendable {
    private let screen: Screen
    private let total: Int
    private let start = ContinuousClock.now
    private let progress = CurrentValue<Progress?, Never>(nil)
    private let totals = CurrentValue<FilmTotals?, Never>(nil)
    private let lastLine = CurrentValue<ContinuousClock.Instant?, Never>(nil)

    /// Makes a display for work of which `total` is the whole, in bytes or whatever else is counted.
    init(_ screen: Screen, total: Int) {
        self.screen = screen
        self.total = total
    }

    /// Shows that the work has come to `done`, with so many rows.
    func advance(to done: Int, rows: Int) {
        let fraction = total == 0 ? nil : Double(done) / Double(total)
        progress.send(Progress(rows: rows, seconds: seconds, fraction: fraction))
        if screen.isTerminal { draw() } else { printLine() }
    }

    /// Shows what the store holds.
    func show(_ latest: FilmTotals) {
        totals.send(latest)
        draw()
    }

    /// Shows the last state and leaves it standing.
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

    /// Prints a plain line for the first batch and then at most one each second.
    private func printLine() {
        let now = ContinuousClock.now
        if let last = lastLine.value, last.duration(to: now) < .seconds(1) { return }
        lastLine.send(now)
        screen.print(lines.joined(separator: "; "))
    }
}
