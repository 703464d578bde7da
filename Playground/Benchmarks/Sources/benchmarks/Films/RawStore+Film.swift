import CSQLite
import Foundation

extension RawStore {
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
}
