import CSQLite
import Foundation
import SignalRepository
import Signals
import SignalsTesting
import Testing

/// Repeats a small piece of work; in each run, another call to the disk fails.
@Suite("R12 Every call to the disk fails once", .timeLimit(.minutes(10))) struct EveryCallTests {
    /// A way to fail.
    enum Fault: CaseIterable, Sendable {
        /// One call fails, and the next succeeds.
        case once, onceFull, onceSync, onceRead
        /// One attempt to lock fails, and the next succeeds.
        case onceLock
        /// From one call on, nothing reaches the disk, as in a power cut; `everTorn` still does half of each write.
        case ever, everTorn

        var calls: FaultyDisk.Calls {
            switch self {
            case .once: [.write, .truncate, .delete]
            case .onceFull: .write
            case .onceSync: .sync
            case .onceRead: .read
            case .onceLock: [.lock, .sharedMemoryLock]
            case .ever, .everTorn: .changes
            }
        }

        var code: Int32 {
            switch self {
            case .once: SQLITE_IOERR | (3 << 8)
            case .onceFull: SQLITE_FULL
            case .onceSync: SQLITE_IOERR | (4 << 8)
            case .onceRead: SQLITE_IOERR | (1 << 8)
            case .onceLock: SQLITE_BUSY
            case .ever, .everTorn: SQLITE_IOERR
            }
        }

        var isLasting: Bool { self == .ever || self == .everTorn }
    }

    @Test(
        "R4 R12 R13 Acknowledged work is stored, failed work is not, and unknown work is stored whole or not at all",
        arguments: Fault.allCases)
    func every(fault: Fault) async throws {
        let untouched = try await Trial(fault, first: nil).run()
        #expect(untouched > 10)
        for first in 1...untouched { _ = try await Trial(fault, first: first).run() }
    }
}

/// One run of the work, on its own disk.
private final class Trial {
    /// The contents that the store may have, given the outcomes so far.
    private var possible: Set<[Int: String]> = [[:]]
    private let fault: EveryCallTests.Fault
    private let first: Int?
    private let disk: FaultyDisk
    private var repository: SQLiteRepository?

    init(_ fault: EveryCallTests.Fault, first: Int?) throws {
        self.fault = fault
        self.first = first
        disk = try FaultyDisk()
    }

    /// Runs the work, and returns how many calls of the fault's kinds it made.
    func run() async throws -> Int {
        if let first {
            disk.fail(
                fault.calls, first: first, count: fault.isLasting ? .max : 1, code: fault.code,
                isTorn: fault == .everTorn)
        } else {
            disk.count(fault.calls)
        }
        try await open()
        let live = repository?.fetchSubscription(Line.all.sorted(by: \.id)).record()
        for step in Step.allCases { await take(step) }
        try await checkReads(live)
        if let repository { await closed(repository) }
        repository = nil
        let calls = disk.calls
        disk.recover()
        let again = try SQLiteRepository(.file(disk.file), entities: Line.self)
        let lines = try await again.fetch(Line.all).value()
        #expect(possible.contains(texts(lines)), "\(place): \(texts(lines))")
        try await expectIntegrity(again)
        try await again.upsert(Line(id: 1, text: "again")).value()
        await closed(again)
        return calls
    }

    private var place: String { "\(fault), call \(first ?? 0)" }

    private func open() async throws {
        var configuration = RepositoryConfiguration()
        configuration.checkpointPages = 4
        for _ in 1...2 {
            do {
                repository = try SQLiteRepository(.file(disk.file), entities: [Line.self], configuration: configuration)
                return
            } catch {
                // A failed attempt must not block the next one, unless the disk is gone.
                #expect(error.isOfADisk, "\(place), opening: \(error)")
            }
        }
        #expect(fault.isLasting, "\(place): the second attempt to open failed too")
    }

    private func take(_ step: Step) async {
        guard let repository else { return }
        let after = Set(possible.map { step.expected($0) })
        do {
            // Work that changes no rows commits nothing, so it does not settle an unknown outcome.
            if try await step.changesRows(of: repository) { possible = after }
        } catch {
            #expect(error.isOfADisk, "\(place), \(step): \(error)")
            if case .commitOutcomeUnknown = error { possible.formUnion(after) }
        }
    }

    /// Reads the store: an unwritable disk can still be read, and live signals show the same rows.
    private func checkReads(_ live: Recorder<[Line], RepositoryError>?) async throws {
        guard let repository, let live else { return }
        let lines = try await reading { try await repository.fetch(Line.all.sorted(by: \.id)).value() }
        #expect(possible.contains(texts(lines)), "\(place): \(texts(lines))")
        _ = try await reading { try await repository.countSubscription(Line.self).value() }
        await live.values(until: { $0 == lines })
        if fault == .onceRead, case .failure(.io)? = live.completion { return }
        #expect(live.values.last == lines && !live.isEnded && live.breaches.isEmpty, "\(place): \(live.history)")
        live.cancel()
    }

    /// Reads once more if the first read met the fault.
    private func reading<Output>(_ body: () async throws -> Output) async throws -> Output {
        do {
            return try await body()
        } catch let error as RepositoryError {
            guard fault == .onceRead, case .io = error else { throw error }
            return try await body()
        }
    }

    private func texts(_ lines: [Line]) -> [Int: String] {
        Dictionary(uniqueKeysWithValues: lines.map { ($0.id, $0.text) })
    }
}

/// The transactions of the work.
private enum Step: CaseIterable {
    case one, many, mixed, failing, few, last

    private static let batch = (100..<140).map { Line(id: $0, text: String(repeating: "-", count: 240)) }

    /// Performs the step, and returns whether it changed any rows.
    func changesRows(of repository: SQLiteRepository) async throws(RepositoryError) -> Bool {
        switch self {
        case .one: try await repository.create(Line(id: 1, text: "one")).value()
        case .many: try await repository.insert(Self.batch).value()
        case .mixed:
            return try await repository.transaction { store in
                let count = try store.update(Line.self, set: [.set(\.text, to: "all")]) { $0.id < 120 }
                try? store.transaction { inner in
                    try inner.delete(Line.self) { _ in .true }
                    inner.cancel()
                }
                return try store.delete(Line.self) { $0.id < 110 } + count > 0
            }.value()
        case .failing:
            // If line 120 exists, its duplicate rolls this transaction back, whatever the disk does.
            do {
                try await repository.transaction { store in
                    try store.upsert(Line(id: 5, text: "five"))
                    try store.create(Line(id: 120, text: "twice"))
                }.value()
            } catch {
                if error.isConstraint { return false }
                throw error
            }
        case .few: try await repository.upsert([Line(id: 1, text: "few"), Line(id: 200, text: "few")]).value()
        case .last: return try await repository.delete(Line.self) { $0.id == 200 }.value() > 0
        }
        return true
    }

    func expected(_ before: [Int: String]) -> [Int: String] {
        var after = before
        switch self {
        case .one: after[1] = "one"
        case .many: for line in Self.batch { after[line.id] = line.text }
        case .mixed:
            for id in after.keys where id < 120 { after[id] = "all" }
            for id in after.keys where id < 110 { after[id] = nil }
        case .failing:
            // It succeeds if line 120 does not exist yet.
            if after[120] == nil { (after[5], after[120]) = ("five", "twice") }
        case .few: (after[1], after[200]) = ("few", "few")
        case .last: after[200] = nil
        }
        return after
    }
}

private struct Line: Entity, Equatable {
    let id: Int
    var text: String
    static let schema = Schema(Column("id", \Line.id), Column("text", \.text, .indexed), make: Line.init)
}

extension RepositoryError {
    /// Whether the disk can have caused the error.
    fileprivate var isOfADisk: Bool {
        switch self {
        case .io, .full, .commitOutcomeUnknown: true
        default: false
        }
    }
}
