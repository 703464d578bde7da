extension Form {
    /// A form that reads a file filled with all films before it is measured.
    static func reading<Store>(
        _ name: String, _ open: @escaping (String) throws -> Store, read: @escaping (Store) throws -> [Film]
    ) -> Form {
        Form(name) { meter in
            try TemporaryFolder.withFile { path in
                try FilmTable.create(path)
                try RawStore(path).insert(Film.samples)
                let store = try open(path)
                return try meter.time { try read(store) }.checksum
            }
        }
    }
}
