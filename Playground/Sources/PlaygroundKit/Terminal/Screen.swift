import Foundation

/// Writes lines that stay and, on a terminal, live lines below them that are redrawn.
///
/// Every method may be called from any thread. A reader that goes away (`| head -1`) is not an error: later output is
/// dropped.
// `@unchecked` is safe because the variables are accessed only under `lock`.
package final class Screen: @unchecked Sendable {
    package static let standard = Screen(descriptor: STDOUT_FILENO)

    let isTerminal: Bool
    private let descriptor: Int32
    private let lock = NSLock()
    private var live: [String] = []
    private var shownCount = 0
    private var lastDrawn: ContinuousClock.Instant?
    private var failure: Int32?

    init(descriptor: Int32) {
        self.descriptor = descriptor
        isTerminal = isatty(descriptor) == 1
    }

    /// Whether every write has succeeded so far; false once the reader has gone.
    var isOpen: Bool { lock.withLock { failure == nil } }

    /// The terminal's width in characters; nil if the output is not a terminal.
    var width: Int? {
        guard isTerminal else { return nil }
        var size = winsize()
        guard ioctl(descriptor, UInt(TIOCGWINSZ), &size) == 0, size.ws_col > 0 else { return 80 }
        return Int(size.ws_col)
    }

    /// Lays out a table for the terminal.
    ///
    /// For a file or a pipe, the table has 80 columns, or as many as COLUMNS says, but every figure stays whole.
    func lines(of table: Table) -> [String] {
        if let width { return table.lines(width: width) }
        let columns = ProcessInfo.processInfo.environment["COLUMNS"].flatMap { Int($0) }
        return table.lines(shrunkTo: columns ?? 80)
    }

    /// Writes one line that stays.
    package func print(_ line: String) {
        print([line])
    }

    /// Writes lines that stay, above the live ones.
    func print(_ lines: [String]) {
        lock.withLock {
            write(eraseLive() + lines.map { $0 + "\n" }.joined())
            if isTerminal { drawLive() }
        }
    }

    /// Replaces the live lines, which are drawn at most ten times a second, and only on a terminal.
    func show(_ lines: [String]) {
        guard isTerminal else { return }
        lock.withLock {
            live = lines
            let now = ContinuousClock.now
            if let lastDrawn, lastDrawn.duration(to: now) < .milliseconds(100) { return }
            lastDrawn = now
            write(eraseLive())
            drawLive()
        }
    }

    /// Draws the live lines a last time and keeps them on the screen.
    func settle() {
        lock.withLock {
            write(eraseLive())
            drawLive()
            live = []
            shownCount = 0
            lastDrawn = nil
        }
    }

    /// Calls `settle()`, and drops all later output, which other threads may still print until the process ends.
    func end() {
        settle()
        lock.withLock { failure = failure ?? EPIPE }
    }

    /// Throws if a write has failed for any reason other than a reader that has gone.
    func check() throws(PlaygroundError) {
        guard let failure = lock.withLock({ failure }), failure != EPIPE else { return }
        throw PlaygroundError("the output cannot be written: \(String(cString: strerror(failure)))")
    }

    private func eraseLive() -> String {
        defer { shownCount = 0 }
        return shownCount == 0 ? "" : "\r" + String(repeating: "\u{1B}[1A\u{1B}[2K", count: shownCount)
    }

    private func drawLive() {
        guard !live.isEmpty else { return }
        let width = self.width ?? 80
        write(live.map { DisplayWidth.cut($0, to: width - 1) + "\n" }.joined())
        shownCount = live.count
    }

    private func write(_ text: String) {
        guard failure == nil, !text.isEmpty else { return }
        var rest = Array(text.utf8)[...]
        while !rest.isEmpty {
            let length = rest.withUnsafeBytes { Foundation.write(descriptor, $0.baseAddress, $0.count) }
            if length < 0 && errno == EINTR { continue }
            guard length > 0 else {
                failure = errno
                return
            }
            rest = rest.dropFirst(length)
        }
    }
}
