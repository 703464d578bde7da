public import Foundation

// Terms whose text is compared by the rules of a language or a custom collation instead of byte by byte.

extension Term where Value: OrderedValue, Value.Plain == String {
    /// The text, sorted and compared as people expect it in a language.
    ///
    /// ```swift
    /// let german = Locale(identifier: "de_DE")
    /// let movies = try await repository.fetch(Movie.all.sorted { $0.title.localized(german) }).value()
    /// print(movies.map(\.title))  // ["Armageddon", "Ärger", "Zorro"]
    /// ```
    /// A composed letter equals its decomposed form (the base letter and a combining mark). Each comparison takes about
    /// 2 µs. No index has this order, so a query reads every row that meets its other conditions. On PostgreSQL, a
    /// live query with this order is re-read after each commit to its tables.
    public func localized(_ locale: Locale = .current) -> Term { ordered(.localized(locale.identifier)) }

    /// The text, sorted and compared with a custom collation.
    ///
    /// ```swift
    /// let natural = SQLCollation("natural") { $0.compare($1, options: .numeric) == .orderedAscending }
    /// let sorted = Movie.all.sorted { $0.title.collated(by: natural) }
    /// ```
    /// - Failure: `.misuse` if the store was opened without the collation, and always on a PostgreSQL server.
    public func collated(by collation: SQLCollation) -> Term { ordered(.collated(collation.name)) }

    private func ordered(_ order: Operation) -> Term {
        Term { () throws(RepositoryError) in
            let text = try value()
            return try TermValue(.operation(order, [text.term]), of: [text], isOptional: text.isOptional, .text)
        }
    }
}

/// A custom function that terms can call.
///
/// ```swift
/// let initial = TermFunction("initial") { (text: String) in String(text.prefix(1)) }
/// var configuration = RepositoryConfiguration()
/// configuration.functions = [initial.function]
/// let repository = try SQLiteRepository(.inMemory, entities: Movie.self, configuration: configuration)
/// _ = try await repository.insert(movies).value()
/// let initials = Movie.all.grouped { initial($0.title) }.aggregate { $0.id.count() }
/// let some = try await repository.fetch(Movie.where { initial($0.title) == "F" }).value()
/// ```
/// SQL can call the function by its name. Conditions, orders, groups and selections of a query call it with terms, as
/// above. It must always return the same result for the same arguments, because SQLite may skip repeated calls.
/// - Failure: `.misuse` if the store was opened without the function, and always on a PostgreSQL server;
///   `.bodyThrew(_:)` if the function throws an error, or returns a value that no column can hold.
public struct TermFunction<Output: ColumnValue, each Argument: ColumnValue>: Sendable {
    /// The function to register in `RepositoryConfiguration.functions`.
    public let function: SQLFunction

    /// Creates a function whose arguments and result are values that columns can hold.
    ///
    /// `nil` stands for NULL.
    public init(_ name: String, _ body: @escaping @Sendable (repeat each Argument) throws -> Output) {
        function = SQLFunction(name, body)
    }

    /// Calls the function with terms.
    public func callAsFunction<Root>(_ argument: repeat Term<Root, each Argument>) -> Term<Root, Output> {
        var arguments: [Result<TermValue, RepositoryError>] = []
        for term in repeat each argument {
            arguments.append(Result { () throws(RepositoryError) in try term.value() })
        }
        return Term<Root, Output> { [arguments] () throws(RepositoryError) in
            let values = try arguments.map { value throws(RepositoryError) in try value.get() }
            return try TermValue(
                .operation(.own(function.name), values.map(\.term)), of: values, isOptional: Output.isOptional,
                Output.storageClass)
        }
    }
}
