import Foundation
import Signals
import SignalsTesting
import Testing

@testable import RepositoryCore
@testable import SignalRepository

@Suite("Search in text", .timeLimit(.minutes(10))) struct TextSearchTests {
    /// The meaning of a search in plain Swift: it compares characters by their bytes, and ignores the case of A to Z.
    private static func isFound(_ text: String, _ kind: TextSearch, _ pattern: String) -> Bool {
        func folded(_ text: String) -> [[UInt8]] {
            text.map { character in character.utf8.map { (65...90).contains($0) ? $0 + 32 : $0 } }
        }
        let (text, pattern) = (folded(text), folded(pattern))
        switch kind {
        case .contains:
            return pattern.count <= text.count
                && (0...(text.count - pattern.count)).contains { text[$0...].starts(with: pattern) }
        case .prefix: return text.starts(with: pattern)
        case .suffix: return text.reversed().starts(with: pattern.reversed())
        }
    }

    private static func condition(_ kind: TextSearch, _ pattern: String) -> Condition<Measure> {
        switch kind {
        case .contains: Condition { $0.text.contains(pattern) }
        case .prefix: Condition { $0.text.hasPrefix(pattern) }
        case .suffix: Condition { $0.text.hasSuffix(pattern) }
        }
    }

    private static func optional(_ kind: TextSearch, _ pattern: String) -> Condition<Measure> {
        switch kind {
        case .contains: Condition { $0.kind.contains(pattern) }
        case .prefix: Condition { $0.kind.hasPrefix(pattern) }
        case .suffix: Condition { $0.kind.hasSuffix(pattern) }
        }
    }

    /// Characters of one scalar, which PostgreSQL finds as Swift does; `all` adds characters of several.
    private static let simple = ["a", "A", "b", "é", "É", "%", "_", "\\", "ß", "K", "\u{212A}", "日", "\n"]
    private static let all =
        simple + [
            "\0", "e\u{301}", "\u{301}", "\r", "\r\n", "\u{1F1E9}", "\u{1F1EA}", "\u{1F1EB}\u{1F1F7}",
            "\u{1F468}\u{200D}\u{1F469}", "\u{1100}", "\u{1161}",
        ]

    private static func text(_ pieces: [String], _ random: inout SeededGenerator, upTo count: Int) -> String {
        (0..<Int.random(in: 0...count, using: &random)).map { _ in
            pieces.randomElement(using: &random) ?? ""
        }.joined()
    }

    @Test(
        "R20 A search in random texts compares characters, even NUL, and ignores the case of A to Z",
        arguments: [StoreKind.memory, .postgres], 0..<6)
    func randomTexts(store: StoreKind, seed: Int) async throws {
        let pieces = store == .postgres ? Self.simple : Self.all
        let sought = store == .postgres ? Self.simple + ["\0"] : Self.all
        var random = SeededGenerator(seed: UInt64(seed))
        var rows = (0..<60).map { Measure.random($0, &random) }
        for place in rows.indices {
            rows[place].text = Self.text(pieces, &random, upTo: 8)
            rows[place].kind = place % 3 == 0 ? nil : Self.text(pieces, &random, upTo: 4)
        }
        let stored = rows
        try await withRepository(store, [Measure.self]) { repository async throws in
            try await repository.insert(stored).value()
            for _ in 0..<60 {
                let pattern = Self.text(sought, &random, upTo: 3)
                for kind in TextSearch.allCases {
                    let ids = stored.filter { Self.isFound($0.text, kind, pattern) }.map(\.id)
                    let some = stored.filter { $0.kind.map { Self.isFound($0, kind, pattern) } ?? false }.map(\.id)
                    let (all, optional) = (Self.condition(kind, pattern), Self.optional(kind, pattern))
                    #expect(try await repository.fetch(Measure.where(all)).value().map(\.id) == ids)
                    #expect(try await repository.fetch(Measure.where(optional)).value().map(\.id) == some)
                    let others = stored.count - some.count
                    #expect(try await repository.count(Measure.self) { _ in !optional }.value() == others)
                }
            }
        }
    }

    @Test("A search text may be as long as a stored text", arguments: StoreKind.allCases)
    func longTexts(kind: StoreKind) async throws {
        let long = String(repeating: "Long ", count: 20_000)
        try await withRepository(kind) { repository async throws in
            try await repository.create(Film.numbered(1, title: "a" + long + "z")).value()
            try await repository.create(Film.numbered(2, title: "a" + long)).value()
            for (condition, numbers) in [
                (Condition<Film> { $0.title.contains(long.lowercased()) }, [1, 2]),
                (Condition { $0.title.hasPrefix("A" + long) }, [1, 2]),
                (Condition { $0.title.hasSuffix(long + "Z") }, [1]), (Condition { $0.title.contains(long + long) }, []),
                (Condition { $0.title.contains(String(repeating: "%", count: 1_500)) }, []),
            ] {
                #expect(try await repository.fetch(Film.where(condition)).value().map(\.number) == numbers)
            }
            // A longer text is refused before any engine receives it.
            guard kind == .memory else { return }
            await expectFailure(\.isTooBig) {
                let text = String(repeating: "a", count: (64 << 20) + 1)
                return try await repository.count(Film.self) { $0.title.contains(text) }.value()
            }
        }
    }

    @Test("A search with many partial matches takes no longer than one pass over the text")
    func nearlyFound() {
        let text = Array(String(repeating: "a", count: 1_000_000).utf8)
        let pattern = Array((String(repeating: "a", count: 400_000) + "b").utf8)
        func isFound(in text: [UInt8]) -> Bool {
            text.withUnsafeBufferPointer { text in
                pattern.withUnsafeBufferPointer { TextSearch.contains.finds($0, in: text) }
            }
        }
        #expect(!isFound(in: text))
        #expect(isFound(in: text + pattern + text))
        #expect(isFound(in: pattern))
    }

    @Test("A pragma that changes how SQLite searches does not affect a search")
    func pragma() throws {
        let memory = try Memory(Box<String>.self)
        try memory.insert(Box(id: 1, value: "Fargo"))
        try memory.connection.execute("PRAGMA case_sensitive_like = 1")
        let store = ReadTransaction(Session(memory.connection), CancellationFlag())
        #expect(try store.count(Box<String>.self) { $0.value.contains("ARG") } == 1)
    }

    @Test("Searching a text that is stored as another type is refused")
    func otherClasses() throws {
        struct Numbered: Entity {
            let id: Int
            var text: String
            static let schema = Schema(
                Column("id", \Numbered.id),
                Column("text", \.text, encode: { Int($0) ?? 0 }, decode: { String($0) }), make: Numbered.init)
        }
        let memory = try Memory(Numbered.self)
        let store = ReadTransaction(Session(memory.connection), CancellationFlag())
        let error = try thrown { () throws(RepositoryError) in
            try store.count(Numbered.self) { $0.text.contains("1") }
        }
        #expect(error.isMisuse)
    }
}
