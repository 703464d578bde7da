import Foundation
import SignalRepository
import Signals
import SignalsTesting
import Testing

/// A word with a note, which may be missing.
private struct Phrase: Entity, Equatable {
    let id: Int
    var text: String
    var note: String?
    static let schema = Schema(
        Column("id", \Phrase.id), Column("text", \.text), Column("note", \.note), make: Phrase.init)
}

@Suite("Texts in the order of a language", .timeLimit(.minutes(10))) struct LocalizedTests {
    private static let texts = ["z", "ä", "a", "Zebra", "ö", "Äpfel", "o", "côte", "coté", "cote", "f", "Øre", "ß"]

    private static func sorted(_ texts: [String], _ locale: Locale) -> [String] {
        texts.sorted { $0.compare($1, options: [], range: nil, locale: locale) == .orderedAscending }
    }

    private func withWords(
        _ kind: StoreKind, _ texts: [String] = texts, _ body: (any Repository) async throws -> Void
    ) async throws {
        try await withRepository(kind, [Phrase.self]) { repository in
            let words = texts.enumerated().map { Phrase(id: $0, text: $1, note: $0.isMultiple(of: 3) ? nil : $1) }
            _ = try await repository.insert(words).value()
            try await body(repository)
        }
    }

    @Test(
        "Items are sorted as in Swift, as a whole and in pages", arguments: StoreKind.allCases,
        ["de_DE", "sv_SE", "fr_CA", "en_US"])
    func sorting(kind: StoreKind, identifier: String) async throws {
        let locale = Locale(identifier: identifier)
        try await withWords(kind) { repository in
            let query = Phrase.all.sorted { $0.text.localized(locale) }
            let all = try await repository.fetch(query).value().map(\.text)
            #expect(all == Self.sorted(Self.texts, locale))
            let down = Phrase.all.sorted(.descending) { $0.text.localized(locale) }
            #expect(try await repository.fetch(down).value().map(\.text) == all.reversed())
            var (paged, cursor): ([String], PageCursor?) = ([], nil)
            repeat {
                let page = try await repository.fetch(query.page(after: cursor, size: 2)).value()
                paged += page.items.map(\.text)
                cursor = page.next
            } while cursor != nil
            #expect(paged == all)
            let notes = try await repository.fetch(Phrase.all.sorted { $0.note.localized(locale) }).value().map(\.note)
            #expect(notes.prefix(5).allSatisfy { $0 == nil })
            let some = notes.compactMap(\.self)
            #expect(some == Self.sorted(some, locale) && some.count == 8)
        }
    }

    @Test("Texts compare as in the language, and both forms of a letter are equal", arguments: StoreKind.local)
    func comparing(kind: StoreKind) async throws {
        let swedish = Locale(identifier: "sv_SE")
        try await withWords(kind, TextZoo.texts + ["\u{E9}", "e\u{301}", "z", "ä"]) { repository in
            let same = Phrase.where { $0.text.localized(swedish) == "\u{E9}" }
            #expect(Set(try await repository.fetch(same).value().map { Array($0.text.utf8) }).count >= 2)
            for text in ["\u{E9}", "z", "ä", "", "\u{1F1E9}"] {
                let expected = try await repository.fetch(Phrase.all).value().filter { word in
                    word.text.compare(text, options: [], range: nil, locale: swedish) == .orderedAscending
                }
                let found = try await repository.fetch(Phrase.where { $0.text.localized(swedish) < text }).value()
                #expect(found.map(\.id).sorted() == expected.map(\.id).sorted())
            }
            let among = Phrase.where { $0.text.localized(swedish).isIn(["z", "e\u{301}"]) }
            let listed = try await repository.fetch(among).value()
            #expect(listed.count >= 3)
            let greatest = Phrase.where { $0.text.isIn(["z", "\u{E4}"]) }.grouped { $0.id >= 0 }
                .aggregate { $0.text.localized(swedish).max() }
            let last = try await repository.fetch(greatest).value()
            #expect(last.count == 1 && "\(last[0])".contains("\u{E4}"))
            await expectFailure(\.isMisuse) {
                try await repository.fetch(Phrase.where { $0.text.localized(swedish).contains("e") }).value()
            }
        }
    }

    @Test("A live list in the order of a language follows each commit", arguments: StoreKind.allCases)
    func live(kind: StoreKind) async throws {
        let locale = Locale(identifier: "de_DE")
        try await withWords(kind) { repository in
            let list = repository.fetchSubscription(Phrase.all.sorted { $0.text.localized(locale) }).record()
            _ = try await repository.insert([Phrase(id: 100, text: "Ä"), Phrase(id: 101, text: "y")]).value()
            let expected = Self.sorted(Self.texts + ["Ä", "y"], locale)
            await list.values { $0.map(\.text) == expected }
            #expect(list.values.last?.map(\.text) == expected)
        }
    }

    @Test("A language that a server does not know is a misuse")
    func unknown() async throws {
        try await withWords(.postgres) { repository in
            await expectFailure(\.isMisuse) {
                try await repository.fetch(Phrase.all.sorted { $0.text.localized(Locale(identifier: "tlh")) }).value()
            }
        }
    }

    @Test("A custom collation sorts and compares terms", arguments: StoreKind.local)
    func collated(kind: StoreKind) async throws {
        let natural = SQLCollation("nat\"ural") { $0.compare($1, options: .numeric) == .orderedAscending }
        var configuration = RepositoryConfiguration()
        configuration.collations = [natural]
        try await withRepository(kind, [Phrase.self], configuration: configuration) { repository in
            _ = try await repository.insert([10, 9, 100, 1].map { Phrase(id: $0, text: "Track \($0)") }).value()
            let sorted = try await repository.fetch(Phrase.all.sorted { $0.text.collated(by: natural) }).value()
            #expect(sorted.map(\.id) == [1, 9, 10, 100])
            let less = Phrase.where { $0.text.collated(by: natural) < "Track 10" }
            #expect(try await repository.count(less).value() == 2)
        }
        try await withRepository(kind, [Phrase.self]) { repository in
            await expectFailure(\.isMisuse) {
                try await repository.fetch(Phrase.all.sorted { $0.text.collated(by: natural) }).value()
            }
        }
    }
}

@Suite("Custom functions in terms", .timeLimit(.minutes(10))) struct TermFunctionTests {
    private static let initial = TermFunction("ini\"tial") { (text: String) in String(text.prefix(1)) }
    private static let joined = TermFunction("joined") { (text: String, note: String?, number: Int) -> String? in
        note.map { "\(text)/\($0)/\(number)" }
    }
    private static let picky = TermFunction("picky") { (number: Int) throws -> Double in
        if number == 3 { throw Picky() }
        return number == 4 ? .nan : Double(number) / 2
    }

    private struct Picky: Error {}

    private func withWords(_ kind: StoreKind, _ body: (any Repository) async throws -> Void) async throws {
        var configuration = RepositoryConfiguration()
        configuration.functions = [Self.initial.function, Self.joined.function, Self.picky.function]
        try await withRepository(kind, [Phrase.self], configuration: configuration) { repository in
            let words = ["apple", "ant", "e\u{301}t\u{E9}", "\u{1F469}\u{200D}\u{1F680}!", ""].enumerated()
            _ = try await repository.insert(words.map { Phrase(id: $0, text: $1, note: $0 == 1 ? "n" : nil) }).value()
            try await body(repository)
        }
    }

    @Test("Conditions, orders, groups, selections and assignments call a function", arguments: StoreKind.local)
    func everywhere(kind: StoreKind) async throws {
        try await withWords(kind) { repository in
            let initial = Self.initial
            let live = repository.countSubscription(Phrase.where { initial($0.text) == "a" }).record()
            let a = try await repository.fetch(Phrase.where { initial($0.text) == "a" && $0.id < 10 }).value()
            #expect(a.map(\.id) == [0, 1])
            let down = try await repository.fetch(Phrase.all.sorted(.descending) { initial($0.text) }.limit(1)).value()
            #expect(down.map(\.id) == [3])
            let groups = try await repository.fetch(
                Phrase.all.grouped { initial($0.text) }.aggregate { $0.id.count() }
            ).value()
            #expect(groups.map { "\($0)" }.contains { $0.contains("a") } && groups.count == 4)
            let picked = try await repository.fetch(
                Phrase.all.select { Self.joined($0.text, $0.note, $0.id + 1) }
            ).value()
            #expect(picked == [nil, "ant/n/2", nil, nil, nil])
            _ = try await repository.update(
                Phrase.self, set: [.set(\.text) { initial($0.text) }]
            ) { $0.id <= 3 }.value()
            let texts = try await repository.fetch(Phrase.all).value().map(\.text)
            #expect(texts == ["a", "a", "e\u{301}", "\u{1F469}\u{200D}\u{1F680}", ""])
            _ = try await repository.create(Phrase(id: 9, text: "axe")).value()
            await live.values { $0 == 3 }
            #expect(live.values.last == 3)
        }
    }

    @Test("R4 A live query goes on if a function throws for a row that it does not show", arguments: StoreKind.local)
    func beyondLimit(kind: StoreKind) async throws {
        try await withWords(kind) { repository in
            let query = Phrase.all.sorted(by: \.id).select { Self.picky($0.id) }.limit(2)
            let live = repository.fetchSubscription(query).record()
            #expect(await live.values(1) == [[0, 0.5]])
            try await repository.create(Phrase(id: -1, text: "")).value()
            #expect(await live.values(2).last == [-0.5, 0])
            try await repository.delete(Phrase.self) { $0.id < 2 }.value()
            // A fresh query shows the row, too.
            await expectFailure({ _ in true }) { try await repository.fetch(query).value() }
            #expect(await live.end() != nil)
        }
    }

    @Test("Floating-point results of a function are added up as such", arguments: StoreKind.local)
    func sums(kind: StoreKind) async throws {
        try await withWords(kind) { repository in
            let sums = Phrase.where { $0.id < 3 }.aggregate { phrase in
                (Self.picky(phrase.id).average(), Self.picky(phrase.id).sum(), Self.picky(phrase.id).max())
            }
            let row = try #require(try await repository.first(sums).value())
            #expect(row == (0.5, 1.5, 1))
        }
    }

    @Test("An error of a function is the query's, and so is a result that is NaN", arguments: StoreKind.local)
    func failures(kind: StoreKind) async throws {
        try await withWords(kind) { repository in
            let fine = try await repository.fetch(
                Phrase.where { $0.id < 3 && Self.picky($0.id) < 1 }
            ).value()
            #expect(fine.map(\.id) == [0, 1])
            await expectFailure({ if case .bodyThrew = $0 { true } else { false } }) {
                try await repository.count(Phrase.where { Self.picky($0.id) > 0 }).value()
            }
            await expectFailure({ if case .bodyThrew = $0 { true } else { false } }) {
                try await repository.count(Phrase.where { $0.id == 4 && Self.picky($0.id) >= 0 }).value()
            }
        }
    }

    @Test("A function or collation that the store lacks is a misuse, whatever its name", arguments: StoreKind.allCases)
    func missing(kind: StoreKind) async throws {
        let (length, nocase) = (TermFunction("length") { (_: String) in 77 }, SQLCollation("NOCASE") { $0 < $1 })
        try await withRepository(kind, [Phrase.self]) { repository in
            await expectFailure(\.isMisuse) {
                try await repository.count(Phrase.where { length($0.text) == 1 }).value()
            }
            await expectFailure(\.isMisuse) {
                try await repository.count(Phrase.where { $0.text.collated(by: nocase) == "a" }).value()
            }
            await expectFailure(\.isMisuse) {
                try await repository.fetch(Phrase.where { Self.initial($0.text) == "a" }).value()
            }
        }
    }
}
