/// A condition in terms of stored values: columns by name, constants as they are stored, and no nesting that grows with
/// the condition.
indirect enum StoredTest: Sendable {
    /// Always true, or always false.
    case constant(Bool)
    case comparison(StoredColumn, Comparison, SQLValue)
    case range(StoredColumn, SQLValue, SQLValue)
    case membership(StoredColumn, [SQLValue])
    case search(StoredColumn, TextSearch, [UInt8])
    case raw(StaticString, [SQLValue])
    case all([StoredTest])
    case any([StoredTest])
    case not(StoredTest)
    /// The answer next to the first test that is true, otherwise the last answer.
    case decision([(test: StoredTest, answer: Bool)], otherwise: StoredTest)
}

/// What a test needs to know about a column.
struct StoredColumn: Sendable {
    let name: String
    let isOptional: Bool

    init<Root: Entity>(_ column: AnyColumn<Root>) {
        name = column.name
        isOptional = column.isOptional
    }
}

extension Condition {
    /// The condition in terms of stored values.
    func stored() throws(RepositoryError) -> StoredTest {
        // What has to hold at once at the top level stays that way, however deep it continues below: there an index can
        // help.
        if case .all(let parts) = node { return .all(try Self.stored(parts)) }
        return try part()
    }

    private static func stored(_ parts: [Condition]) throws(RepositoryError) -> [StoredTest] {
        var tests: [StoredTest] = []
        tests.reserveCapacity(parts.count)
        for part in parts { tests.append(try part.part()) }
        return tests
    }

    /// The test of a part: level by level while there are few, otherwise one decision after the other.
    private func part() throws(RepositoryError) -> StoredTest {
        switch node {
        case .tooDeep:
            throw .tooBig(detail: "a condition of more than \(Self.mostLevels) levels of && in || in &&")
        case _ where depth > 8:
            return try decision()
        case .all(let parts): return .all(try Self.stored(parts))
        case .any(let parts): return .any(try Self.stored(parts))
        case .not(let condition): return .not(try condition.part())
        case .comparison(let path, let comparison, let value) where Root.schema.isCompositeID(path):
            return try Self.comparison(ofKey: comparison, value)
        case .membership(let path, let values) where Root.schema.isCompositeID(path):
            var tests: [StoredTest] = []
            for value in values { tests.append(try Self.comparison(ofKey: .equal, value)) }
            return tests.isEmpty ? .constant(false) : .any(tests)
        case .comparison(let path, let comparison, let value):
            let column = try Root.schema.column(for: path)
            return Self.comparison(StoredColumn(column), comparison, try column.place(of: value))
        case .range(let path, let lower, let upper):
            let column = try Root.schema.column(for: path)
            guard let least = try column.place(of: lower).orAbove, let greatest = try column.place(of: upper).orBelow
            else { return .constant(false) }
            return .range(StoredColumn(column), least, greatest)
        case .membership(let path, let values):
            let column = try Root.schema.column(for: path)
            var stored: [SQLValue] = []
            stored.reserveCapacity(values.count)
            for value in values {
                if case .exact(let value) = try column.place(of: value) { stored.append(value) }
            }
            return .membership(StoredColumn(column), stored)
        case .search(let path, let search, let text):
            let column = try Root.schema.column(for: path)
            guard column.storageClass == .text else {
                throw .misuse(detail: "\(Root.entityName).\(column.name) is not held as text, and cannot be searched")
            }
            guard text.utf8.count <= SQLText.mostBytes else {
                throw .tooBig(
                    detail: "a search text of \(text.utf8.count) bytes, at most \(SQLText.mostBytes) can be taken")
            }
            return .search(StoredColumn(column), search, TextSearch.pattern(text))
        case .raw(let literal, let values):
            var stored: [SQLValue] = []
            for value in values { stored.append(try value.stored(in: literal, of: Root.entityName)) }
            return .raw(literal, stored)
        }
    }

    /// Tests the columns of a composite key for the values of an id.
    private static func comparison(
        ofKey comparison: Comparison, _ id: any ColumnValue
    ) throws(RepositoryError) -> StoredTest {
        let key = try Root.schema.key
        guard let id = id as? any CompositeID, comparison == .equal || comparison == .notEqual else {
            _ = try Root.schema.idColumn
            return .constant(false)
        }
        var tests: [StoredTest] = []
        for (column, part) in zip(key.columns, id.parts) {
            tests.append(Self.comparison(StoredColumn(column), .equal, try column.place(of: part)))
        }
        return comparison == .equal ? .all(tests) : .not(.all(tests))
    }

    /// Compares with a value, or with the next one that the column can hold in the direction of the comparison.
    private static func comparison(
        _ column: StoredColumn, _ comparison: Comparison, _ place: StoredPlace
    ) -> StoredTest {
        if case .exact(let value) = place { return .comparison(column, comparison, value) }
        switch comparison {
        case .equal: return .constant(false)
        case .notEqual: return .constant(true)
        case .less, .lessOrEqual:
            return place.orBelow.map { .comparison(column, .lessOrEqual, $0) } ?? .constant(false)
        case .greater, .greaterOrEqual:
            return place.orAbove.map { .comparison(column, .greaterOrEqual, $0) } ?? .constant(false)
        }
    }

    /// Follows the part with the most tests down the tree, and turns each other part beside it into a decision.
    ///
    /// The parts beside it have half of the tests at most, so decisions are nested no deeper than the logarithm of
    /// their number.
    private func decision() throws(RepositoryError) -> StoredTest {
        var steps: [(test: StoredTest, answer: Bool)] = []
        var (current, isOpposite) = (self, false)
        while current.depth > 0 {
            switch current.node {
            case .all(let parts):
                let main = Self.main(of: parts)
                for (place, part) in parts.enumerated() where place != main {
                    steps.append((.not(try part.part()), isOpposite))
                }
                current = parts[main]
            case .any(let parts):
                let main = Self.main(of: parts)
                for (place, part) in parts.enumerated() where place != main {
                    steps.append((try part.part(), !isOpposite))
                }
                current = parts[main]
            case .not(let condition):
                isOpposite.toggle()
                current = condition
            case .comparison, .range, .membership, .search, .raw, .tooDeep:
                return try current.part()
            }
        }
        let last = try current.part()
        return .decision(steps, otherwise: isOpposite ? .not(last) : last)
    }

    /// The index of the part with the most tests.
    private static func main(of parts: [Condition]) -> Int {
        parts.indices.max { parts[$0].count < parts[$1].count } ?? 0
    }
}
