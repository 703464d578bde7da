import Foundation
import SignalRepository
import Signals
import SignalsTesting
import Testing

/// The clauses of a table, in every endpoint and every store.
@Suite("Clauses", .timeLimit(.minutes(10))) struct ClausesTests {
    private static let entities: [any Entity.Type] = [Hall.self, Booking.self, Sale.self]

    private func withBookings(_ kind: StoreKind, _ body: (any Repository) async throws -> Void) async throws {
        try await withRepository(kind, Self.entities) { repository in
            let halls = [Hall(town: "Ulm", number: 1, seats: 5), Hall(town: "Bonn", number: 2, seats: 5)]
            _ = try await repository.insert(halls).value()
            try await body(repository)
        }
    }

    /// Expects a refusal by a constraint, and the name of a check if given.
    private func expectRefusal<Value>(
        _ kind: ConstraintKind, _ words: String? = nil, _ location: SourceLocation = #_sourceLocation,
        _ body: () async throws -> Value
    ) async {
        await expectFailure(
            { error in
                guard case .constraint(let found, let names, _, _) = error else { return false }
                return found == kind && (words == nil || names == [words])
            }, sourceLocation: location, body)
    }

    @Test("Every endpoint refuses an item that breaks a check, and names the check", arguments: StoreKind.allCases)
    func checks(kind: StoreKind) async throws {
        try await withBookings(kind) { repository in
            let good = try await repository.create(Booking.made(1)).value()
            var bad = Booking.made(2, seat: 0)
            let words = "a seat's number"
            await expectRefusal(.check, words) { try await repository.create(bad).value() }
            await expectRefusal(.check, words) { try await repository.insert([Booking.made(3), bad]).value() }
            await expectRefusal(.check, words) { try await repository.upsert(bad).value() }
            let some = try await repository.create([Booking.made(4), bad, Booking.made(5)]).value()
            #expect(some.success == [Booking.made(4).stored, Booking.made(5).stored])
            #expect(
                some.failed.map(\.item) == [bad]
                    && "\(some.failed[0].error)".contains(words))
            bad = good
            bad.seat = 13
            await expectRefusal(.check, words) { try await repository.update(bad).value() }
            await expectRefusal(.check, words) {
                try await repository.update(Booking.self, id: 1, set: [.set(\.seat, to: 13)]).value()
            }
            await expectRefusal(.check, "it's \"free\"? no") {
                try await repository.update(Booking.self, id: 1, set: [.set(\.price, to: -0.01)]).value()
            }
            await expectRefusal(.check, "in SQL") {
                try await repository.update(Booking.self, id: 1, set: [.set(\.fee, to: 1_000.5)]).value()
            }
            #expect(try await repository.fetch(Booking.all).value().map(\.id) == [1, 4, 5])
            #expect(try await repository.read(Booking.self, id: 1).value() == good)
        }
    }

    @Test("A check with a nil operand is false, as in Swift", arguments: StoreKind.allCases)
    func unknown(kind: StoreKind) async throws {
        struct Grade: Entity, Equatable {
            let id: Int
            var mark: Double?
            static let schema = Schema(
                Column("id", \Grade.id), Column("mark", \.mark), clauses: [.check("a mark") { $0.mark >= 1 }],
                make: Grade.init)
        }
        try await withRepository(kind, [Grade.self]) { repository in
            _ = try await repository.create(Grade(id: 1, mark: 1)).value()
            await expectRefusal(.check) { try await repository.create(Grade(id: 2, mark: nil)).value() }
            await expectRefusal(.check) { try await repository.create(Grade(id: 2, mark: 0.999)).value() }
            #expect(try await repository.count(Grade.self).value() == 1)
        }
    }

    @Test("Any text can be the value of a check", arguments: StoreKind.allCases)
    func texts(kind: StoreKind) async throws {
        struct Word: Entity, Equatable {
            let id: Int
            var text: String
            static let refused = TextZoo.texts.map(\.withoutNUL) + ["?", "'", "\"?'", "it's ? \"so\""]
            static let schema = Schema(
                Column("id", \Word.id), Column("text", \.text),
                clauses: [
                    .check("none of them") { word in .all(of: refused.dropFirst(3).map { word.text != $0 }) },
                    .check("in a list") { word in !word.text.isIn(refused.prefix(3)) },
                ], make: Word.init)
        }
        try await withRepository(kind, [Word.self]) { repository in
            for text in Word.refused {
                await expectRefusal(.check) { try await repository.create(Word(id: 1, text: text)).value() }
            }
            for (id, text) in Word.refused.enumerated() {
                let word = Word(id: id, text: text + "'")
                if Word.refused.contains(where: { $0.isStored(like: word.text) }) { continue }
                let stored = try await repository.create(word).value()
                #expect(stored.text.isStored(like: word.text))
            }
        }
    }

    @Test("A partial unique clause applies only to items that meet its condition", arguments: StoreKind.allCases)
    func partial(kind: StoreKind) async throws {
        try await withBookings(kind) { repository in
            var first = try await repository.create(Booking.made(1, seat: 5)).value()
            await expectRefusal(.unique) { try await repository.create(Booking.made(2, seat: 5)).value() }
            first.isCancelled = true
            _ = try await repository.update(first).value()
            _ = try await repository.create(Booking.made(2, seat: 5)).value()
            first.isCancelled = false
            await expectRefusal(.unique) { try await repository.update(first).value() }
            var third = Booking.made(3, seat: 5)
            third.isCancelled = true
            _ = try await repository.create(third).value()
            #expect(try await repository.count(Booking.where { $0.seat == 5 && $0.isCancelled }).value() == 2)
        }
    }

    @Test("A query with the condition of a partial index uses the index", arguments: StoreKind.local)
    func indexes(kind: StoreKind) async throws {
        try await withBookings(kind) { repository in
            _ = try await repository.insert((1...50).map { Booking.made($0) }).value()
            let plan = try await repository.explain(Booking.where { $0.price < 10 && $0.price == 9.5 }).value()
            #expect("\(plan)".contains("cheap ones"), "\(plan)")
            let steps = try await repository.rows(
                "EXPLAIN QUERY PLAN SELECT * FROM Booking WHERE fee / 2 = 1.5", as: (Int, Int, Int, String).self
            ).value()
            #expect(steps.contains { $0.3.contains("by half") })
        }
    }

    @Test("A reference of several columns is enforced, and follows its delete rule", arguments: StoreKind.allCases)
    func references(kind: StoreKind) async throws {
        try await withBookings(kind) { repository in
            var stray = Booking.made(1)
            stray.hall = 7
            await expectFailure({ error in
                guard case .constraint(.foreignKey, let columns, _, _) = error else { return false }
                return columns == ["town", "hall"]
            }) { try await repository.create(stray).value() }
            // A reference with a nil part refers to nothing.
            stray.town = nil
            _ = try await repository.create(stray).value()
            _ = try await repository.insert((2...10).map { Booking.made($0) }).value()
            try await repository.delete(Hall.self, id: CompositeKey("Bonn", 2)).value()
            #expect(try await repository.count(Booking.self).value() == 10)
            try await repository.delete(Hall.self, id: CompositeKey("Ulm", 1)).value()
            #expect(try await repository.fetch(Booking.all).value() == [stray.stored])
        }
    }

    @Test(
        "Every endpoint computes the column, whatever the item says, and queries use it like any other",
        arguments: StoreKind.allCases)
    func computed(kind: StoreKind) async throws {
        try await withBookings(kind) { repository in
            let sum = repository.sumSubscription(of: \Booking.half).record()
            let list = repository.fetchSubscription(Booking.where { $0.half > 1 }.sorted(by: \.half)).record()
            var one = try await repository.create(Booking.made(1, fee: 4)).value()
            #expect(one == Booking.made(1, fee: 4).stored && one.half == 2)
            one.fee = 6
            one.half = 1_000
            #expect(try await repository.update(one).value() == one.stored)
            one.discount = 0.5
            #expect(try await repository.upsert(one).value() == one.stored)
            let patched = try await repository.update(Booking.self, id: 1, set: [.set(\.town, to: nil)]).value()
            #expect(patched.name == "nowhere-101" && patched.half == 2.5)
            _ = try await repository.insert((2...300).map { Booking.made($0, fee: Double($0)) }).value()
            let more = try await repository.create((301...303).map { Booking.made($0, fee: 1) }).value()
            #expect(more.success.map(\.half) == [0.5, 0.5, 0.5])
            let all = try await repository.fetch(Booking.all).value()
            #expect(all.dropFirst().allSatisfy { $0 == $0.stored })
            let expected = all.reduce(0) { $0 + $1.half }
            #expect(try await repository.sum(of: \Booking.half).value() == expected)
            let least = try await repository.fetch(Booking.where { $0.half > 149 }.sorted(by: \.half)).value()
            #expect(least.map(\.id) == [299, 300])
            await sum.values { $0 == expected }
            await list.values { $0.count == all.count { $0.half > 1 } }
            #expect(sum.values.last == expected)
            let fresh = try await repository.fetch(Booking.where { $0.half > 1 }.sorted(by: \.half)).value()
            #expect(list.values.last == fresh)
            await expectFailure(\.isMisuse) {
                try await repository.update(Booking.self, id: 1, set: [.set(\.half, to: 1)]).value()
            }
            await expectFailure(\.isMisuse) {
                try await repository.update(Booking.self, set: [.set(\.name, to: "")]) { _ in .true }.value()
            }
        }
    }

    @Test(
        "A number is computed with the decimal places of its column, and a condition as a Bool",
        arguments: StoreKind.allCases)
    func places(kind: StoreKind) async throws {
        struct Bill: Entity, Equatable {
            let id: Int
            var price: Decimal
            var tax: Decimal?
            var total: Decimal = 0
            var isFree = false
            static let schema = Schema(
                Column("id", \Bill.id), Column("price", \.price, .scale(2)), Column("tax", \.tax, .scale(3)),
                Column("total", \.total, .scale(4), computed: { $0.price + ($0.tax ?? 0) }),
                Column("isFree", \.isFree, computed: { $0.price == 0 }), make: Bill.init)
        }
        struct Narrow: Entity {
            let id: Int
            var price: Decimal
            var total: Decimal = 0
            static let schema = Schema(
                Column("id", \Narrow.id), Column("price", \.price, .scale(3)),
                Column("total", \.total, .scale(2), computed: { $0.price + 1 }), make: Narrow.init)
        }
        try await withRepository(kind, [Bill.self]) { repository in
            let bills = try await repository.create([
                Bill(id: 1, price: 1.25, tax: 0.125), Bill(id: 2, price: 0, tax: nil),
            ]).value().success
            #expect(bills.map(\.total) == [1.375, 0] && bills.map(\.isFree) == [false, true])
            #expect(try await repository.sum(of: \Bill.total).value() == 1.375)
            #expect(try await repository.count(Bill.where { $0.isFree }).value() == 1)
            await expectFailure({ $0.isConstraint || $0.isOverflow }) {
                try await repository.create(Bill(id: 3, price: 92_233_720_368_547_758, tax: nil)).value()
            }
            let some = Bill(id: 4, price: 1, tax: nil)
            await expectFailure({ $0.isConstraint || $0.isOverflow }) {
                try await repository.insert([some, Bill(id: 3, price: 92_233_720_368_547_758, tax: nil)]).value()
            }
            #expect(try await repository.count(Bill.self).value() == 2)
        }
        await expectFailure(\.isMisuse) { try StorePlace(kind).open([Narrow.self]) }
    }

    @Test("Undo restores computed columns too", arguments: StoreKind.local)
    func undone(kind: StoreKind) async throws {
        try await withFolder { folder in
            let repository = try SQLiteRepository(
                kind == .memory ? .inMemory : .file(folder + "/store.sqlite"), entities: Self.entities,
                configuration: RepositoryConfiguration(history: .kept(for: .seconds(1_000), isUndoable: true)))
            let hall = Hall(town: "Ulm", number: 1, seats: 5)
            _ = try await repository.create(hall).value()
            let one = try await repository.create(Booking.made(1)).value()
            _ = try await repository.update(Booking.self, id: 1, set: [.set(\.fee, to: 100)]).value()
            _ = try await repository.undo().value()
            let undone = try await repository.read(Booking.self, id: 1).value()
            #expect(undone == one)
            try await repository.delete(one).value()
            _ = try await repository.undo().value()
            let restored = try await repository.read(Booking.self, id: 1).value()
            #expect(restored == one)
            await closed(repository)
        }
    }

    @Test("A copy from another file computes its columns again, and does not copy a view")
    func copied() async throws {
        try await withFolder { folder in
            let (source, target) = (
                try SQLiteRepository(.file(folder + "/source"), entities: Self.entities),
                try SQLiteRepository(.file(folder + "/target"), entities: Self.entities)
            )
            _ = try await source.create(Hall(town: "Ulm", number: 1, seats: 5)).value()
            _ = try await source.insert((1...1_000).map { Booking.made($0) }).value()
            await closed(source)
            let count = try await target.copy(Booking.self, Hall.self, from: folder + "/source").value()
            #expect(count == 1_001)
            let bookings = try await target.fetch(Booking.all).value()
            #expect(bookings == (1...1_000).map { Booking.made($0).stored })
            await expectFailure(\.isMisuse) {
                try await target.copy(Sale.self, from: folder + "/source").value()
            }
            await closed(target)
        }
    }

    @Test("A view can be read, queried and followed, but not written", arguments: StoreKind.allCases)
    func views(kind: StoreKind) async throws {
        try await withBookings(kind) { repository in
            let live = repository.fetchSubscription(Sale.all.sorted(by: \.bookings, .descending)).record()
            let count = repository.countSubscription(Sale.where { $0.fees > 5 }).record()
            _ = try await repository.insert((1...3).map { Booking.made($0, fee: 2) }).value()
            var other = Booking.made(4, fee: 1)
            (other.town, other.hall) = ("Bonn", 2)
            _ = try await repository.create(other).value()
            let sales = [Sale(id: "Ulm", bookings: 3, fees: 6), Sale(id: "Bonn", bookings: 1, fees: 1)]
            #expect(try await repository.fetch(Sale.all.sorted(by: \.bookings, .descending)).value() == sales)
            #expect(try await repository.read(Sale.self, id: "Bonn").value() == sales[1])
            #expect(try await repository.fetch(Sale.all).value().map(\.id).sorted() == ["Bonn", "Ulm"])
            #expect(try await repository.sum(of: \Sale.fees).value() == 7)
            await live.values { $0 == sales }
            await count.values { $0 == 1 }
            #expect(live.values.last == sales && count.values.last == 1)
            let page = try await repository.fetch(Sale.all.sorted(by: \.fees).page(size: 1)).value()
            #expect(page.items == [sales[1]])
            let writes: [Signal<Void, RepositoryError>] = [
                repository.create(sales[0]).map { _ in }, repository.update(sales[0]).map { _ in },
                repository.upsert(sales[0]).map { _ in }, repository.insert(sales).map { _ in },
                repository.delete(sales[0]).map { _ in }, repository.delete(Sale.self) { $0.fees > 0 }.map { _ in },
                repository.update(Sale.self, set: [.set(\.fees, to: 0)]) { _ in .true }.map { _ in },
                repository.update(Sale.self, id: "Ulm", set: [.set(\.fees, to: 0)]).map { _ in },
                repository.delete(Sale.self, id: "Ulm").map { _ in },
            ]
            for write in writes {
                await expectFailure({ "\($0)".contains("Sale is a view") }) { try await write.value() }
            }
            let some = try? await repository.create(sales).value()
            #expect(some?.success.isEmpty != false)
            #expect(try await repository.count(Booking.self).value() == 4)
        }
    }
}
