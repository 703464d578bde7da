import Foundation
import Signals
import Testing

@testable import RepositoryCore
@testable import SignalRepository

/// The error for a program with a renamed property.
@Suite("N3 A renamed property", .timeLimit(.minutes(10))) struct ColumnRenamesTests {
    @Test("N3 The proposed step keeps the values", arguments: StoreKind.kept)
    func renamed(kind: StoreKind) async throws {
        let place = try await stored(kind)
        let detail = try place.mismatch([Writer.Book.self])
        let step = "{ store in try store.renameColumn(\"author\", to: \"writer\", of: \"Book\") }"
        #expect(
            detail.contains(
                "Book.writer is not in the \(kind == .file ? "file" : "schema"), and author of the same type is"))
        #expect(detail.contains(": register Migration(\"…\") \(step) (if Book.writer is another property: "))
        #expect(detail.hasSuffix("try store.addColumn(\\Book.writer, value: …))"), "\(detail)")
        let rename = Migration("r") { store in try store.renameColumn("author", to: "writer", of: "Book") }
        let books = try await place.with([Writer.Book.self], [rename]) { try await $0.fetch(Writer.Book.all).value() }
        #expect(books.map(\.writer) == ["Ann"])
    }

    @Test("N3 For an optional property, the rename is proposed before the drop", arguments: StoreKind.kept)
    func optional(kind: StoreKind) async throws {
        let place = try await stored(kind)
        let detail = try place.mismatch([Maybe.Book.self])
        let rename = "try store.renameColumn(\"author\", to: \"writer\", of: \"Book\")"
        let drop = "dropping: [.column(\"author\", of: Book.self)]"
        #expect(detail.hasPrefix("Book.author is no longer declared and holds 1 value: to keep its values"))
        let (first, second) = (detail.range(of: rename), detail.range(of: drop))
        #expect(try #require(first).upperBound < #require(second).lowerBound, "\(detail)")
    }

    @Test("N3 If a column was added instead, the rename is still proposed before the drop", arguments: StoreKind.kept)
    func addedInstead(kind: StoreKind) async throws {
        let place = try await stored(kind)
        let add = Migration("a") { store in try store.addColumn(\Writer.Book.writer, value: "") }
        guard case .schemaMismatch(let detail) = try place.refusal([Writer.Book.self], [add]) else {
            return #expect(Bool(false))
        }
        #expect(detail.contains("renameColumn(\"author\", to: \"…\", of: \"Book\")"), "\(detail)")
        #expect(detail.hasSuffix("to delete it, open the store with dropping: [.column(\"author\", of: Book.self)]"))
    }

    @Test("N3 Several possible names leave a gap in the step; other types do not count", arguments: StoreKind.kept)
    func several(kind: StoreKind) async throws {
        let place = try await stored(kind)
        let two = try place.mismatch([Two.Book.self])
        #expect(two.contains("{ store in try store.renameColumn(\"author\", to: \"…\", of: \"Book\") } (if "), "\(two)")
        #expect(two.contains("if Book.writer is another") && two.contains("if Book.editor is another"), "\(two)")
        let one = try place.mismatch([Gap.Book.self])
        #expect(one.contains("title, author of the same type are no longer declared"), "\(one)")
        #expect(one.contains("try store.renameColumn(\"…\", to: \"writer\", of: \"Book\")"), "\(one)")
        let none = try place.mismatch([Number.Book.self])
        #expect(!none.contains("rename") && none.contains("try store.addColumn(\\Book.writer, value: …)"), "\(none)")
    }

    private func stored(_ kind: StoreKind) async throws -> StorePlace {
        let place = try StorePlace(kind)
        try await place.with([Book.self]) { repository in
            try await repository.create(Book(id: 1, title: "Emma", author: "Ann")).value()
        }
        return place
    }
}

private struct Book: Entity {
    let id: Int
    var title: String
    var author: String
    static let schema = Schema(
        Column("id", \Book.id), Column("title", \.title), Column("author", \.author), make: Book.init)
}

private enum Writer {
    struct Book: Entity {
        let id: Int
        var title: String
        var writer: String
        static let schema = Schema(
            Column("id", \Book.id), Column("title", \.title), Column("writer", \.writer), make: Book.init)
    }
}

private enum Maybe {
    struct Book: Entity {
        let id: Int
        var title: String
        var writer: String?
        static let schema = Schema(
            Column("id", \Book.id), Column("title", \.title), Column("writer", \.writer), make: Book.init)
    }
}

private enum Two {
    struct Book: Entity {
        let id: Int
        var title: String
        var writer: String
        var editor: String
        static let schema = Schema(
            Column("id", \Book.id), Column("title", \.title), Column("writer", \.writer), Column("editor", \.editor),
            make: Book.init)
    }
}

private enum Gap {
    struct Book: Entity {
        let id: Int
        var writer: String
        static let schema = Schema(Column("id", \Book.id), Column("writer", \.writer), make: Book.init)
    }
}

private enum Number {
    struct Book: Entity {
        let id: Int
        var title: String
        var writer: Int
        static let schema = Schema(
            Column("id", \Book.id), Column("title", \.title), Column("writer", \.writer), make: Book.init)
    }
}
