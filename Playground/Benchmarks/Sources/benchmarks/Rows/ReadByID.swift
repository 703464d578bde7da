import Dispatch
import Foundation
import SignalRepository

extension Catalogue {
    /// Single items by id: in one transaction, as concurrent signals, and one after the other.
    static var readByID: [Row] {
        let ids = Film.scattered(20_000).map(\.id)
        let inOneBlock = Form.reading("GRDB, one block", PeerStore.init) { store in try store.fetch(ids) }
        let eachItsBlock = Form.reading("GRDB, one block each", PeerStore.init) { store in
            try ids.flatMap { try store.fetch([$0]) }
        }
        let together = Form.reading("GRDB, each asyncRead", PeerStore.init) { $0.fetchEach(ids) }
        let awaited = Form.reading("GRDB, each asyncRead", PeerStore.init) { store in
            ids.flatMap { store.fetchEach([$0]) }
        }
        return [
            Row(
                id: "read.byId", work: "a film by its id, all in one transaction", operations: ids.count,
                bars: [.ofRaw(1.5)],
                raw: .reading("C API", RawStore.init) { try $0.fetch(ids) },
                ours: .reading("SignalRepository", SQLiteRepository.init(films:)) { repository in
                    try repository.read { store in try ids.map { try store.read(Film.self, id: $0) } }.wait()
                },
                peer: inOneBlock),
            Row(
                id: "read.byId.signals", work: "a film by its id, each a signal", operations: ids.count,
                bars: [.ofPeer(1)],
                ours: .reading("SignalRepository", SQLiteRepository.init(films:)) { try $0.fetchEach(ids) },
                peer: together),
            Row(
                id: "read.byId.apart", work: "a film by its id, each by wait()", operations: ids.count,
                bars: [.ofRaw(1.5), .ofPeer(1)],
                raw: .reading("C API", RawStore.init) { store in try ids.flatMap { try store.fetch([$0]) } },
                ours: .reading("SignalRepository, wait()", SQLiteRepository.init(films:)) { repository in
                    try ids.map { try repository.read(Film.self, id: $0).wait() }
                },
                peer: eachItsBlock),
            Row(
                id: "read.byId.awaited", work: "a film by its id, each awaited", operations: ids.count,
                bars: [.ofPeer(1)],
                ours: .reading("SignalRepository", SQLiteRepository.init(films:)) { repository in
                    try ids.map { try repository.read(Film.self, id: $0).awaited() }
                },
                peer: awaited),
        ]
    }
}

extension SQLiteRepository {
    /// Attaches one signal for each id, and waits for all of them.
    fileprivate func fetchEach(_ ids: [UUID]) throws -> [Film] {
        let gathered = Gathered(ids.count)
        let tokens = ids.map { id in
            read(Film.self, id: id).sink(onValue: gathered.add, onCompletion: { _ in gathered.end() })
        }
        return withExtendedLifetime(tokens) { gathered.wait() }
    }
}

extension PeerStore {
    /// Starts an asynchronous read of each film, and waits for all of them.
    fileprivate func fetchEach(_ ids: [UUID]) -> [Film] {
        let gathered = Gathered(ids.count)
        for id in ids {
            pool.asyncRead { database in
                if let film = try? Self.film(id, database.get()) { gathered.add(film) }
                gathered.end()
            }
        }
        return gathered.wait()
    }
}

/// Films that arrive on any thread.
///
/// Unchecked but safe because the lock guards everything, and the films are read after the last one.
private final class Gathered: @unchecked Sendable {
    private let lock = NSLock()
    private let isOver = DispatchSemaphore(value: 0)
    private var films: [Film] = []
    private var missing: Int

    init(_ count: Int) {
        missing = count
    }

    func add(_ film: Film) {
        lock.lock()
        films.append(film)
        lock.unlock()
    }

    func end() {
        lock.lock()
        missing -= 1
        if missing == 0 { isOver.signal() }
        lock.unlock()
    }

    func wait() -> [Film] {
        isOver.wait()
        return films
    }
}
