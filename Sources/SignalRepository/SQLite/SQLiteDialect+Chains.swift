// Chains of one operator, such as a + b + c, are written without parentheses and checked once. Each parenthesis and
// call takes places of SQLite's parser, which has a hundred before version 3.46.
extension SQLiteDialect {
    /// Writes a sum, difference or product in parentheses.
    ///
    /// `isChecked` says that the result is checked for being a whole number of 64 bits. SQLite goes on in floating
    /// point after an overflow, so the operands on the left need no check, unless NULL would hide it.
    /// - Returns: Whether the operands have lost their checks, so that a small floating-point result can come from an
    ///   overflow too.
    func append(
        chain operation: Arithmetic, _ arguments: [StoredTerm], isChecked: Bool, to sql: inout SQLText
    ) throws(RepositoryError) -> Bool {
        let writer = ChainWriter(isChecked: isChecked)
        var hasUncheckedOperands = false
        sql.append("(")
        try append(
            ChainLink(operation: operation, left: arguments[0], right: arguments[1]), by: writer,
            &hasUncheckedOperands, to: &sql)
        sql.append(")")
        return hasUncheckedOperands
    }

    private func append(
        _ link: ChainLink, by writer: ChainWriter, _ hasUncheckedOperands: inout Bool, to sql: inout SQLText
    ) throws(RepositoryError) {
        var (link, writer) = (link, writer)
        if link.isProduct { writer.products -= 1 }
        var inner = writer.link(of: link.left, beside: link.right)
        // An operand nested on the right, as in 1 + (1 + a), takes more places than on the left.
        if inner == nil, link.operation != .minus,
            let right = writer.link(of: link.right, beside: link.left), right.isProduct == link.isProduct
        {
            (link.left, link.right, inner) = (link.right, link.left, right)
        }
        if let inner {
            if case .checked = link.left { hasUncheckedOperands = true }
            let isOfOneKind = inner.isProduct == link.isProduct
            if !isOfOneKind { sql.append("(") }
            try append(inner, by: writer, &hasUncheckedOperands, to: &sql)
            if !isOfOneKind { sql.append(")") }
        } else {
            try append(link.left, to: &sql)
        }
        switch link.operation {
        case .minus: sql.append(" - ")
        case .times: sql.append(" * ")
        default: sql.append(" + ")
        }
        try append(link.right, to: &sql)
    }

    /// Writes texts one after another, however they are nested.
    func append(joined arguments: [StoredTerm], to sql: inout SQLText) throws(RepositoryError) {
        func leaves(of term: StoredTerm) -> [StoredTerm] {
            guard case .operation(.joined, let parts) = term else { return [term] }
            return parts.flatMap(leaves)
        }
        try append(arguments.flatMap(leaves), separator: " || ", to: &sql)
    }
}

/// A sum, difference or product of two terms.
private struct ChainLink {
    let operation: Arithmetic
    var left: StoredTerm
    var right: StoredTerm
    var isProduct: Bool { operation == .times }
}

/// Decides which operands become a part of the chain.
private struct ChainWriter {
    let isChecked: Bool
    /// How many products may still be left unchecked: with eleven of them and 200 sums no number becomes infinite, of
    /// which the difference would be NULL.
    var products = 11

    /// The operand as a part of the chain; `nil` if it is written by itself.
    func link(of term: StoredTerm, beside other: StoredTerm) -> ChainLink? {
        let number: StoredTerm
        switch term {
        case .checked(let checked):
            guard isChecked, other.isNeverNull else { return nil }
            number = checked
        // A floating-point number that is not a number is NULL in SQLite by itself.
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
    /// Whether it is known to have a value in every row.
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
