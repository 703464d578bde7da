import Testing

@testable import RepositoryCore
@testable import SignalRepository
@testable import SignalRepositoryPostgres

/// The bytes and the SQL that are sent to a server.
@Suite("Values as a server expects them") struct ServerBytesTests {
    private static let column = StoredColumn("a", of: nil)

    @Test("A COPY begins with its signature, without flags or extensions") func header() {
        let signature = Array("PGCOPY\n".utf8)
        let rest: [UInt8] = [0xFF, 0x0D, 0x0A, 0, 0, 0, 0, 0, 0, 0, 0, 0]
        #expect(CopyRows.header.starts(with: signature))
        #expect(Array(CopyRows.header.dropFirst(signature.count)) == rest)
    }

    /// The header of an array of one value: one dimension, whether NULL may be in it, the type, the value count, and
    /// the first index.
    private static func head(hasNull: UInt8, type: UInt8) -> [UInt8] {
        [0, 0, 0, 1, 0, 0, 0, hasNull, 0, 0, 0, type, 0, 0, 0, 1, 0, 0, 0, 1]
    }

    private static let number: [UInt8] = [0, 0, 0, 8, 0, 0, 0, 0, 0, 0, 1, 2]

    @Test("A row has the number of its fields, and each field its length") func rows() {
        var rows = CopyRows()
        let values: [SQLValue] = [.integer(258), .null, .text("é"), .blob([]), .real(-0.0)]
        let null: [UInt8] = [255, 255, 255, 255]
        let fields: [[UInt8]] = [
            Self.number, null, [0, 0, 0, 2, 0xC3, 0xA9], [0, 0, 0, 0], [0, 0, 0, 8, 0, 0, 0, 0, 0, 0, 0, 0],
        ]
        let count: [UInt8] = [0, 5]
        for _ in 0..<2 {
            let size = values.withUnsafeBufferPointer { rows.append($0) }
            #expect(size == (1, 40))
            #expect(Array(rows.bytes(from: 0)) == count + fields.flatMap(\.self))
            #expect(rows.count == 1 && rows.byteCount == 40)
            let arrays = rows.arrays(of: 0..<1, types: [20, 25, 25, 17, 70])
            let types: [UInt8] = [20, 25, 25, 17, 70]
            for (index, type) in types.enumerated() {
                #expect(arrays[index] == Self.head(hasNull: 1, type: type) + fields[index])
            }
            rows.removeAll()
            #expect(rows.count == 0 && rows.byteCount == 0 && rows.bytes(from: 0).isEmpty)
        }
    }

    @Test("Values of one kind form an array; several kinds, NULL or unknown bytes do not")
    func arrays() throws {
        let array = BinaryArray([.integer(258)], of: Self.column)
        #expect(array?.bytes == Self.head(hasNull: 0, type: 20) + Self.number)
        let id = SQLValue.blob([UInt8](repeating: 1, count: 16))
        let known = StoredColumn(try Film.schema.column(for: \Film.id))
        #expect(BinaryArray([id, id], of: known) != nil)
        #expect(BinaryArray([id], of: Self.column) == nil && BinaryArray([id, .null], of: known) == nil)
        for values in [[.integer(1), .text("a")], [.text("a"), .real(1)], [.integer(1), .null], [.null]]
            as [[SQLValue]]
        {
            #expect(BinaryArray(values, of: Self.column) == nil, "\(values)")
        }
    }

    @Test("Lists are sent as arrays, and spelled out in a declaration, which can bind nothing") func lists() throws {
        let (spoken, declared) = (PostgresDialect(), PostgresDialect(isDeclaration: true))
        let columns = [Self.column, StoredColumn("b", of: nil)]
        let rows: [[SQLValue]] = [[.integer(1), .text("x")], [.integer(2), .text("y")]]
        #expect(spoken.condition(columns, areOneOf: rows).text.contains("unnest("))
        #expect(!declared.condition(columns, areOneOf: rows).text.contains("unnest("))
        let numbers: [SQLValue] = [.integer(1), .integer(2)]
        #expect(try spoken.condition(Self.column, isAmong: numbers).text.contains("= ANY("))
        #expect(try declared.condition(Self.column, isAmong: numbers).text.contains(" IN ("))
        // Bytes of an unknown type.
        var bytes = [SQLValue](repeating: .blob([1]), count: SQLText.maxSingleValues)
        #expect(try spoken.condition(Self.column, isAmong: bytes).bindings.count == bytes.count)
        bytes.append(.blob([2]))
        let many = bytes
        let error = try thrown { () throws(RepositoryError) in try spoken.condition(Self.column, isAmong: many) }
        #expect(error.isTooBig)
    }

    @Test("A default is spelled as its type requires") func literals() {
        let types = PostgresTypes()
        let literals: [(SQLValue, String, String)] = [
            (.null, "bigint", "NULL"), (.integer(.min), "bigint", "\(Int64.min)"),
            (.real(.infinity), "double precision", "'Infinity'::double precision"),
            (.real(-.infinity), "double precision", "'-Infinity'::double precision"),
            (.real(-0.0), "double precision", "'0.0'::double precision"),
            (.blob([0, 15, 16, 255]), "bytea", #"'\x000f10ff'::bytea"#),
            (.blob([0, 15, 16, 255]), "uuid", "'000f10ff'::uuid"),
        ]
        for (value, type, literal) in literals { #expect(types.literal(value, of: type) == literal) }
    }
}

@Suite("Comparing streamed tables") struct LikeTablesTests {
    private func table(
        _ name: String = "Box", types: [UInt32] = [20, 701, 25], key: [Int] = [0], version: String = "1"
    ) -> StreamedTable {
        StreamedTable(
            StreamedRelation(
                number: 7, schema: "public", name: name,
                columns: types.map { StreamedRelation.Column(name: "c\($0)", type: $0) }),
            key: key, version: version)
    }

    @Test("Another name, column, key or version makes another table") func likeness() {
        #expect(table().isLike(table()))
        let others = [table("Other"), table(types: [20, 701]), table(key: [1]), table(version: "2")]
        for other in others { #expect(!table().isLike(other) && !other.isLike(table())) }
    }

    @Test("A row is identified by its key alone, and text compares as on the server") func layout() {
        let layout = table().layout
        #expect(layout.columns.map { $0.affinity == .real } == [false, true, false])
        #expect(!layout.hasRowID && !layout.findsCharacters && layout.isFollowed)
        #expect(!table(key: []).layout.isFollowed)
    }
}
