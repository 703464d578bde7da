import Foundation
import Signals
import SignalsTesting
import Testing

@testable import RepositoryCore
@testable import SignalRepository

@Suite("Full-text search") struct MatchTests {
    struct Article: Entity, Equatable {
        var id: String
        var title: String
        var body: String?
        var year: Int

        static let schema = Schema(
            Column("id", \Article.id), Column("title", \.title), Column("body", \.body), Column("year", \.year),
            search: [\.title, \.body], make: Article.init)
    }

    private static let articles = [
        Article(id: "a", title: "The quick fox", body: "jumps over the lazy dog", year: 1990),
        Article(id: "b", title: "A quick guide", body: "to foxes, and to quick foxes", year: 1991),
        Article(id: "c", title: "Dog days", body: nil, year: 1992),
        Article(id: "d", title: "Caf\u{e9} \u{212b}ngstr\u{f6}m", body: "Stra\u{df}e", year: 1993),
        Article(id: "e", title: "Cafe\u{301}", body: "a\0b", year: 1994),
    ]

    private static func articles(_ kind: StoreKind) -> [Article] {
        articles.map { article in
            var article = article
            if kind == .postgres { article.body = article.body?.replacing("\0", with: "-") }
            return article
        }
    }

    private func withArticles(
        _ kind: StoreKind, _ body: (any Repository) async throws -> Void
    ) async throws {
        try await withRepository(kind, [Article.self]) { repository async throws in
            try await repository.insert(Self.articles(kind)).value()
            try await body(repository)
        }
    }

    private func ids(_ repository: any Repository, _ query: FetchQuery<Article>) async throws -> String {
        try await repository.fetch(query.sorted(by: \.id)).value().map(\.id).joined()
    }

    @Test(
        "An item with all words is found, whatever their case, marks and Unicode form",
        arguments: [
            ("quick", "ab"), ("QUICK fox", "a"), ("fox quick", "a"), ("dog", "ac"), ("cafe", "de"), ("caf\u{e9}", "de"),
            ("cafe\u{301}", "de"), ("angstrom", "d"), ("qui", ""), ("", ""), ("  ", ""), ("***", ""), ("b", "e"),
        ])
    func words(text: String, expected: String) async throws {
        for kind in [StoreKind.memory, .postgres] {
            try await withArticles(kind) { repository async throws in
                #expect(try await ids(repository, Article.where(.matches(text))) == expected)
                #expect(try await ids(repository, Article.where { $0.matches(text) }) == expected)
                let matches = try await repository.fetch(Article.matching(text)).value()
                #expect(matches.map(\.item.id).sorted().joined() == expected)
            }
        }
    }

    struct Comment: Entity, Equatable {
        var id: Int
        var article: String
        var text: String

        static let schema = Schema(
            Column("id", \Comment.id), Column("article", \.article, .references(Article.self)), Column("text", \.text),
            search: [\.text], make: Comment.init)
    }

    @Test(
        "Words in a related item are found by a join, each side by its own index, live too",
        arguments: [StoreKind.memory, .postgres])
    func related(kind: StoreKind) async throws {
        try await withRepository(kind, [Article.self, Comment.self]) { repository async throws in
            try await repository.insert(Self.articles(kind)).value()
            try await repository.insert([
                Comment(id: 1, article: "a", text: "so quick"), Comment(id: 2, article: "a", text: "slow"),
                Comment(id: 3, article: "c", text: "quick too"), Comment(id: 4, article: "c", text: "dog"),
            ]).value()
            let both = Comment.joined(to: Article.self, on: \.article)
            let query = both.where { comment, article in comment.matches("quick") && article.matches("dog") }
            let either = both.where { comment, article in comment.matches("quick") || article.matches("quick") }
            #expect(try await repository.fetch(query).value().map(\.left.id) == [1, 3])
            #expect(try await repository.fetch(either).value().map(\.left.id) == [1, 2, 3])
            let live = repository.fetchSubscription(query).record()
            _ = await live.values(1)
            try await repository.create(Comment(id: 5, article: "c", text: "Quick!")).value()
            #expect(await live.values(2).map { $0.map(\.left.id) } == [[1, 3], [1, 3, 5]])
            live.cancel()
        }
    }

    @Test(
        "The last word may be a prefix, and a search combines like any test", arguments: [StoreKind.memory, .postgres])
    func prefix(kind: StoreKind) async throws {
        try await withArticles(kind) { repository async throws in
            #expect(try await ids(repository, Article.where(.matches("quick fo", .prefix))) == "ab")
            for sign in ["&", "& -", "\"", "*", "\u{301}", "\u{1f600}", "(", "\u{2013} !"] {
                for text in [
                    "quick fo \(sign)", "\(sign) quick \(sign) fo", "quick fo\(sign)", "quick fo\(sign) \(sign)",
                ] {
                    #expect(try await ids(repository, Article.where(.matches(text, .prefix))) == "ab", "\(text)")
                }
                #expect(try await ids(repository, Article.where(.matches(sign, .prefix))) == "", "\(sign)")
            }
            // SQLite's index treats a character that its tables lack as a letter, and PostgreSQL treats it as a sign.
            if kind != .postgres {
                try await repository.create(Article(id: "f", title: "Zorro \u{1f98a}x", body: nil, year: 1995)).value()
                for text in ["\u{1f98a}", "zorro \u{1f98a}x", "zorro \u{1f98a}"] {
                    #expect(try await ids(repository, Article.where(.matches(text, .prefix))) == "f", "\(text)")
                }
                try await repository.delete(Article.self, id: "f").value()
            }
            #expect(try await ids(repository, Article.where { .matches("quick") && $0.year > 1990 }) == "b")
            #expect(try await ids(repository, Article.where(!.matches("quick"))) == "cde")
            #expect(try await ids(repository, Article.where(.matches("fox") || .matches("days"))) == "ac")
        }
    }

    @Test("The best matches come first, with the found words marked", arguments: [StoreKind.memory, .postgres])
    func ranked(kind: StoreKind) async throws {
        try await withArticles(kind) { repository async throws in
            let matches = try await repository.fetch(Article.matching("quick")).value()
            #expect(matches.map(\.item.id) == ["b", "a"])
            #expect(matches.map(\.rank) == matches.map(\.rank).sorted())
            #expect(matches[1].snippet.marked("<", ">") == "The <quick> fox")
            let late = Article.matching("quick").where { $0.year < 1991 }
            #expect(try await repository.fetch(late).value().map(\.item.id) == ["a"])
            #expect(try await repository.count(Article.matching("quick")).value() == 2)
        }
    }

    @Test("Every way of writing keeps the index correct", arguments: StoreKind.allCases)
    func writes(kind: StoreKind) async throws {
        try await withArticles(kind) { repository async throws in
            func found(_ text: String) async throws -> String {
                try await ids(repository, Article.where(.matches(text)))
            }
            try await repository.update(Article(id: "a", title: "slow", body: nil, year: 1)).value()
            #expect(try await found("quick") == "b")
            #expect(try await found("slow") == "a")
            try await repository.upsert(Article(id: "b", title: "slow", body: "snail", year: 1)).value()
            #expect(try await found("slow") == "ab")
            try await repository.update(Article.self, set: [.set(\.body, to: "turtle")]) { $0.id == "c" }.value()
            #expect(try await found("turtle") == "c")
            try await repository.update(Article.self, set: [.set(\.title) { $0.title + "!" }]) { _ in .true }.value()
            #expect(try await found("slow") == "ab")
            try await repository.delete(Article.self) { $0.id == "a" }.value()
            #expect(try await found("slow") == "b")
            try await repository.transaction { store in
                if kind == .postgres {
                    try store.execute(#"UPDATE "Article" SET title = 'hare', body = NULL WHERE id = 'b'"#)
                } else {
                    try store.execute("REPLACE INTO Article (id, title, body, year) VALUES ('b', 'hare', NULL, 2)")
                }
            }.value()
            #expect(try await found("slow") == "")
            #expect(try await found("hare") == "b")
            try await repository.delete(Article.self) { _ in .true }.value()
            #expect(try await found("hare") == "")
            // REPLACE leaves the texts of the deleted row in the index, for a row that no result can have.
            #expect(try await found("snail") == "")
            #expect(try await repository.count(Article.matching("snail")).value() == 0)
        }
    }

    @Test("Another program's writes are found too, and so is everything after VACUUM")
    func elsewhere() async throws {
        try await withFolder { folder in
            let path = folder + "/store.sqlite"
            let first = try SQLiteRepository(.file(path), entities: [Article.self])
            try await first.insert(Self.articles).value()
            await closed(first)
            let other = try RawDatabase(path)
            try other.run("DELETE FROM Article WHERE id = 'a'")
            try other.run("INSERT INTO Article VALUES ('f', 'a quick one', NULL, 3)")
            try other.run("VACUUM")
            let again = try SQLiteRepository(.file(path), entities: [Article.self])
            #expect(try await ids(again, Article.where(.matches("quick"))) == "bf")
            await closed(again)
        }
    }

    @Test("A live search is kept up to date", arguments: [StoreKind.memory, .postgres])
    func live(kind: StoreKind) async throws {
        try await withArticles(kind) { repository async throws in
            let recorder = repository.countSubscription(Article.where(.matches("quick"))).record()
            let matches = repository.fetchSubscription(Article.matching("quick")).record()
            #expect(await recorder.values(1) == [2])
            try await repository.create(Article(id: "x", title: "quick", body: nil, year: 1)).value()
            #expect(await recorder.values(2) == [2, 3])
            await matches.values { $0.count == 3 }
        }
    }

    @Test(
        "R20 Hostile texts find stored items only, and fail with a typed error at most",
        arguments: [StoreKind.memory, .postgres], 0..<4)
    func hostile(kind: StoreKind, seed: Int) async throws {
        let pieces = [
            "\"", "\"\"", "*", "-", "^", "(", ")", "NEAR", "NEAR(", "AND", "OR", "NOT", ":", "title:", "{", "}", "+",
            "'",
            "''", ";", "--", "\0", "\u{1}", "\u{301}", "\u{1f468}\u{200d}\u{1f469}", "quick", "\\", "%", "_", "\n", " ",
            "\u{feff}", "\u{202e}", String(repeating: "a", count: 1_000), "\u{2}", "x'00'", "$", "?", "?1",
        ]
        try await withArticles(kind) { repository async throws in
            var random = SeededGenerator(seed: UInt64(seed))
            for _ in 0..<60 {
                let count = Int.random(in: 1...12, using: &random)
                let text = (0..<count).map { _ in pieces[Int.random(in: 0..<pieces.count, using: &random)] }
                    .joined(separator: Bool.random(using: &random) ? " " : "")
                for search in [WordSearch.words, .prefix] {
                    do {
                        let found = try await ids(repository, Article.where(.matches(text, search)))
                        #expect(found.count <= Self.articles.count)
                        _ = try await repository.fetch(Article.matching(text, search)).value()
                    } catch let error as RepositoryError {
                        #expect(error.isTooBig && text.utf8.count > 4_096, "\(error)")
                    }
                }
            }
            await expectFailure(\.isTooBig) {
                try await repository.count(Article.where(.matches(String(repeating: "a ", count: 65)))).value()
            }
            _ = try await repository.count(Article.where(.matches(String(repeating: "a ", count: 64)))).value()
            // A text without spaces has as many words as it has pieces.
            await expectFailure(\.isTooBig) {
                try await repository.count(Article.where(.matches(String(repeating: "a-", count: 65)))).value()
            }
        }
    }

    @Test(
        "A text of 4,096 bytes is searched for, and one of more is too big", arguments: [StoreKind.memory, .postgres])
    func longTexts(kind: StoreKind) async throws {
        try await withArticles(kind) { repository async throws in
            let most = "quick" + String(repeating: " ", count: 4_091)
            #expect(try await ids(repository, Article.where(.matches(most))) == "ab")
            await expectFailure(\.isTooBig) { try await repository.count(Article.where(.matches(most + " "))).value() }
        }
    }

    @Test("An entity that declares no search is refused", arguments: [StoreKind.memory, .postgres])
    func undeclared(kind: StoreKind) async throws {
        try await withLeague(kind) { repository, _ async throws in
            await expectFailure(\.isMisuse) { try await repository.fetch(Club.where(.matches("x"))).value() }
            await expectFailure(\.isMisuse) { try await repository.fetch(Club.matching("x")).value() }
        }
    }
}
