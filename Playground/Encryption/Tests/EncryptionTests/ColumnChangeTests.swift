import Foundation
import SignalRepository
import SignalRepositoryCrypto
import Testing

extension ColumnTests {
    // A part of the same serialized suite, because it changes the same keys.
    @Suite("When a model changes") struct Changes {
        private static let cards = (1...20).map {
            Card(id: $0, title: "Card", secret: "\(Note.marker) \($0)", pin: $0 == 1 ? nil : "\($0)")
        }

        private func filled(_ folder: Folder) async throws {
            Card.keys.use(try key(1))
            let repository = try SQLiteRepository(.file(folder.file()), entities: Card.self)
            try await repository.insert(Self.cards).value()
            await repository.closed()
        }

        private func mismatch<Item: Entity>(_ type: Item.Type, _ folder: Folder) -> String {
            do throws(RepositoryError) {
                _ = try SQLiteRepository(.file(folder.file()), entities: Item.self)
                return "it was opened"
            } catch {
                guard case .schemaMismatch(let detail) = error else { return "\(error)" }
                return detail
            }
        }

        @Test("A migration encrypts a column, and after a vacuum none of it can be read")
        func encrypting() async throws {
            Card.keys.use(try key(1))
            let folder = try Folder()
            let open = try SQLiteRepository(.file(folder.file()), entities: OpenCard.self)
            try await open.insert(
                Self.cards.map { OpenCard(id: $0.id, title: $0.title, secret: $0.secret, pin: $0.pin) }
            ).value()
            await open.closed()
            #expect(mismatch(Card.self, folder).contains("Card.secret is declared as BLOB and stored as TEXT"))
            let step = Migration("secrets are encrypted") { store in
                try store.changeColumn(\Card.secret, from: String.self) { $0 }
                try store.changeColumn(\Card.pin, from: String?.self) { $0 }
            }
            let hidden = try SQLiteRepository(.file(folder.file()), entities: Card.self, migrations: [step])
            #expect(try await hidden.fetch(Card.all.sorted(by: \.id)).value() == Self.cards)
            try await hidden.vacuum().value()
            await hidden.closed()
            #expect(try folder.files(in: Note.marker) == [])
            let again = try SQLiteRepository(.file(folder.file()), entities: Card.self, migrations: [step])
            #expect(try await again.fetch(Card.all.sorted(by: \.id)).value() == Self.cards)
            await again.closed()
        }

        @Test("An encrypted column is not opened as bytes, nor a column of bytes as encrypted")
        func bytes() async throws {
            let folder = try Folder()
            try await filled(folder)
            #expect(
                mismatch(ByteCard.self, folder).contains(
                    "Card.secret is declared as bytes and stored as values encrypted as Card.secret: no value could"))
            let other = try Folder()
            let open = try SQLiteRepository(.file(other.file()), entities: ByteCard.self)
            try await open.create(ByteCard(id: 1, title: "", secret: Data("abc".utf8))).value()
            await open.closed()
            #expect(mismatch(Card.self, other).contains("changeColumn(\\Card.secret, from: Data.self)"))
            let step = Migration("secrets are encrypted") { store in
                try store.changeColumn(\Card.secret, from: Data.self) { String(decoding: $0, as: UTF8.self) }
                try store.changeColumn(\Card.pin, from: Data?.self) { $0.map { String(decoding: $0, as: UTF8.self) } }
            }
            let hidden = try SQLiteRepository(.file(other.file()), entities: Card.self, migrations: [step])
            #expect(try await hidden.fetch(Card.all).value() == [Card(id: 1, title: "", secret: "abc")])
            await hidden.closed()
        }

        @Test("A renamed column is opened if it states its earlier name")
        func renaming() async throws {
            let folder = try Folder()
            try await filled(folder)
            let step = Migration("secret is hidden") { store in
                try store.renameColumn("secret", to: "hidden", of: "Card")
            }
            let refused = #expect(throws: RepositoryError.self) {
                try SQLiteRepository(.file(folder.file()), entities: Renamed<Unbound>.self, migrations: [step])
            }
            #expect("\(String(describing: refused))".contains("boundTo"))
            let opened = try SQLiteRepository(
                .file(folder.file()), entities: Renamed<Rebound>.self, migrations: [step])
            let read = try await opened.fetch(Renamed<Rebound>.all.sorted(by: \.id)).value()
            #expect(read.map(\.hidden) == Self.cards.map(\.secret))
            await opened.closed()
        }

        @Test("The history undoes changes, and a copy of the file can be read")
        func history() async throws {
            Card.keys.use(try key(1))
            let folder = try Folder()
            let repository = try SQLiteRepository(
                .file(folder.file()), entities: Card.self,
                configuration: RepositoryConfiguration(history: .kept(for: .seconds(1_000), isUndoable: true)))
            try await repository.insert(Self.cards).value()
            try await repository.update(Card.self, set: [.set(\.secret, to: "\(Note.marker) other")]) { _ in .true }
                .value()
            try await repository.delete(Card.self) { $0.id > 10 }.value()
            #expect(try folder.files(in: Note.marker) == [])
            _ = try await repository.undo().value()
            _ = try await repository.undo().value()
            #expect(try await repository.fetch(Card.all.sorted(by: \.id)).value() == Self.cards)
            _ = try await repository.backup(to: folder.file("copy")).last().value()
            await repository.closed()
            let copy = try SQLiteRepository(
                .file(folder.file("copy")), entities: Card.self,
                configuration: RepositoryConfiguration(
                    access: .readOnly, history: .kept(for: .seconds(1_000), isUndoable: true)))
            #expect(try await copy.fetch(Card.all.sorted(by: \.id)).value() == Self.cards)
            await copy.closed()
            #expect(try folder.files(in: Note.marker) == [])
        }
    }
}
