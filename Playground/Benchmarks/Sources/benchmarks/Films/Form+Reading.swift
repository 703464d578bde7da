extension Form {
    /// A form that writes into a file made by `fill`; its checksum covers the stored films.
    static func writing<Store>(
        _ name: String, _ fill: @escaping (String) throws -> Void, _ open: @escaping (String) throws -> Store,
        work: @escaping (Store) throws -> Void
    ) -> Form {
        file(name, fill, open, work: work) { path, _ in try RawStore(path).fetchAll().checksum }
    }

    /// A form that reads a file filled with all films before it is measured.
    static func reading<Store>(
        _ name: String, _ open: @escaping (String) throws -> Store, read: @escaping (Store) throws -> [Film]
    ) -> Form {
        file(name, FilmTable.fill, open, work: read) { _, films in films.checksum }
    }
}
