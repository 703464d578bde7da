// A chain such as a + b + c is written without inner parentheses, and checked for overflow once. Each parenthesis and
// function call takes entries of SQLite's parser stack, which holds a hundred entries before version 3.46.
extension SQLiteDialect {
    /// Returns the SQL of a sum, difference or product, in parentheses.
    ///
    /// With `isChecked`, the caller checks that the result is an integer of 64 bits. SQLite continues in floating point
    /// after an overflow, so this check also detects the overflow of an operand. An operand keeps its own check if the
    /// other operand may be NULL: the result would then be NULL, and hide the overflow.
    /// - Returns: The SQL, and whether it lacks the checks of operands. Without them, even a small floating-point
    ///   result can come from an overflow.
    func checkedChain(
        _ operation: Arithmetic, _ arguments: [StoredTerm], isChecked: Bool
    ) throws(RepositoryError) -> (sql: SQLText, hasUncheckedOperands: Bool) {
        let link = ChainLink(operation: operation, left: arguments[0], right: arguments[1])
        var hasUncheckedOperands = false
        let sql = try chain(link, by: ChainWriter(isChecked: isChecked), &hasUncheckedOperands)
        return ("(\(sql))", hasUncheckedOperands)
    }

    private func chain(
        _ link: ChainLink, by writer: ChainWriter, _ hasUncheckedOperands: inout Bool
    ) throws(RepositoryError) -> SQLText {
        var (link, writer) = (link, writer)
        if link.isProduct { writer.products -= 1 }
        var inner = writer.link(of: link.left, with: link.right)
        // An operand nested on the right, as in 1 + (1 + a), takes more of the stack than one on the left: swap them.
        if inner == nil, link.operation != .minus,
            let right = writer.link(of: link.right, with: link.left), right.isProduct == link.isProduct
        {
            (link.left, link.right, inner) = (link.right, link.left, right)
        }
        var left: SQLText
        if let inner {
            if case .checked = link.left { hasUncheckedOperands = true }
            left = try chain(inner, by: writer, &hasUncheckedOperands)
            if inner.isProduct != link.isProduct { left = "(\(left))" }
        } else {
            left = try operand(link.left)
        }
        return try "\(left)\(literal: link.operation.sign)\(operand(link.right))"
    }
}

/// A sum, difference or product of two terms.
private struct ChainLink {
    let operation: Arithmetic
    var left: StoredTerm
    var right: StoredTerm
    var isProduct: Bool { operation == .times }
}

/// Decides which operands are written as a part of the chain, without parentheses and checks around them.
private struct ChainWriter {
    let isChecked: Bool
    /// The number of further products that may go unchecked.
    ///
    /// Eleven products and 200 sums (a term has at most 200 levels) cannot reach infinity. An infinity could hide an
    /// overflow, because the difference of two infinities is NULL.
    var products = 11

    /// Returns the operand as a part of the chain; `nil` if the operand must be written separately.
    func link(of term: StoredTerm, with other: StoredTerm) -> ChainLink? {
        let number: StoredTerm
        switch term {
        case .checked(let checked):
            guard isChecked, other.isNeverNull else { return nil }
            number = checked
        // The check for NaN is unnecessary, because SQLite replaces NaN with NULL.
        case .unlessNaN(let real): number = real
        default: return nil
        }
        guard case .operation(.arithmetic(let operation), let arguments) = number, arguments.count == 2 else {
            return nil
        }
        switch operation {
        case .plus, .minus: break
        case .times: guard products > 0 else { return nil }
        case .dividedBy, .remainder: return nil
        }
        return ChainLink(operation: operation, left: arguments[0], right: arguments[1])
    }
}

extension StoredTerm {
    /// The operands of nested concatenations; the term alone if it is not a concatenation.
    var joined: [StoredTerm] {
        guard case .operation(.joined, let parts) = self else { return [self] }
        return parts.flatMap(\.joined)
    }

    /// Whether the term is known to be non-NULL in every row.
    fileprivate var isNeverNull: Bool {
        switch self {
        case .column(let column): !column.isOptional
        case .constant(let value): value != .null
        case .checked(let number), .real(let number): number.isNeverNull
        case .operation(.arithmetic(.plus), let terms), .operation(.arithmetic(.minus), let terms),
            .operation(.arithmetic(.times), let terms), .operation(.negated, let terms):
            terms.allSatisfy(\.isNeverNull)
        case .operation(.coalesced, let terms): terms.contains(where: \.isNeverNull)
        case .test, .children: true
        default: false
        }
    }
}
