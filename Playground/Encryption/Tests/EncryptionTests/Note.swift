import SignalRepository

/// A text that nobody else may read.
struct Note: Entity, Equatable {
    let id: Int
    var title: String
    var text: String
    var number: Int

    static let schema = Schema(
        Column("id", \Note.id), Column("title", \.title), Column("text", \.text), Column("number", \.number),
        search: [\.text], make: Note.init)

    /// A text that no file may contain.
    static let marker = "unmistakable"

    static func numbered(_ number: Int) -> Note {
        Note(id: number, title: "\(marker) \(number)", text: "words that are \(marker) \(number)", number: number % 7)
    }
}

/// An item of another program's file.
struct Plain: Entity, Equatable {
    let id: Int
    var name: String

    static let schema = Schema(Column("id", \Plain.id), Column("name", \.name), make: Plain.init)
}

/// A note as a later version of a program declares it; it does not fit the earlier table.
struct Changed: Entity, Equatable {
    let id: Int
    var title: Int

    static let entityName = "Note"
    static let schema = Schema(Column("id", \Changed.id), Column("title", \.title), make: Changed.init)
}
