import Foundation
import Signals
import SignalsTesting

@testable import RepositoryCore
@testable import SignalRepository

/// Random work on a random table of another program.
///
/// It compares answers with reads, live values with fresh ones, and change sets with the stored rows.
struct OtherTrial<Key: OtherKey> {
    typealias Other = OtherRow<Key>

    private let store: SQLiteRepository
    private var random: SeededGenerator
    private let live: OtherLive<Key>
    private(set) var faults: [String] = []
    /// The stored rows, or `nil` if they cannot be read.
    private var known: [Other]?

    init(_ store: SQLiteRepository, seed: UInt64) async {
        self.store = store
        random = SeededGenerator(seed: seed)
        live = OtherLive(store)
        known = try? await store.fetch(Other.all).value()
    }

    /// Changes the table, and compares after each change.
    mutating func run(_ steps: Int) async {
        await live.compare(&faults)
        await live.compareTerms(&faults)
        await live.compareChanges(known, &faults)
        for _ in 0..<steps where faults.isEmpty {
            let change = await change()
            known = try? await store.fetch(Other.all).value()
            await live.compare(&faults)
            await live.compareTerms(&faults)
            await live.compareChanges(known, &faults)
            for index in faults.indices where !faults[index].contains(" after ") { faults[index] += " after \(change)" }
        }
        live.cancel()
    }

    /// Makes a random change, and returns its description.
    private mutating func change() async -> String {
        let item = item()
        switch Int.random(in: 0..<14, using: &random) {
        case 0, 1:
            return await answered("create \(item)", by: item.id) { try await $0.create(item).value() }
        case 2, 3:
            return await answered("upsert \(item)", by: item.id) { try await $0.upsert(item).value() }
        case 4, 5:
            return await answered("update \(item)", by: item.id) { try await $0.update(item).value() }
        case 6:
            let (number, text) = (item.a, item.c)
            return await answered("set \(item)", by: item.id) {
                try await $0.update(Other.self, id: item.id, set: [.set(\.a, to: number), .set(\.c, to: text)]).value()
            }
        case 7:
            let (real, text) = (item.b, item.c)
            return await done("set all \(item)") {
                _ = try await $0.update(
                    Other.self, set: [.set(\.b, to: real), .set(\.c, to: text)]
                ) { $0.id > Key.numbered(5) }.value()
            }
        case 8:
            let items = [item, self.item(), self.item()]
            return await done("insert \(items)") { _ = try await $0.insert(items).value() }
        case 12, 13:
            // Statements write values of any class, which a column converts, keeps or refuses.
            let sql = random.pick(
                Key.statements + ["UPDATE Other SET a = a + 1, b = b * 2 WHERE a < 100"])
            return await done(sql) { store in
                _ = try await store.transaction { try $0.execute(SQL(unsafe: sql)) }.value()
            }
        case 9: return await done("delete \(item.id)") { try await $0.delete(Other.self, id: item.id).value() }
        case 10:
            return await done("delete where") { _ = try await $0.delete(Other.self) { $0.id > item.id }.value() }
        default:
            let isRemoved = random.isOneOf(2)
            return await done("transaction \(item)") { store in
                try await store.transaction { store in
                    _ = try? store.create(item)
                    _ = try store.upsert(item)
                    _ = try store.update(Other.self, set: [.set(\.a, to: 1)]) { $0.id == item.id }
                    if isRemoved { _ = try store.delete(Other.self, id: item.id) }
                }.value()
            }
        }
    }

    private mutating func item() -> Other {
        let texts = [
            "a", "A", "b ", "é", "ā", "\u{10000}", "2024", "2024-01-01", "1.50", " 5", "x\0y", "\u{FFFF}", "", "1e5",
            "Z",
        ]
        return Other(
            id: .numbered(Int.random(in: 1...12, using: &random)),
            a: random.pick([nil, 0, 1, -5, 9_007_199_254_740_993, .max, .min, 7]),
            b: random.pick([nil, 0, -0.0, 7, 2.5, 1e300, 9_007_199_254_740_992, -.infinity, 1e-300]),
            c: random.isOneOf(5) ? nil : random.pick(texts),
            d: random.pick([nil, Data(), Data([0, 255]), Data("text".utf8)]))
    }

    /// Makes a change that returns an item, and expects a read to return the same item.
    private mutating func answered(
        _ what: String, by id: Key, _ body: (SQLiteRepository) async throws -> Other
    ) async -> String {
        await done(what) { store in
            let answer = try await body(store)
            let read = try await store.read(Other.self, id: id).value()
            guard answer == read, answer.c.map({ Array($0.utf8) }) == read.c.map({ Array($0.utf8) }) else {
                throw OtherFault(text: "answered \(answer), but reads \(read)")
            }
        }
    }

    private mutating func done(
        _ what: String, _ body: (SQLiteRepository) async throws -> Void
    ) async -> String {
        do {
            try await body(store)
            return what
        } catch let fault as OtherFault {
            faults.append("\(what): \(fault.text)")
        } catch let error as RepositoryError {
            // A table may refuse a value, and may hold a value that no item can have.
            let isExpected =
                switch error {
                case .constraint, .encoding, .decoding, .notFound: true
                default: false
                }
            if !isExpected { faults.append("\(what): \(error)") }
            // A failure must not change anything.
            let now = try? await store.fetch(Other.all).value()
            if now != known, known != nil, now != nil { faults.append("\(what) failed and changed rows: \(error)") }
            return "\(what), which failed"
        } catch {
            faults.append("\(what): \(error)")
        }
        return what
    }
}

/// A fault that a trial has found.
struct OtherFault: Error {
    let text: String
}
