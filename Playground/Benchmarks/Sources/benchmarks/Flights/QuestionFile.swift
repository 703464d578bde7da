import Foundation
import SignalRepository

/// The file that the questions read: filled for the first question, and removed when the process ends.
final class QuestionFile {
    private let source: FlightSource
    private let folder = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString)
    private var repository: SQLiteRepository?
    private var store: PeerStore?

    init(_ source: FlightSource) {
        self.source = source
    }

    deinit {
        try? FileManager.default.removeItem(at: folder)
    }

    func ours() throws -> SQLiteRepository {
        if let repository { return repository }
        let opened = try SQLiteRepository(flights: try filled())
        repository = opened
        return opened
    }

    func peer() throws -> PeerStore {
        if let store { return store }
        let opened = try PeerStore(try filled())
        store = opened
        return opened
    }

    private func filled() throws -> String {
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        let path = folder.appendingPathComponent("flights.sqlite").path
        guard !FileManager.default.fileExists(atPath: path) else { return path }
        try FlightTables.create(path)
        let raw = try RawStore.flights(path)
        try raw.insert(source.data())
        return path
    }
}
