import Testing

@testable import RepositoryCore
@testable import SignalRepository

@Suite("Callbacks from SQLite to a connection") struct ConnectionMonitorTests {
    @Test("R12 The busy timeout starts again with each lock")
    func waits() {
        var options = ConnectionOptions()
        options.busyTimeout = 5
        let monitor = ConnectionMonitor(options)
        for _ in 0..<3 {
            // SQLite numbers the attempts for one lock; they wait 1, 2 and 2 milliseconds.
            #expect((0..<4).map { monitor.waits($0) } == [true, true, true, false])
        }
    }

    @Test("A connection whose monitor was removed reports no more statements")
    func removed() throws {
        let texts = ReceivedTexts()
        var options = ConnectionOptions()
        options.trace = { texts.append($0) }
        let connection = try Connection(path: ":memory:", options: options)
        try connection.execute("SELECT 1")
        connection.monitor.remove(from: connection.handle)
        try connection.execute("SELECT 2")
        #expect(texts.all.last == "SELECT 1")
    }
}
