import Foundation
import SignalRepository
import Signals
import Testing

@Suite("R12 The broken reference of an error", .timeLimit(.minutes(10))) struct BrokenReferenceTests {
    private func withStudios(_ kind: StoreKind, _ body: (any Repository) async throws -> Void) async throws {
        try await withRepository(kind, [Studio.self, Picture.self, Critique.self]) { repository in
            try await repository.insert((1...3).map { Studio(id: $0) }).value()
            try await repository.insert([
                Picture(id: 1, studio: 1, remakes: nil), Picture(id: 2, studio: 2, remakes: 1),
            ]).value()
            try await repository.create(Critique(id: 1, picture: 2, rival: 3)).value()
            try await body(repository)
        }
    }

    private func expect<Value>(
        _ columns: [String], sourceLocation: SourceLocation = #_sourceLocation, _ body: () async throws -> Value
    ) async {
        await expectFailure(
            { error in
                guard case .constraint(.foreignKey, columns, _, _) = error else { return false }
                return true
            }, sourceLocation: sourceLocation, body)
    }

    @Test("R12 a reference that points to no item is named by its column", arguments: StoreKind.allCases)
    func outgoing(kind: StoreKind) async throws {
        try await withStudios(kind) { repository async throws in
            await expect(["studio"]) { try await repository.create(Picture(id: 9, studio: 9, remakes: 1)).value() }
            await expect(["remakes"]) { try await repository.create(Picture(id: 9, studio: 1, remakes: 8)).value() }
            // An item's reference to itself is valid once the item is stored.
            await expect(["studio"]) { try await repository.create(Picture(id: 9, studio: 9, remakes: 9)).value() }
            await expect(["remakes"]) { try await repository.upsert(Picture(id: 1, studio: 1, remakes: 8)).value() }
            await expect(["studio"]) { try await repository.update(Picture(id: 1, studio: 9, remakes: nil)).value() }
            await expect(["rival"]) { try await repository.insert([Critique(id: 2, picture: 1, rival: 9)]).value() }
            await expect(["picture"]) {
                try await repository.update(Critique.self, set: [.set(\.picture, to: 9)]) { $0.id == 1 }.value()
            }
            let report = try await repository.create([Picture(id: 9, studio: 9, remakes: nil)]).value()
            await expect(["studio"]) { throw try #require(report.failed.first?.error) }
            try await repository.create(Picture(id: 5, studio: 3, remakes: 5)).value()
        }
    }

    @Test("R12 a reference that forbids a deletion is named by its entity and column", arguments: StoreKind.allCases)
    func incoming(kind: StoreKind) async throws {
        try await withStudios(kind) { repository async throws in
            await expect(["remakes"]) { try await repository.delete(Picture.self, id: 1).value() }
            await expect(["Critique.picture"]) { try await repository.delete(Picture.self, id: 2).value() }
            await expect(["Critique.rival"]) { try await repository.delete(Studio.self, id: 3).value() }
            await expect(["Critique.rival"]) {
                try await repository.delete(Studio.self) { $0.id.isIn([3]) }.value()
            }
            // The deletion would cascade to a picture, to which a critique refers.
            await expect(["Critique.picture"]) { try await repository.delete(Studio.self, id: 2).value() }
            await expect(["Critique.rival"]) {
                try await repository.update(Studio.self, set: [.set(\.id, to: 30)]) { $0.id == 3 }.value()
            }
            #expect(try await repository.count(Studio.self).value() == 3)
        }
    }

    @Test("R12 for a raw statement the reference is named if only one is possible")
    func ownStatements() async throws {
        try await withStudios(.memory) { repository async throws in
            await expect(["Late.picture"]) {
                try await repository.transaction { store in
                    try store.execute("CREATE TABLE Late (picture INTEGER REFERENCES Picture) STRICT")
                    try store.execute("INSERT INTO Late VALUES (77)")
                }.value()
            }
            await expect([]) {
                try await repository.transaction { try $0.execute("INSERT INTO Critique VALUES (7, 1, 9)") }.value()
            }
        }
    }

    @Test(
        "R12 a deferred reference is named by the error of the commit",
        arguments: StoreKind.allCases)
    func deferred(kind: StoreKind) async throws {
        try await withStudios(kind) { repository async throws in
            await expect(["Late.picture"]) {
                try await repository.transaction { store in
                    if kind == .postgres {
                        // PostgreSQL reports only the constraint's name, so the name has the library's pattern.
                        try store.execute(
                            #"""
                            CREATE TABLE "Late" (picture bigint CONSTRAINT "reference_Late(picture)" \#
                            REFERENCES "Picture" DEFERRABLE INITIALLY DEFERRED)
                            """#)
                    } else {
                        try store.execute(
                            #"""
                            CREATE TABLE "Late" (picture INTEGER REFERENCES Picture DEFERRABLE INITIALLY DEFERRED) \#
                            STRICT
                            """#)
                    }
                    try store.execute(#"INSERT INTO "Late" VALUES (77)"#)
                }.value()
            }
        }
    }
}

private struct Studio: Entity {
    var id: Int
    static let schema = Schema(Column("id", \Studio.id), make: Studio.init)
}

private struct Picture: Entity {
    let id: Int
    var studio: Int
    var remakes: Int?
    static let schema = Schema(
        Column("id", \Picture.id), Column("studio", \.studio, .references(Studio.self, onDelete: .cascade)),
        Column("remakes", \.remakes, .references(Picture.self)), make: Picture.init)
}

private struct Critique: Entity {
    let id: Int
    var picture: Int
    var rival: Int
    static let schema = Schema(
        Column("id", \Critique.id), Column("picture", \.picture, .references(Picture.self)),
        Column("rival", \.rival, .references(Studio.self)), make: Critique.init)
}
