import Foundation

/// A term that is computed of rows in memory, and comes to what the store computes of the same rows.
///
/// It is made of the form that the SQL is made of. What it cannot say for certain it does not say: a term that needs
/// the store has no such form, and a row of which the store would make an error is a `RowFault`.
indirect enum RowTerm: Sendable {
    case column(Int)
    case constant(SQLValue)
    /// With `hasInfinity`, a floating-point number that is too large is an infinite one.
    case arithmetic(Arithmetic, RowTerm, RowTerm, hasInfinity: Bool)
    case joined([RowTerm])
    case magnitude(RowTerm, hasInfinity: Bool)
    case coalesced([RowTerm])
    /// A whole number that has to fit into 64 bits.
    case checked(RowTerm)
    /// A whole number, or an infinite one where it does not fit.
    case saturated(RowTerm)
    case real(RowTerm)
    case text(TextFunction, RowTerm, RowTerm?)
    case search(TextSearch, RowTerm, [UInt8], byCharacters: Bool)
    case datePart(DatePart, RowTerm, TimeZone?)
    case test(RowTest)
}

/// A row of which a term cannot be computed in memory: the store fails, or it has a value that nobody expects there.
struct RowFault: Error {}

/// Where the columns of a row stand, and how its store computes.
struct RowPlaces {
    /// Whether the store computes of texts, dates and floating-point numbers what Swift does, or else as a server does.
    let byCharacters: Bool
    let index: (String) -> Int?
}

extension StoredTerm {
    /// The term for rows in memory; `nil` when only the store can say what it comes to.
    ///
    /// This is the one place that decides it. What is not named here by what it means exactly is left to the store.
    func rowTerm(_ places: RowPlaces) -> RowTerm? {
        // Each level takes some of the stack.
        guard StoredPart.term(self).levels <= 64 else { return nil }
        return switch self {
        case .column(let column): places.index(column.name).map { .column($0) }
        // SQLite binds what is not a number as NULL.
        case .constant(.real(let number)) where number.isNaN: .constant(.null)
        case .constant(let value): .constant(value)
        case .operation(let operation, let arguments): Self.rowTerm(operation, arguments, places)
        case .checked(let number): number.rowTerm(places).map { .checked($0) }
        // What is not a number is NULL wherever it is computed.
        case .unlessNaN(let number): number.rowTerm(places)
        case .real(let number): number.rowTerm(places).map { .real($0) }
        case .test(let test): test.rowTest(places).map { .test($0) }
        case .filtered, .distinct, .children, .rowNumber, .rank: nil
        }
    }

    private static func rowTerm(
        _ operation: Operation, _ arguments: [StoredTerm], _ places: RowPlaces
    ) -> RowTerm? {
        let terms = arguments.compactMap { $0.rowTerm(places) }
        guard terms.count == arguments.count, let first = terms.first else { return nil }
        let second = terms.dropFirst().first
        let hasInfinity = places.byCharacters
        switch operation {
        case .arithmetic(let sign):
            return second.map { .arithmetic(sign, first, $0, hasInfinity: hasInfinity) }
        case .negated: return .arithmetic(.minus, .constant(.integer(0)), first, hasInfinity: hasInfinity)
        case .magnitude: return .magnitude(first, hasInfinity: hasInfinity)
        case .joined: return .joined(terms)
        case .coalesced: return .coalesced(terms)
        case .saturated: return .saturated(first)
        case .text(let function): return places.byCharacters ? .text(function, first, second) : nil
        case .search(let search):
            guard case .constant(.blob(let pattern)) = arguments.last else { return nil }
            return .search(search, first, pattern, byCharacters: places.byCharacters)
        case .datePart:
            // A server has another calendar, and time zones of its own.
            guard places.byCharacters, arguments.count == 3, case .constant(.integer(let number)) = arguments[1],
                let part = DatePart(rawValue: Int(number)), case .constant(.text(let zone)) = arguments[2]
            else { return nil }
            return .datePart(part, first, Zones.zone(zone))
        // The range of a type is for assignments alone.
        case .bounded, .own, .collated, .localized, .count, .sum, .exactSum, .total, .average, .mean,
            .minimum, .maximum:
            return nil
        }
    }
}
