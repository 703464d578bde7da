import Foundation
import Testing

@testable import RepositoryCore
@testable import SignalRepository

@Suite("Declarations of opaque columns") struct OpaqueSchemaTests {
    /// Expects that no store opens with an entity, and that the error says what the column cannot be.
    private func expectRefusal<Item: Entity>(_ type: Item.Type, _ word: String) async throws {
        for kind in StoreKind.allCases {
            try await withStore(kind) { store in
                do {
                    await closed(try store.open([Item.self]))
                    Issue.record("\(Item.self) was opened.")
                } catch {
                    #expect(
                        error as? RepositoryError
                            == .misuse(
                                detail: "Vault.code is encrypted, differently each time: it cannot be \(word)"))
                }
            }
        }
    }

    @Test("An opaque column cannot be a key, a reference, unique, indexed or managed, or have a default")
    func options() async throws {
        struct Keyed: Vaulted {
            let id: Int
            let code: String
            static let schema = Schema(Column("code", veiled: \Keyed.id), make: { Keyed(id: $0, code: "") })
        }
        try await expectRefusal(Keyed.self, "the key")
        struct Indexed: Vaulted {
            let id: Int
            let code: String
            static let schema = Schema(
                Column("id", \Indexed.id), Column("code", veiled: \.code, .indexed), make: Indexed.init)
        }
        try await expectRefusal(Indexed.self, ".indexed")
        struct Unique: Vaulted {
            let id: Int
            let code: String
            static let schema = Schema(
                Column("id", \Unique.id), Column("code", veiled: \.code, .unique), make: Unique.init)
        }
        try await expectRefusal(Unique.self, ".unique")
        struct Default: Vaulted {
            let id: Int
            let code: String
            static let schema = Schema(
                Column("id", \Default.id), Column("code", veiled: \.code, .default("")), make: Default.init)
        }
        try await expectRefusal(Default.self, "given a default")
        struct Dated: Vaulted {
            let id: Int
            let code: Date
            static let schema = Schema(
                Column("id", \Dated.id), Column("code", veiled: \.code, .updated), make: Dated.init)
        }
        try await expectRefusal(Dated.self, "managed by the store")
        struct Referring: Vaulted {
            let id: Int
            let code: Int
            static let schema = Schema(
                Column("id", \Referring.id), Column("code", veiled: \.code, .references(Referring.self)),
                make: Referring.init)
        }
        try await expectRefusal(Referring.self, "a reference")
    }

    @Test("An opaque column cannot be in unique:, indexed:, search:, clauses: or key:")
    func sets() async throws {
        struct Unique: Vaulted {
            let id: Int
            let code: String
            static let schema = Schema(
                Column("id", \Unique.id), Column("code", veiled: \.code), unique: [[\.id, \.code]], make: Unique.init)
        }
        try await expectRefusal(Unique.self, "in unique:")
        struct Indexed: Vaulted {
            let id: Int
            let code: String
            static let schema = Schema(
                Column("id", \Indexed.id), Column("code", veiled: \.code), indexed: [[\.code]], make: Indexed.init)
        }
        try await expectRefusal(Indexed.self, "in indexed:")
        struct Searched: Vaulted {
            let id: Int
            let code: String
            static let schema = Schema(
                Column("id", \Searched.id), Column("code", veiled: \.code), search: [\.code], make: Searched.init)
        }
        try await expectRefusal(Searched.self, "in search:")
        struct Clause: Vaulted {
            let id: Int
            let code: String
            static let schema = Schema(
                Column("id", \Clause.id), Column("code", veiled: \.code),
                clauses: [.index("code", [\.code]) { $0.id > 0 }], make: Clause.init)
        }
        try await expectRefusal(Clause.self, "in clauses:")
        struct Composite: Vaulted {
            let number: Int
            let code: String
            var id: CompositeKey<Int, String> { CompositeKey(number, code) }
            static let schema = Schema(
                Column("number", \Composite.number), Column("code", veiled: \.code), key: [\.number, \.code],
                make: Composite.init)
        }
        try await expectRefusal(Composite.self, "the key")
    }

    @Test(
        "Swapped columns and values that do not come back are detected, as in other columns",
        arguments: StoreKind.allCases)
    func proof(kind: StoreKind) async throws {
        struct Names: Entity, Equatable {
            let id: Int
            var first: String
            var last: String
            static let schema = Schema(
                Column("id", \Names.id), Column("first", veiled: \.first), Column("last", veiled: \.last),
                make: { Names(id: $0, first: $2, last: $1) })
        }
        struct Constant: Entity, Equatable {
            let id: Int
            var text: String
            static let schema = Schema(
                Column("id", \Constant.id), Column("text", veiled: \.text),
                make: { id, _ in Constant(id: id, text: "a") })
        }
        try await withRepository(kind, [Names.self, Constant.self]) { repository in
            try await repository.create(Names(id: 1, first: "a", last: "a")).value()
            await expectFailure({ "\($0)".contains("Names.first comes back with the value of Names.last") }) {
                try await repository.create(Names(id: 2, first: "a", last: "b")).value()
            }
            try await repository.create(Constant(id: 1, text: "a")).value()
            await expectFailure({ "\($0)".contains("Constant.text does not come back as it was stored") }) {
                try await repository.create(Constant(id: 2, text: "b")).value()
            }
            #expect(try await repository.count(Names.self).value() == 1)
        }
    }

    @Test("A store remembers the name to which a column's encryption is bound", arguments: StoreKind.kept)
    func meaning(kind: StoreKind) async throws {
        struct Old: Vaulted, Equatable {
            let id: Int
            var code: String
            static let schema = Schema(Column("id", \Old.id), Column("code", veiled: \.code), make: Old.init)
        }
        struct Other: Vaulted {
            let id: Int
            var code: String
            static let schema = Schema(
                Column("id", \Other.id), Column("code", veiled: \.code, as: "Vault.word %/*"), make: Other.init)
        }
        struct Bytes: Vaulted {
            let id: Int
            var code: Data
            static let schema = Schema(Column("id", \Bytes.id), Column("code", \.code), make: Bytes.init)
        }
        let place = try StorePlace(kind)
        try await place.with([Old.self]) { try await $0.create(Old(id: 1, code: "a")).value() }
        for type in [Other.self, Bytes.self] as [any Entity.Type] {
            #expect(throws: RepositoryError.self) { try place.open([type]) }
        }
        let count = try await place.with([Old.self]) { try await $0.count(Old.self).value() }
        #expect(count == 1)
        let other = try StorePlace(kind)
        try await other.with([Other.self]) { _ in }
        try await other.with([Other.self]) { _ in }
        let detail = try thrown { () throws(RepositoryError) in try other.open([Old.self]) }
        #expect("\(detail)".contains("boundTo: \"Vault.word %/*\""))
        #expect(
            ColumnMeaning(comment: ColumnMeaning.encrypted(as: "a.b %/*é").comment) == .encrypted(as: "a.b %/*é"))
    }

    @Test("A migration step can encrypt a column, or add an encrypted one", arguments: StoreKind.kept)
    func steps(kind: StoreKind) async throws {
        struct Plain: Vaulted {
            let id: Int
            var code: String?
            static let schema = Schema(Column("id", \Plain.id), Column("code", \.code), make: Plain.init)
        }
        struct Hidden: Vaulted, Equatable {
            let id: Int
            var code: String?
            var pin: Int
            static let schema = Schema(
                Column("id", \Hidden.id), Column("code", veiled: \.code), Column("pin", veiled: \.pin),
                make: Hidden.init)
        }
        let place = try StorePlace(kind)
        try await place.with([Plain.self]) {
            try await $0.insert([Plain(id: 1, code: "a"), Plain(id: 2, code: nil)]).value()
        }
        let step = Migration("codes are encrypted") { store in
            try store.changeColumn(\Hidden.code, from: String?.self) { $0 }
            try store.addColumn(\Hidden.pin, value: 7)
        }
        for _ in 1...2 {
            try await place.with([Hidden.self], [step]) { repository in
                let items = try await repository.fetch(Hidden.all.sorted(by: \.id)).value()
                #expect(items == [Hidden(id: 1, code: "a", pin: 7), Hidden(id: 2, code: nil, pin: 7)])
            }
        }
    }
}

/// An entity that is stored in the table `Vault`.
private protocol Vaulted: Entity {}

extension Vaulted {
    static var entityName: String { "Vault" }
}
