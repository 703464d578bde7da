import Foundation
import SignalRepository

extension Film: Entity {
    static let schema = Schema(
        Column("id", \Film.id), Column("title", \.title), Column("releaseDate", \.releaseDate),
        Column("boxOffice", \.boxOffice), Column("studio", \.studio), make: Film.init)
}

extension SQLiteRepository {
    /// Opens a file with the settings of the other forms.
    convenience init(films path: String) throws(RepositoryError) {
        try self.init(films: path, history: .none)
    }

    convenience init(
        films path: String, durability: StoreDurability = .normal, history: StoreHistory
    ) throws(RepositoryError) {
        let configuration = RepositoryConfiguration(durability: durability, history: history)
        try self.init(.file(path), entities: Film.self, configuration: configuration)
    }
}
