import CSQLite
import Foundation

extension RawFilmStore {
    /// SQLITE_TRANSIENT, which Swift cannot import: SQLite copies what is bound before the call returns.
    ///
    /// It is safe to make from these bits because SQLite compares the pointer and never calls it.
    private static let transient = unsafeBitCast(-1, to: sqlite3_destructor_type.self)

    func bind(_ film: Film, to statement: OpaquePointer) {
        bind(film.id, to: statement)
        bind(film.title, to: statement, at: 2)
        sqlite3_bind_double(statement, 3, film.releaseDate.timeIntervalSinceReferenceDate)
        sqlite3_bind_int64(statement, 4, Amount.scaled(film.boxOffice))
        if let studio = film.studio {
            bind(studio, to: statement, at: 5)
        } else {
            sqlite3_bind_null(statement, 5)
        }
    }

    func bind(_ id: UUID, to statement: OpaquePointer) {
        withUnsafeBytes(of: id.uuid) { bytes in
            _ = sqlite3_bind_blob(statement, 1, bytes.baseAddress, 16, Self.transient)
        }
    }

    private func bind(_ text: String, to statement: OpaquePointer, at index: Int32) {
        var text = text
        text.withUTF8 { bytes in
            bytes.withMemoryRebound(to: CChar.self) { characters in
                _ = sqlite3_bind_text(
                    statement, index, characters.baseAddress, Int32(characters.count), Self.transient)
            }
        }
    }

    func film(_ statement: OpaquePointer) -> Film {
        Film(
            id: id(statement), title: text(statement, 1) ?? "",
            releaseDate: Date(timeIntervalSinceReferenceDate: sqlite3_column_double(statement, 2)),
            boxOffice: Amount.decimal(sqlite3_column_int64(statement, 3)),
            studio: text(statement, 4))
    }

    private func id(_ statement: OpaquePointer) -> UUID {
        guard let bytes = sqlite3_column_blob(statement, 0) else { return UUID() }
        return UUID(uuid: bytes.loadUnaligned(as: uuid_t.self))
    }

    private func text(_ statement: OpaquePointer, _ column: Int32) -> String? {
        guard let characters = sqlite3_column_text(statement, column) else { return nil }
        let count = Int(sqlite3_column_bytes(statement, column))
        return String(decoding: UnsafeBufferPointer(start: characters, count: count), as: UTF8.self)
    }
}
