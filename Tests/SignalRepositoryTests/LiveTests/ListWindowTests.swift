import Testing

@testable import RepositoryCore
@testable import SignalRepository

@Suite("The items that a live list holds") struct ListWindowTests {
    private typealias Item = Box<Int>

    private func window(_ query: FetchQuery<Item>) throws -> ListWindow<Item>? {
        try ListWindow(
            SelectStatement(query), StoreRules(isSQLite: true), ListRead<Item, Item, [Item]>(items: \.array).read
        ) { RowReader($0) }
    }

    private func read(_ query: FetchQuery<Item>, of count: Int) throws -> HeldItems<Item> {
        let memory = try Memory<Item>()
        for id in 0..<count { try memory.insert(Box(id: id, value: -id)) }
        let window = try #require(try self.window(query))
        return try window.read(in: ReadTransaction(Session(memory.connection), CancellationFlag()))
    }

    @Test("R17 Without a limit, a list holds all items; with one, those up to it and a quarter more, at least 16")
    func capacity() throws {
        #expect(try read(Item.all, of: 100).items.count == 100)
        let few = try #require(try window(Item.all.limit(10).offset(5)))
        #expect(few.extent.capacity == 31)
        let many = try #require(try window(Item.all.limit(400)))
        #expect(many.extent.capacity == 500)
        let held = try read(Item.all.sorted(by: \.value).limit(10).offset(5), of: 100)
        #expect(held.items.map(\.id) == (69...99).reversed() && held.before == 5 && held.isComplete)
    }

    @Test("A list key has the values of the sort keys, and the primary key or the row ID")
    func keys() throws {
        let sorted = try read(Item.all.sorted(by: \.value), of: 3)
        #expect(sorted.keys == [2, 1, 0].map { ListKey([.integer(-$0)], .integer($0)) })
        let plain = try read(Item.all, of: 3)
        #expect(plain.keys == [1, 2, 3].map { ListKey([], .integer($0 - 1)) })
    }

    @Test("R17 A list with a custom order, a large offset or an empty limit is not held")
    func refused() throws {
        #expect(try window(Item.all.offset(1 << 32 - 1)) != nil)
        #expect(try window(Item.all.offset(1 << 32)) == nil)
        #expect(try window(Item.all.sorted { $0.value + 1 }) != nil)
        let own = TermFunction("own") { (value: Int) in value }
        #expect(try window(Item.all.sorted { own($0.value) }) == nil)
        #expect(try window(Item.all.limit(0)) == nil)
    }

    @Test("R7 A list does not hold the items before an offset that would take more memory than the limit")
    func deep() throws {
        let memory = try Memory<Item>()
        for id in 0..<3 { try memory.insert(Box(id: id, value: id)) }
        let session = Session(memory.connection)
        session.liveMemoryLimit = 256 << 20
        let transaction = ReadTransaction(session, CancellationFlag())
        for (offset, isHeld) in [(1, true), (1 << 31, false)] {
            let window = try #require(try self.window(Item.all.offset(offset)))
            let maintainer = ListMaintainer(window, ListRead<Item, Item, [Int]>(items: { $0.array.map(\.id) }))
            #expect(try (maintainer.fill(in: transaction) != nil) == isHeld)
        }
    }

    @Test("R4 A list is refilled when the items beyond its limit are used up, and not before")
    func refill() throws {
        let memory = try Memory<Item>()
        for id in 0..<40 { try memory.insert(Box(id: id, value: id)) }
        let window = try #require(try self.window(Item.all.sorted(by: \.value).limit(4)))
        let maintainer = ListMaintainer(window, ListRead<Item, Item, [Int]>(items: { $0.array.map(\.id) }))
        let transaction = ReadTransaction(Session(memory.connection), CancellationFlag())
        #expect(try maintainer.fill(in: transaction) == [0, 1, 2, 3])
        let layout = try #require(try memory.connection.tableLayouts()["Box"])
        // It holds the first twenty.
        for id in 0..<17 {
            let row: [SQLValue] = [.integer(Int64(id)), .integer(Int64(id))]
            let change = RowChange(
                key: .value(row[0]), old: row, new: nil, ids: RowIDs(old: Int64(id), new: 0))
            _ = try memory.connection.rows("DELETE FROM Box WHERE id = ?", [row[0]])
            let effect = maintainer.apply(TableChanges(layout, [change]))
            #expect(effect == (id < 16 ? .updatedInPlace : .needsRefill), "\(id)")
            if id < 16 { #expect(maintainer.output() == [id + 1, id + 2, id + 3, id + 4]) }
        }
        #expect(try maintainer.refill(in: transaction) == [17, 18, 19, 20])
    }
}
