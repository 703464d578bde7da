import GRDB
import SignalRepository

/// An item that the live rows change, and the table that every form begins with.
protocol LiveItem: Entity, Equatable, FetchableRecord, PersistableRecord {
    /// So many items, the same in every run.
    static func first(_ count: Int) -> [Self]

    /// Fills the empty table of a file with so many of them.
    static func fill(_ path: String, _ count: Int) throws

    /// The item after a change, which gives it values that it did not have.
    func changed(_ number: Int) -> Self

    /// A checksum over every property of every item, whatever their order.
    static func checksum(_ items: [Self]) -> Int
}

/// One item of those that change, one after another.
struct LiveChange<Item> {
    let index: Int
    let old: Item
    let new: Item
}

extension Film: LiveItem {
    static func first(_ count: Int) -> [Film] { Array(samples.prefix(count)) }

    static func fill(_ path: String, _ count: Int) throws { try RawStore(path).insert(first(count)) }

    func changed(_ number: Int) -> Film {
        var film = self
        film.title = "Changed \(number)"
        film.boxOffice = Amount.decimal(Int64(number))
        return film
    }

    static func checksum(_ items: [Film]) -> Int { items.checksum }
}

extension SQLiteRepository {
    /// Opens a file with the tables of the live rows and the settings of the other forms.
    convenience init(live path: String) throws(RepositoryError) {
        try self.init(
            .file(path), entities: Film.self, Sale.self, configuration: RepositoryConfiguration(durability: .normal))
    }
}
