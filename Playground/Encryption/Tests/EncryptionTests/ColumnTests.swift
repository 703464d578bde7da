import Crypto
import Foundation
import SignalRepository
import SignalRepositoryCrypto
import Testing

// The tests run one after another, because they change the keys of a schema.
@Suite("Encrypted columns", .serialized) struct ColumnTests {
    private static func card(_ id: Int, _ secret: String = Note.marker, pin: String? = nil) -> Card {
        Card(id: id, title: "Card \(id)", secret: secret, pin: pin)
    }

    /// The bytes that are stored in a column of a card.
    private func bytes(_ repository: SQLiteRepository, _ column: String = "secret", of id: Int = 1) async throws -> Data
    {
        let rows = try await repository.rows("SELECT \(identifier: column) FROM Card WHERE id = \(id)", as: Data.self)
            .value()
        return try #require(rows.first)
    }

    private func put(
        _ bytes: Data, _ repository: SQLiteRepository, in column: String = "secret", of id: Int = 1
    ) async throws {
        try await repository.transaction { store in
            try store.execute("UPDATE Card SET \(identifier: column) = \(bytes) WHERE id = \(id)")
        }.value()
    }

    /// Why a card cannot be read; `nil` if it can.
    private func fault(_ repository: SQLiteRepository, of id: Int = 1) async -> String? {
        do throws(RepositoryError) {
            _ = try await repository.read(Card.self, id: id).value()
            return nil
        } catch {
            guard case .decoding("Card", let column, let detail, FailedItem(entity: "Card", id: "\(id)")?) = error
            else { return "\(error)" }
            #expect(!"\(error)".contains(Note.marker))
            return "\(column): \(detail)"
        }
    }

    @Test("Every value is read as it was written, of one, two and a thousand items", arguments: [1, 2, 1_000])
    func zoo(count: Int) async throws {
        Zoo.keys.use(try key(1))
        let folder = try Folder()
        let items = (0..<count).map(Zoo.numbered)
        let repository = try SQLiteRepository(.file(folder.file()), entities: Zoo.self)
        try await repository.insert(items).value()
        let read = try await repository.fetch(Zoo.all.sorted(by: \.id)).value()
        #expect(zip(read, items).allSatisfy { $0.isSame(as: $1) } && read.count == count)
        await repository.closed()
        let again = try SQLiteRepository(
            .file(folder.file()), entities: Zoo.self, configuration: RepositoryConfiguration(access: .readOnly))
        #expect(try await again.fetch(Zoo.all.sorted(by: \.id)).value() == items)
        let selected = try await again.fetch(Zoo.all.sorted(by: \.id).select { ($0.text, $0.note, $0.price) }).value()
        #expect(selected.elementsEqual(items) { $0 == ($1.text, $1.note, $1.price) })
        await again.closed()
    }

    @Test("NaN and a number with too many decimal places cannot be stored, and no error shows them")
    func refusedValues() async throws {
        Zoo.keys.use(try key(1))
        let repository = try SQLiteRepository(.inMemory, entities: Zoo.self)
        var odd = Zoo.numbered(1)
        odd.price = Decimal(98_765_432) / 10_000
        for change in [Assignment<Zoo>.set(\.real, to: .nan), .set(\.price, to: odd.price)] {
            await #expect { try await repository.update(Zoo.self, set: [change]) { _ in .true }.value() } throws: {
                error in
                guard case RepositoryError.encoding("Zoo", _, _, _) = error else { return false }
                return !"\(error)".contains("98")
            }
        }
        await #expect { try await repository.create(odd).value() } throws: { error in
            guard case RepositoryError.encoding("Zoo", "price", _, _) = error else { return false }
            return !"\(error)".contains("98")
        }
        await repository.closed()
    }

    @Test("None of it can be read in any file of the store, open or closed; unencrypted, all of it can")
    func unreadable() async throws {
        Card.keys.use(try key(1))
        let cards = (0..<500).map { Self.card($0, "\(Note.marker) \($0)", pin: "\(Note.marker)") }
        let folders = [try Folder(), try Folder()]
        let hidden = try SQLiteRepository(.file(folders[0].file()), entities: Card.self)
        let open = try SQLiteRepository(.file(folders[1].file()), entities: OpenCard.self)
        try await hidden.insert(cards).value()
        try await open.insert(
            cards.map { OpenCard(id: $0.id, title: $0.title, secret: $0.secret, pin: $0.pin) }
        ).value()
        try await hidden.update(Card.self, set: [.set(\.secret, to: "\(Note.marker) again")]) { $0.id < 100 }.value()
        try await hidden.delete(Card.self) { $0.id == 400 }.value()
        for isOpen in [true, false] {
            if !isOpen {
                await hidden.closed()
                await open.closed()
            }
            #expect(try folders[0].files(in: Note.marker) == [])
            #expect(try !folders[0].files(in: "Card 1").isEmpty)
            #expect(try !folders[1].files(in: Note.marker).isEmpty)
        }
    }

    @Test("Equal values are stored as different bytes of the same length")
    func nonces() async throws {
        Card.keys.use(try key(1))
        let repository = try SQLiteRepository(.inMemory, entities: Card.self)
        try await repository.insert((0..<1_000).map { Self.card($0, "same") }).value()
        let stored = try await repository.rows("SELECT secret FROM Card", as: Data.self).value()
        #expect(Set(stored).count == 1_000 && Set(stored.map(\.count)) == [39])
        await repository.closed()
    }

    @Test("A changed byte at any position, a missing byte and an extra byte are detected")
    func changed() async throws {
        Card.keys.use(try key(1))
        let repository = try SQLiteRepository(.inMemory, entities: Card.self)
        try await repository.create(Self.card(1)).value()
        let whole = try await bytes(repository)
        for index in whole.indices {
            for bit in [UInt8(1), 0x80] {
                var other = whole
                other[index] ^= bit
                try await put(other, repository)
                let fault = await fault(repository)
                #expect(fault?.hasPrefix("secret: ") == true, "\(index): \(fault ?? "")")
            }
        }
        for other in [whole.dropLast(), whole + [0], whole.prefix(5), whole.prefix(1), Data()] {
            try await put(other, repository)
            #expect(await fault(repository)?.hasPrefix("secret: ") == true)
        }
        try await repository.create(Self.card(2)).value()
        let lenient = try await repository.fetch(Card.all.lenient).value()
        #expect(lenient.success == [Self.card(2)] && lenient.failed.count == 1)
        try await put(whole, repository)
        #expect(await fault(repository) == nil)
        await repository.closed()
    }

    @Test("Bytes of another column are detected; bytes of another item of the column are not")
    func moved() async throws {
        Card.keys.use(try key(1))
        let repository = try SQLiteRepository(.inMemory, entities: Card.self)
        try await repository.insert([Self.card(1, "one", pin: "a"), Self.card(2, "two", pin: "b")]).value()
        try await put(bytes(repository, "pin"), repository)
        #expect(
            await fault(repository) == "secret: it was changed after it was encrypted, or belongs to another column")
        try await put(bytes(repository, of: 2), repository)
        #expect(try await repository.read(Card.self, id: 1).value().secret == "two")
        await repository.closed()
    }

    @Test("Without the right key nothing can be read, and without any key only nil can be written")
    func wrongKey() async throws {
        Card.keys.use(try key(1))
        let repository = try SQLiteRepository(.inMemory, entities: Card.self)
        try await repository.create(Self.card(1, pin: "0000")).value()
        Card.keys.use(try key(2), try key(3))
        #expect(await fault(repository) == "secret: it is encrypted with a key that is not available")
        Card.keys.use()
        #expect(await fault(repository) == "secret: it is encrypted with a key that is not available")
        await #expect { try await repository.create(Self.card(2)).value() } throws: { error in
            guard case RepositoryError.encoding("Card", "secret", let detail, _) = error else { return false }
            return detail == "there is no key to encrypt it with"
        }
        try await repository.update(Card.self, set: [.set(\.pin, to: nil)]) { $0.pin != nil }.value()
        #expect(try await repository.count(Card.self) { $0.pin == nil }.value() == 1)
        Card.keys.use(try key(1))
        #expect(try await repository.read(Card.self, id: 1).value() == Self.card(1))
        await repository.closed()
    }

    @Test("Values of earlier keys are read, and encrypted with the new one when they are written")
    func rotation() async throws {
        let folder = try Folder()
        let repository = try open(folder.file(), with: [UInt8](repeating: 1, count: 32))
        let patients = (0..<1_000).map { number in
            Patient(
                id: UUID(), name: "\(number)", ssn: number.isMultiple(of: 3) ? nil : "123-\(number)",
                balance: Decimal(number) / 100, notes: ["a"])
        }
        try await repository.insert(patients).value()
        let live = repository.fetchSubscription(Patient.all.sorted(by: \.name)).values
        var iterator = live.makeAsyncIterator()
        let before = try #require(try await iterator.next())
        try await turn(repository, to: key(2), from: key(1))
        // Only the new key is available now.
        let after = try await repository.fetch(Patient.all.sorted(by: \.name)).value()
        #expect(after == before && Set(after.map(\.id)) == Set(patients.map(\.id)))
        let ids = try await repository.rows("SELECT DISTINCT substr(ssn, 2, 4) FROM Patient", as: Data?.self).value()
        #expect(Set(ids).count == 2)
        // The encryption with the new key delivered nothing.
        try await repository.update(Patient.self, set: [.set(\.ssn, to: "new")]) { $0.name == "0" }.value()
        #expect(try await iterator.next()?.first?.ssn == "new")
        await repository.closed()
    }

    @Test("A key has 32 bytes, in whatever type they are given, and appears in no text")
    func silentKey() async throws {
        for count in [0, 16, 31, 33, 64] {
            #expect(
                throws: RepositoryError.misuse(
                    detail: "the key of a column has \(count) bytes; it must have 32")
            ) { try ColumnKey([UInt8](repeating: 1, count: count)) }
        }
        let secret = Array("0123456789abcdef0123456789ABCDEF".utf8)
        Card.keys.use(try ColumnKey(SymmetricKey(data: secret)))
        let heard = Texts()
        var configuration = RepositoryConfiguration()
        configuration.statementLog = StatementLog { report in heard.add("\(report)") }
        let repository = try SQLiteRepository(.inMemory, entities: Card.self, configuration: configuration)
        try await repository.create(Self.card(1)).value()
        // The same key, from another type.
        Card.keys.use(try ColumnKey(Data(secret)))
        #expect(await fault(repository) == nil)
        // Another key.
        let key = try ColumnKey(SymmetricKey(size: .bits256))
        Card.keys.use(key)
        #expect(await fault(repository) != nil)
        let one = try ColumnKey(secret)
        Card.keys.use(one)
        #expect(await fault(repository) == nil)
        var texts = ["\(one)", String(reflecting: one), "\([one])", "\(Card.keys)", String(reflecting: Card.keys)]
        for value in [one, Card.keys, Card.schema, Column("secret", encrypted: \Card.secret, with: Card.keys)] as [Any]
        {
            var dumped = ""
            dump(value, to: &dumped)
            texts.append(dumped)
        }
        #expect(Mirror(reflecting: one).children.isEmpty && Mirror(reflecting: Card.keys).children.isEmpty)
        Card.keys.use(key)
        texts += [await fault(repository) ?? "", heard.all.joined()]
        for text in texts {
            #expect(!text.contains("0123") && !text.contains("48, 49, 50"), "\(text)")
            #expect(!text.contains(Note.marker))
        }
        await repository.closed()
    }

    @Test("A number that was stored with another scale is read as it was")
    func places() async throws {
        Zoo.keys.use(try key(1))
        struct Price<Places: PlaceCount>: Entity, Equatable {
            static var entityName: String { "Price" }
            let id: Int
            var amount: Decimal
            static var schema: Schema<Price> {
                Schema(
                    Column("id", \Price.id),
                    Column("amount", encrypted: \.amount, with: Zoo.keys, .scale(Places.count)), make: Price.init)
            }
        }
        let folder = try Folder()
        let amount = Decimal(12_345) / 100
        let two = try SQLiteRepository(.file(folder.file()), entities: Price<Two>.self)
        try await two.create(Price<Two>(id: 1, amount: amount)).value()
        await two.closed()
        let four = try SQLiteRepository(.file(folder.file()), entities: Price<Four>.self)
        #expect(try await four.read(Price<Four>.self, id: 1).value().amount == amount)
        await four.closed()
    }

    @Test("A vector has the declared number of components before it is encrypted")
    func vectors() async throws {
        Sealed.keys.use(try key(1))
        let repository = try SQLiteRepository(.inMemory, entities: Sealed.self)
        let items = [
            Sealed(id: 1, long: Vector((0..<300).map(Float.init)), short: nil),
            Sealed(id: 2, long: Vector((0..<300).map { -Float($0) }), short: [1, 2]),
        ]
        try await repository.insert(items).value()
        #expect(try await repository.fetch(Sealed.all).value() == items)
        await #expect(throws: RepositoryError.self) {
            try await repository.create(Sealed(id: 3, long: [1], short: nil)).value()
        }
        await #expect(throws: RepositoryError.self) {
            try await repository.fetch(Sealed.all.sorted { $0.short.distance(to: [1, 2], .dot) }).value()
        }
        #expect(try await repository.count(Sealed.self).value() == 2)
        await repository.closed()
    }

    struct Sealed: Entity, Equatable {
        static let keys = ColumnKeys()
        let id: Int
        var long: Vector
        var short: Vector?
        static let schema = Schema(
            Column("id", \Sealed.id), Column("long", encrypted: \.long, with: keys, .dimensions(300)),
            Column("short", encrypted: \.short, with: keys, .dimensions(2)), make: Sealed.init)
    }
}

protocol PlaceCount: SendableMetatype { static var count: Int { get } }
enum Two: PlaceCount { static let count = 2 }
enum Four: PlaceCount { static let count = 4 }
