extension Form {
    /// A form that reads a file filled with all films before it is measured.
    static func reading<Store>(
        _ name: String, _ open: @escaping (String) throws -> Store, read: @escaping (Store) throws -> [Film]
    ) -> Form {
        file(name, FilmTable.fill, open, work: read) { _, films in films.checksum }
    }
}
