import Foundation
import SignalRepository
import Signals
import Testing

private typealias Row = [String: any Sendable]

@Suite("insert(rows:)", .timeLimit(.minutes(10))) struct InsertRowsTests {
    private static func row(_ number: Int) -> Row {
        [
            "id": Film.id(number), "title": "Film \(number)", "boxOffice": Decimal(number),
            "releaseDate": Date(timeIntervalSinceReferenceDate: Double(number) * 0.1),
        ]
    }

    @Test("R13 Rows with column names are stored like the items they describe", arguments: StoreKind.allCases)
    func stored(kind: StoreKind) async throws {
        try await withRepository(kind) { repository in
            let count = try await repository.insert(Film.self, rows: (0..<2500).map(Self.row)).value()
            #expect(count == 2500)
            let films = try await repository.fetch(Film.all).value()
            #expect(films == (0..<2500).map { Film.numbered($0) })
        }
    }

    @Test("A column that is left out gets its default, or nil", arguments: StoreKind.allCases)
    func leftOut(kind: StoreKind) async throws {
        try await withRepository(kind, [Person.self]) { repository in
            let plain: Row = ["id": 1, "name": "Ann"]
            let full: Row = [
                "id": 2, "name": "Bea", "age": Int?.some(40), "colour": Colour.red, "tags": ["a", "b"], "note": "n",
                "share": 0.25,
            ]
            let empty: Row = [
                "id": 3, "name": "Cid", "age": Int?.none, "note": SQLValue.null, "share": SQLValue.real(-0.0),
                "colour": SQLValue.text("red"), "tags": SQLValue.text(#"[ "c" ]"#),
            ]
            try await repository.insert(Person.self, rows: [plain, full, empty]).value()
            #expect(
                try await repository.fetch(Person.all).value() == [
                    Person(id: 1, name: "Ann", age: nil, colour: .blue, tags: [], note: "none", share: 0.1),
                    Person(id: 2, name: "Bea", age: 40, colour: .red, tags: ["a", "b"], note: "n", share: 0.25),
                    Person(id: 3, name: "Cid", age: nil, colour: .red, tags: ["c"], note: nil, share: -0.0),
                ])
        }
    }

    @Test("Rows that were read can be inserted again", arguments: StoreKind.allCases)
    func copied(kind: StoreKind) async throws {
        try await withRepository(kind) { repository in
            let films = [Film.numbered(1, boxOffice: 12.5, studio: "A24"), .numbered(2)]
            try await repository.insert(films).value()
            let copies = try await repository.transaction { store in
                let rows = try store.rows(
                    #"SELECT id, title, "releaseDate", "boxOffice", studio FROM "Film" ORDER BY title"#)
                try store.delete(Film.self) { _ in .true }
                let named = rows.map { row -> Row in
                    ["id": row[0], "title": row[1], "releaseDate": row[2], "boxOffice": row[3], "studio": row[4]]
                }
                try store.insert(Film.self, rows: named)
                return try store.fetch(Film.all.sorted(by: \.title))
            }.value()
            #expect(copies == films)
        }
    }

    struct Fault: Sendable, CustomTestStringConvertible {
        let column: String
        let value: (any Sendable)?
        let detail: String
        var testDescription: String { "\(column): \(detail)" }
    }

    static let noName: any Sendable = String?.none

    static let faults = [
        Fault(column: "nmae", value: "Ann", detail: "the entity has no column of this name"),
        Fault(column: "Name", value: "Ann", detail: "the entity has no column of this name"),
        Fault(column: "name", value: nil, detail: "the row omits it, but it is not optional and has no default"),
        Fault(column: "id", value: nil, detail: "the row omits it, but it is not optional and has no default"),
        Fault(column: "name", value: 5, detail: "a value of Int is given, but the column holds String"),
        Fault(
            column: "name", value: noName, detail: "a value of Optional<String> is given, but the column holds String"),
        Fault(column: "id", value: 300, detail: "a value of Int is given, but the column holds UInt8"),
        Fault(column: "id", value: SQLValue.integer(300), detail: "300 is out of the range of UInt8"),
        Fault(column: "name", value: SQLValue.null, detail: "expected text, found null"),
        Fault(column: "share", value: SQLValue.text("1"), detail: "expected a number, found text"),
        Fault(column: "share", value: Double.nan, detail: "not a number"),
        Fault(column: "share", value: SQLValue.real(.nan), detail: "not a number"),
        Fault(column: "colour", value: SQLValue.text("mauve"), detail: "\"mauve\" is not a raw value of Colour"),
        Fault(column: "tags", value: SQLValue.text("{"), detail: "the text is not the JSON of Array<String>"),
    ]

    @Test(
        "R12 R13 An invalid row is refused by row, column and entity, and nothing is stored",
        arguments: StoreKind.allCases, faults)
    func refused(kind: StoreKind, fault: Fault) async throws {
        try await withRepository(kind, [Small.self]) { repository in
            var bad: Row = ["id": UInt8(9), "name": "Dee", "share": 1.0]
            bad[fault.column] = fault.value
            let rows = (0..<7).map { number -> Row in ["id": UInt8(number), "name": "Ann", "share": 1.0] } + [bad]
            await expectFailure({ error in
                guard case .encoding("Small", fault.column, let detail, let item) = error else { return false }
                #expect(detail.hasPrefix(fault.detail), "\(detail)")
                #expect(item?.index == 7 && item?.entity == "Small")
                #expect(item?.id == (fault.column == "id" ? nil : "9"))
                return true
            }) { try await repository.insert(Small.self, rows: rows).value() }
            let count = try await repository.count(Small.self).value()
            #expect(count == 0)
            let kept = try await repository.transaction { store in
                try store.create(Small(id: 1, name: "Eve", share: 2, colour: .red, tags: []))
                #expect(throws: RepositoryError.self) { try store.insert(Small.self, rows: rows.dropFirst(2)) }
                return try store.insertReturningIDs(Small.self, rows: rows.dropFirst(2).prefix(2))
            }.value()
            #expect(kept == [2, 3])
            #expect(try await repository.fetch(Small.all).value().map(\.id) == [1, 2, 3])
        }
    }

    @Test("R12 A misspelt name is reported before the column that it was meant for")
    func misspelt() async throws {
        try await withRepository(.memory, [Small.self]) { repository async throws in
            let row: Row = ["id": UInt8(1), "nmae": "Ann", "share": 1.0]
            await expectFailure({ if case .encoding("Small", "nmae", _, _) = $0 { true } else { false } }) {
                try await repository.insert(Small.self, rows: [row]).value()
            }
        }
    }

    @Test("R12 A broken constraint is reported with the index and the id of the row", arguments: StoreKind.allCases)
    func constraint(kind: StoreKind) async throws {
        try await withRepository(kind) { repository in
            await expectFailure({
                $0.isConstraint && $0.item == FailedItem(entity: "Film", id: "\(Film.id(1))", index: 2)
            }) {
                try await repository.insertReturningIDs(Film.self, rows: [1, 2, 1].map(Self.row)).value()
            }
            let count = try await repository.count(Film.self).value()
            #expect(count == 0)
        }
    }

    @Test("R13 Rows are one commit, one notification and one change set", arguments: StoreKind.allCases)
    func oneNotification(kind: StoreKind) async throws {
        try await withRepository(kind) { repository in
            let counts = repository.countSubscription(Film.self).record()
            let changes = repository.changes(of: Film.self).record()
            #expect(await counts.values(1) == [0])
            let ids = try await repository.transaction(author: "import") { store in
                try store.insertReturningIDs(Film.self, rows: (0..<3000).map(Self.row))
            }.value()
            #expect(ids == (0..<3000).map { Film.id($0) })
            #expect(await counts.values(2) == [0, 3000])
            let told = await changes.values(1)
            #expect(told.map(\.author) == ["import"])
            #expect(try told.first?.inserted(of: Film.self).count == 3000)
        }
    }

    @Test("R17 A lazy sequence of rows is read as it is stored, and no further than its first invalid row")
    func lazily() async throws {
        try await withRepository(.file) { repository in
            let read = Counter()
            await expectFailure(\.isEncoding) {
                try await repository.transaction { store in
                    let rows = (0..<1_000_000).lazy.map { number -> Row in
                        read.add()
                        return number == 40 ? ["id": 1] : Self.row(number)
                    }
                    return try store.insert(Film.self, rows: rows)
                }.value()
            }
            #expect(read.value == 41)
        }
    }
}

private enum Colour: String, ColumnValue { case red, blue }

private struct Person: Entity, Equatable {
    let id: Int
    var name: String
    var age: Int?
    var colour: Colour
    var tags: [String]
    var note: String?
    var share: Double
    static let schema = Schema<Person> {
        Column("id", \.id)
        Column("name", \.name)
        Column("age", \.age)
        Column("colour", \.colour, .default(.blue))
        Column("tags", json: \.tags, .default([]))
        Column("note", \.note, .default("none"))
        Column("share", \.share, .default(0.1))
    } decode: { row in
        try Person(
            id: row.next(), name: row.next(), age: row.next(), colour: row.next(), tags: row.next(),
            note: row.next(), share: row.next())
    }
}

private struct Small: Entity {
    let id: UInt8
    var name: String
    var share: Double
    var colour: Colour
    var tags: [String]
    static let schema = Schema(
        Column("id", \Small.id), Column("name", \.name), Column("share", \.share),
        Column("colour", \.colour, .default(.blue)), Column("tags", json: \.tags, .default([])), make: Small.init)
}
