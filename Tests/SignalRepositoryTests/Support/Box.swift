@testable import RepositoryCore
@testable import SignalRepository

/// An entity of one value, for tests of that value's type.
struct Box<Value: ColumnValue & Equatable>: Entity, Equatable {
    let id: Int
    var value: Value

    static var entityName: String { "Box" }
    static var schema: Schema<Self> {
        Schema(Column("id", \Box<Value>.id), Column("value", \.value), make: Box.init)
    }
}

/// A store in memory with one entity, for tests of storing and loading.
struct Memory<Item: Entity> {
    let store: OpenedStore
    let connection: Connection

    init(_ type: Item.Type = Item.self) throws(RepositoryError) {
        store = try OpenedStore(.inMemory, entities: [Item.self])
        guard let writer = store.writer else { throw .closed }
        connection = writer
    }

    /// Stores an item.
    func insert(_ item: Item) throws(RepositoryError) {
        let places = Item.schema.columns.map { _ in "?" }.joined(separator: ", ")
        let sql = "INSERT INTO \(Identifier.quoted(Item.entityName)) VALUES (\(places))"
        let statement = EntityStatement(try connection.cached(sql), keyScale: 0)
        try statement.bind(item, Item.schema)
        try statement.run()
    }

    /// Reads every item, in the order of insertion.
    func items() throws(RepositoryError) -> [Item] {
        let names = Identifier.list(Item.schema.columns.map(\.name))
        let table = Identifier.quoted(Item.entityName)
        return try connection.cached("SELECT \(names) FROM \(table) ORDER BY rowid").items(Item.schema)
    }
}
