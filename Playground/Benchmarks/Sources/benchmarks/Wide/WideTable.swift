import SignalRepository

/// The file that every form begins with, and the statements that the raw and the peer form use.
enum WideTable {
    private static let names = Wide.schema.columns.map { "\"\($0.name)\"" }.joined(separator: ", ")
    private static let marks = Wide.schema.columns.map { _ in "?" }.joined(separator: ", ")
    static let insert = #"INSERT INTO "Wide" (\#(names)) VALUES (\#(marks))"#
    static let selectAll = #"SELECT \#(names) FROM "Wide""#

    /// Lays out an empty file, so that all forms have the same schema, page size and journal.
    static func create(_ path: String) throws {
        let repository = try SQLiteRepository(.file(path), entities: Wide.self)
        try repository.close().wait()
    }

    /// Lays out a file with all rows in it.
    static func fill(_ path: String) throws {
        try create(path)
        try RawStore(path).insert(Wide.samples)
    }
}

extension SQLiteRepository {
    /// Opens a file with the settings of the other forms.
    convenience init(wide path: String) throws(RepositoryError) {
        try self.init(.file(path), entities: Wide.self, configuration: RepositoryConfiguration(durability: .normal))
    }
}
