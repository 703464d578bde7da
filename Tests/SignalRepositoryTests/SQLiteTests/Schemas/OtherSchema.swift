import Foundation
import SignalsTesting

@testable import RepositoryCore
@testable import SignalRepository

/// A random table of another program with rows, and whether the test's entity fits it.
struct OtherSchema {
    /// The statements that make the file.
    private(set) var script: [String] = []
    /// Whether no two rows can have the same id.
    private(set) var hasKey = true
    /// Whether the key's collation considers different texts equal.
    private(set) var isCollated = false
    let isStrict: Bool
    let isWithoutRowID: Bool
    /// Whether the key is a text.
    let isText: Bool
    private var random: SeededGenerator

    init(seed: UInt64) {
        random = SeededGenerator(seed: seed)
        isStrict = random.isOneOf(3)
        isWithoutRowID = random.isOneOf(4)
        isText = random.isOneOf(3)
        script.append("PRAGMA encoding = '\(random.pick(["UTF-8", "UTF-8", "UTF-16le", "UTF-16be"]))'")
        make()
    }

    /// Whether this table justifies refusing the entity with the given detail.
    func isRefused(for detail: String) -> Bool {
        let reasons = [
            "is declared with the key": !hasKey, "there is no column": true,
            "has ON CONFLICT clauses": script.contains { $0.contains("TRIGGER") },
            "which would change values": true, "is a key whose values are compared by": isCollated,
        ]
        return reasons.contains { detail.contains($0.key) && $0.value }
    }

    private struct Column {
        let name: String
        var declaration: String
    }

    private mutating func make() {
        var columns = [
            Column(name: "id", declaration: ""), Column(name: "a", declaration: declaration("a")),
            Column(name: "b", declaration: declaration("b")), Column(name: "c", declaration: declaration("c")),
            Column(name: "d", declaration: declaration("d")),
        ]
        var clauses: [String] = []
        var index: String?
        columns[0].declaration = isText ? textKey(&clauses, &index) : key(&clauses, &index)
        columns += others()
        columns.shuffle(using: &random)
        // Some columns are added later with ALTER TABLE, so that older rows exist.
        var later: [Column] = []
        let canBeLater = columns.indices.filter { number in
            ["a", "b", "c", "d", "e"].contains(columns[number].name) && !columns[number].declaration.contains("UNIQUE")
        }
        for number in canBeLater.reversed() where random.isOneOf(3) { later.append(columns.remove(at: number)) }
        let table = columns.map { "\"\($0.name)\" \($0.declaration)" } + clauses
        let kinds = (isStrict ? ["STRICT"] : []) + (isWithoutRowID ? ["WITHOUT ROWID"] : [])
        script.append("CREATE TABLE Other (\(table.joined(separator: ", "))) \(kinds.joined(separator: ", "))")
        if let index { script.append(index) }
        if random.isOneOf(3) { script.append("CREATE INDEX part ON Other (c) WHERE a > 1") }
        if random.isOneOf(3) { script.append("CREATE INDEX expr ON Other (a + 1)") }
        fill(columns.map(\.name))
        for column in later {
            let clause = defaultClause(column)
            script.append("ALTER TABLE Other ADD COLUMN \"\(column.name)\" \(column.declaration) \(clause)")
            if random.isOneOf(2) { fill(["id", column.name]) }
        }
        if random.isOneOf(4) {
            script.append("CREATE TABLE Log (id PRIMARY KEY, a)")
            script.append(
                """
                CREATE TRIGGER logged AFTER \(random.pick(["INSERT", "UPDATE", "DELETE"])) ON Other BEGIN \
                INSERT OR REPLACE INTO Log VALUES (1, 2); END
                """)
        }
    }

    /// Returns the declaration of the key, and adds a clause after the columns or an index where it needs one.
    private mutating func key(_ clauses: inout [String], _ index: inout String?) -> String {
        let conflict = conflictClause()
        if isWithoutRowID {
            if random.isOneOf(3) {
                clauses.append("PRIMARY KEY (id \(random.pick(["", "DESC"])))\(conflict)")
                return random.pick(isStrict ? ["INTEGER NOT NULL", "INT"] : ["INTEGER", "INT", "BIGINT", "NUMERIC"])
            }
            return "INTEGER PRIMARY KEY\(conflict)"
        }
        switch Int.random(in: 0..<8, using: &random) {
        case 0: return "INTEGER PRIMARY KEY DESC\(conflict)"
        case 1: return "\(random.pick(["INT", "INTEGER"])) NOT NULL UNIQUE\(conflict)"
        case 2:
            clauses.append("PRIMARY KEY (id \(random.pick(["", "DESC", "ASC"])))\(conflict)")
            return random.pick(["INTEGER", "INT"])
        case 3:
            index = "CREATE UNIQUE INDEX own ON Other (id\(random.pick(["", " DESC"])))"
            return "INTEGER NOT NULL"
        case 4:
            hasKey = false
            index =
                "CREATE UNIQUE INDEX own ON Other \(random.pick(["(id, lower(c))", "(id) WHERE id > 3", "(abs(id))"]))"
            return "INTEGER NOT NULL"
        case 5: return "INTEGER UNIQUE\(conflict)"
        default: return "INTEGER PRIMARY KEY\(conflict)"
        }
    }

    /// Does the same for a key that is a text.
    private mutating func textKey(_ clauses: inout [String], _ index: inout String?) -> String {
        let conflict = conflictClause()
        let type = random.pick(isStrict ? ["TEXT", "ANY"] : ["TEXT", "VARCHAR(20)", "", "CLOB"])
        let collation = random.isOneOf(3) ? " COLLATE \(random.pick(["NOCASE", "RTRIM", "BINARY"]))" : ""
        isCollated = !collation.isEmpty && !collation.hasSuffix("BINARY")
        if isWithoutRowID || random.isOneOf(3) {
            guard random.isOneOf(3) else { return "\(type) PRIMARY KEY\(conflict)\(collation)" }
            clauses.append("PRIMARY KEY (id\(collation) \(random.pick(["", "DESC"])))\(conflict)")
            return "\(type) NOT NULL"
        }
        // The second index considers different texts equal.
        if random.isOneOf(6) {
            isCollated = true
            index = "CREATE UNIQUE INDEX own ON Other (id COLLATE NOCASE)"
            return "\(type) PRIMARY KEY"
        }
        switch Int.random(in: 0..<4, using: &random) {
        case 0: return "\(type)\(collation) NOT NULL UNIQUE\(conflict)"
        case 1: return "\(type)\(collation) UNIQUE\(conflict)"
        case 2:
            index = "CREATE UNIQUE INDEX own ON Other (id\(random.pick(["", " DESC"])))"
            return "\(type) NOT NULL\(collation)"
        default:
            hasKey = false
            index = "CREATE UNIQUE INDEX own ON Other \(random.pick(["(lower(id))", "(id) WHERE a > 3", "(id, a)"]))"
            return "\(type) NOT NULL"
        }
    }

    private mutating func conflictClause() -> String {
        guard random.isOneOf(4) else { return "" }
        return " ON CONFLICT \(random.pick(["REPLACE", "IGNORE", "ROLLBACK", "FAIL", "ABORT"]))"
    }

    private mutating func declaration(_ name: String) -> String {
        let types: [String: [String]] =
            isStrict
            ? ["a": ["INTEGER", "INT", "ANY"], "b": ["REAL", "ANY"], "c": ["TEXT", "ANY"], "d": ["BLOB", "ANY"]]
            : [
                "a": ["INTEGER", "INT", "BIGINT", "BOOLEAN", "NUMERIC", "", "TINYINT(1)"],
                "b": ["REAL", "FLOAT", "DOUBLE PRECISION", "NUMERIC(10,2)", "DECIMAL", "", "MONEY"],
                "c": ["TEXT", "VARCHAR(10)", "", "DATE", "DATETIME", "CLOB", "\"time of day\""],
                "d": ["BLOB", "", "TEXT", "INTEGER"],
            ]
        var declaration = random.pick(types[name] ?? [""])
        if name == "c", random.isOneOf(3) { declaration += " COLLATE \(random.pick(["NOCASE", "RTRIM", "BINARY"]))" }
        if name == "a", random.isOneOf(6) { declaration += " UNIQUE\(conflictClause())" }
        return declaration
    }

    /// Columns that no entity declares.
    private mutating func others() -> [Column] {
        var others: [Column] = []
        if random.isOneOf(3) {
            others.append(Column(name: "e", declaration: isStrict ? "REAL" : random.pick(["REAL", "TEXT", "", "INT"])))
        }
        if random.isOneOf(6) {
            let type = isStrict ? "INTEGER" : random.pick(["INTEGER", "REAL", ""])
            others.append(
                Column(
                    name: "twice",
                    declaration: "\(type) GENERATED ALWAYS AS (id * 2) \(random.pick(["VIRTUAL", "STORED"]))"))
        }
        if random.isOneOf(10) {
            for name in ["_rowid_", "rowid", "oid"].prefix(Int.random(in: 1...3, using: &random)) {
                others.append(Column(name: name, declaration: isStrict ? "INTEGER" : "INT"))
            }
        }
        return others
    }

    private mutating func defaultClause(_ column: Column) -> String {
        // A default may have a class that the column does not hold; SQLite may convert it or not.
        var literals = ["NULL", "5", "'5'", "5.0", "5e0", "+5", "-7", "(2 + 3)", "0x10", "TRUE"]
        if !isStrict { literals += ["\"5\"", "x", "1.50", "2.5", "'text'", "'2024-01-01'", "x'31'", "'7.0'"] }
        switch column.name {
        case "c": literals += ["'a'", "'Ä'", "1.50", "'2024'"]
        case "d": literals = ["NULL", "x'00ff'", "x''"]
        default: break
        }
        if isStrict, column.name == "c" { literals = ["NULL", "'a'", "'Ä'", "1.50", "5"] }
        if isStrict, column.name == "e" { literals = ["NULL", "5", "2.5", "'5'"] }
        return random.isOneOf(4) ? "" : "DEFAULT \(random.pick(literals))"
    }

    /// Inserts a few rows, and ignores the ones that the table refuses.
    private mutating func fill(_ names: [String]) {
        let written = names.filter { $0 != "twice" }
        for _ in 0..<Int.random(in: 0...4, using: &random) {
            let values = written.map { value(of: $0) }
            let list = written.map { "\"\($0)\"" }.joined(separator: ", ")
            script.append("INSERT OR IGNORE INTO Other (\(list)) VALUES (\(values.joined(separator: ", ")))")
        }
    }

    private mutating func value(of column: String) -> String {
        if column == "id" {
            let number = Int.random(in: 1...12, using: &random)
            return isText ? "'\(String.numbered(number))'" : "\(number)"
        }
        // Sometimes a value has another class than the property.
        if !isStrict, random.isOneOf(12) { return random.pick(["'text'", "2.5", "'12abc'", "x'31'", "'12'", "7"]) }
        if random.isOneOf(5) { return "NULL" }
        switch column {
        case "a": return random.pick(["0", "1", "2", "-3", "9007199254740993", "9223372036854775807"])
        case "b", "e": return random.pick(["1.0", "2.5", "-0.0", "1e300", "9007199254740992.0"])
        case "c": return random.pick(["'a'", "'A'", "'b '", "'b'", "'é'", "'ā'", "'\u{10000}'", "'\u{FFFD}'", "''"])
        case "d": return random.pick(["x''", "x'00'", "x'ff31'"])
        default: return "\(Int.random(in: 0...9, using: &random))"
        }
    }
}

extension SeededGenerator {
    /// Returns true once in `count` times on average.
    mutating func isOneOf(_ count: Int) -> Bool { Int.random(in: 0..<count, using: &self) == 0 }

    mutating func pick<Value>(_ values: [Value]) -> Value { values[Int.random(in: 0..<values.count, using: &self)] }
}

/// A row of the table.
struct OtherRow<Key: OtherKey>: Entity, Equatable {
    let id: Key
    var a: Int?
    var b: Double?
    var c: String?
    var d: Data?

    static var entityName: String { "Other" }
    static var schema: Schema<Self> {
        Schema(
            Column("id", \OtherRow<Key>.id), Column("a", \.a), Column("b", \.b), Column("c", \.c), Column("d", \.d),
            make: OtherRow.init)
    }
}

/// The key of a row.
protocol OtherKey: OrderedValue, Hashable, Comparable where Plain == Self {
    /// One of twelve keys.
    static func numbered(_ number: Int) -> Self
    /// Statements that change keys or write values of any class.
    static var statements: [String] { get }
}

extension Int: OtherKey {
    static func numbered(_ number: Int) -> Int { number }

    static let statements = [
        "UPDATE Other SET a = '7', c = 12 WHERE id < 4", "UPDATE Other SET a = 8.0, b = '2.5' WHERE id = 3",
        "INSERT OR IGNORE INTO Other (id, a, b, c) VALUES ('5', '6', 7, 8)",
        "UPDATE Other SET id = id + 20 WHERE id > 10", "DELETE FROM Other WHERE id IN (1, 2, 3)",
        "UPDATE Other SET a = 'text' WHERE id = 7",
    ]
}

extension String: OtherKey {
    static func numbered(_ number: Int) -> String {
        ["a", "A", "b", "b ", "é", "É", "Z", "z", "2024", "10", "", "\u{10000}"][number % 12]
    }

    static let statements = [
        "UPDATE Other SET a = '7', c = 12 WHERE id < 'b'", "UPDATE Other SET a = 8.0, b = '2.5' WHERE id = 'b '",
        "INSERT OR IGNORE INTO Other (id, a, b, c) VALUES (10, '6', 7, 8)",
        "UPDATE Other SET id = id || '0' WHERE id > 'b'", "DELETE FROM Other WHERE id IN ('a', 'Z', '2024')",
        "UPDATE Other SET id = upper(id) WHERE id = 'a'", "UPDATE Other SET a = 'text' WHERE id = 'z'",
    ]
}
