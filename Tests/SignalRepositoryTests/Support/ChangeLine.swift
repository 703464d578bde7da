import Foundation
import SignalRepository

/// A change set as a line of text: what was inserted, updated and deleted, by the numbers and titles of films.
struct ChangeLine: Equatable, CustomStringConvertible {
    let description: String

    init(_ changes: ChangeSet) throws {
        if case .unknown(let reason) = changes.extent {
            description = "unknown: \(reason)"
            return
        }
        let inserted = try changes.inserted(of: Film.self).map { "+\($0.number) \($0.title)" }
        let updated = try changes.updated(of: Film.self).map { "~\($0.new.number) \($0.old.title)>\($0.new.title)" }
        let deleted = try changes.deleted(of: Film.self).map { "-\($0.number) \($0.title)" }
        description = (inserted + updated + deleted).sorted().joined(separator: ", ")
    }
}

extension Film {
    /// The number that the film was made with.
    var number: Int {
        let bytes = id.uuid
        return Int(bytes.13) << 16 | Int(bytes.14) << 8 | Int(bytes.15)
    }
}

/// An entity for a table without row id that raw SQL makes, with a key of two columns.
struct Word: Entity, Equatable {
    let id: String
    var language: String
    var uses: Int
    var share: Double

    static let schema = Schema(
        Column("id", \Word.id), Column("language", \.language), Column("uses", \.uses), Column("share", \.share),
        make: Word.init)

    static let creation: SQL = """
        CREATE TABLE Word (uses INTEGER, language TEXT, id TEXT, share REAL, PRIMARY KEY (language, id))
        STRICT, WITHOUT ROWID
        """
}
