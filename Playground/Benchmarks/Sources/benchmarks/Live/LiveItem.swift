import GRDB
import SignalRepository

/// An item that the live rows change, and the table that every form begins with.
protocol LiveItem: Entity, Equatable, FetchableRecord, PersistableRecord {
    /// Returns the first `count` items, which are the same in every run.
    static func first(_ count: Int) -> [Self]

    /// Fills the empty table of a file with the first `count` items.
    static func fill(_ path: String, _ count: Int) throws

    /// Returns the item after a change, with values that it did not have before.
    func changed(_ number: Int) -> Self

    /// Returns a checksum over every property of every item, in any order.
    static func checksum(_ items: [Self]) -> Int
}

/// The change of one item.
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
            .file(path), entities: Film.self, Sale.self, Reading.self,
            configuration: RepositoryConfiguration(durability: .normal))
    }
}
