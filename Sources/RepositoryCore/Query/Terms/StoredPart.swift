/// A part of a condition or a term, so that the same code can traverse both.
enum StoredPart {
    case test(StoredTest)
    case term(StoredTerm)

    /// The direct subparts that are tests or terms.
    var parts: [StoredPart] {
        switch self {
        case .test(let test): test.parts
        case .term(let term): term.parts
        }
    }

    func contains(where isFound: (StoredPart) -> Bool) -> Bool {
        isFound(self) || parts.contains { $0.contains(where: isFound) }
    }

    var levels: Int {
        let levels = parts.map(\.levels).max()
        switch self {
        // A check is not a level of its own; only the operation that it checks counts.
        case .term(.checked), .term(.unlessNaN): return levels ?? 0
        case .term(.operation), .term(.filtered): return 1 + (levels ?? 0)
        case .test(.all), .test(.any): return 1 + (levels ?? 0)
        default: return levels.map { 1 + $0 } ?? 0
        }
    }
}

extension StoredTest {
    fileprivate var parts: [StoredPart] {
        switch self {
        case .constant, .comparison, .range, .membership, .rows, .search, .raw, .matches, .found: []
        case .terms(_, let left, let right): [.term(left), .term(right)]
        case .truth(let term): [.term(term)]
        case .all(let tests), .any(let tests): tests.map { .test($0) }
        case .not(let test): [.test(test)]
        case .decision(let steps, let last): steps.map { .test($0.test) } + [.test(last)]
        }
    }

    package var levels: Int { StoredPart.test(self).levels }
}

extension StoredTerm {
    fileprivate var parts: [StoredPart] {
        switch self {
        case .column, .constant, .now, .rowNumber, .rank: []
        case .operation(_, let arguments): arguments.map { .term($0) }
        case .filtered(_, let arguments, let test): arguments.map { .term($0) } + [.test(test)]
        case .checked(let term), .unlessNaN(let term), .distinct(let term), .real(let term): [.term(term)]
        case .test(let test): [.test(test)]
        case .children(let children): [.test(children.test)]
        }
    }
}
