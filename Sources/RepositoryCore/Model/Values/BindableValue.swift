public import Foundation

/// A value that can be bound to a question mark in raw SQL.
///
/// Every ``ColumnValue`` conforms, and so does `SQLValue`, which `rows(_:_:)` returns. A bare `Decimal` is rejected:
/// its stored value depends on the decimal places of a column, and raw SQL does not say which column is meant. Bind it
/// as the column stores it:
///
/// ```swift
/// let dear = Movie.where(.raw("boxOffice >= ?", Movie.bound(1_000_000, as: \.boxOffice)))
/// ```
public protocol BindableValue: Sendable {
    /// Returns the value to bind, or throws if it cannot be bound.
    func boundValue() throws -> SQLValue
}

extension BindableValue {
    /// Returns the value to bind to raw SQL; an error names the statement.
    func stored(in text: String, of entity: String) throws(RepositoryError) -> SQLValue {
        do {
            return try boundValue()
        } catch let error as RepositoryError {
            throw error
        } catch {
            throw .encoding(error, entity: entity, column: text.excerpt)
        }
    }
}

extension ColumnValue {
    /// Returns the value as a column would store it; a `Decimal` is rejected with `.misuse`.
    public func boundValue() throws -> SQLValue {
        guard !Self.isScaled else {
            throw RepositoryError.misuse(
                detail: "a Decimal is stored with the decimal places of its column, which raw SQL does not name: bind "
                    + "it as a column does, Movie.bound(20, as: \\.boxOffice), or with its places, bound(scale: 2)")
        }
        return try sqlValue(scale: 0)
    }
}

extension SQLValue: BindableValue {
    /// Returns the value itself.
    public func boundValue() -> SQLValue { self }
}

/// A value as a column stores it, to be bound to a question mark in raw SQL.
public struct BoundValue: BindableValue {
    private let stored: @Sendable () throws -> SQLValue

    init(_ stored: @escaping @Sendable () throws -> SQLValue) {
        self.stored = stored
    }

    /// Returns the value as the column stores it, or throws an encoding error if the column cannot hold it.
    public func boundValue() throws -> SQLValue { try stored() }
}

extension Entity {
    /// Returns a value for raw SQL as a column stores it: a `Decimal` with the column's places, JSON as its text.
    ///
    /// ```swift
    /// let token = repository.transaction { store in
    ///     try store.execute("UPDATE Movie SET boxOffice = ?", Movie.bound(0.5, as: \.boxOffice))
    /// }.sink(onValue: { print($0) }, onCompletion: { _ in })
    /// ```
    /// - Failure: if the column cannot hold the value, the statement that uses it fails with `.encoding`.
    public static func bound<Value: Sendable>(
        _ value: Value, as column: KeyPath<Self, Value> & Sendable
    ) -> BoundValue {
        BoundValue { try schema.column(for: column).stored(value) }
    }
}

extension Decimal {
    /// Returns the number for raw SQL as a column with `scale` decimal places stores it.
    ///
    /// Use it for tables that no entity describes, as in a migration.
    ///
    /// ```swift
    /// let step = Migration("all tickets cost 12.50") { store in
    ///     try store.execute("UPDATE Ticket SET price = ?", Decimal(12.5).bound(scale: 2))
    /// }
    /// ```
    /// - Failure: if the number has more places, the statement that uses it fails with `.encoding`.
    public func bound(scale: Int) -> BoundValue { BoundValue { try sqlValue(scale: scale) } }
}
