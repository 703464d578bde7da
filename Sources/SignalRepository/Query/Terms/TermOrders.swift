public import Foundation

// Texts that are compared in another order than that of their bytes.

extension Term where Value: OrderedValue, Value.Plain == String {
    /// The text, which is sorted and compared as people expect it in a language.
    ///
    /// ```swift
    /// let german = Locale(identifier: "de_DE")
    /// let movies = try await repository.fetch(Movie.all.sorted { $0.title.localized(german) }).value()
    /// print(movies.map(\.title))  // ["Armageddon", "Ärger", "Zorro"]
    /// ```
    /// Both Unicode forms of a letter are one. Each comparison takes about 2 µs, and no index has the order: such a
    /// query reads every row that its other conditions leave. Live queries with it are read again after a commit.
    public func localized(_ locale: Locale = .current) -> Term { ordered(.localized(locale.identifier)) }

    /// The text, which is sorted and compared by an order of the program's own.
    ///
    /// ```swift
    /// let natural = SQLCollation("natural") { $0.compare($1, options: .numeric) == .orderedAscending }
    /// let sorted = Movie.all.sorted { $0.title.collated(by: natural) }
    /// ```
    /// - Failure: `.misuse` where the store was opened without the collation, and on a server.
    public func collated(by collation: SQLCollation) -> Term { ordered(.collated(collation.name)) }

    private func ordered(_ order: Operation) -> Term {
        Term { () throws(RepositoryError) in
            let text = try value()
            return try TermValue(.operation(order, [text.term]), of: [text], isOptional: text.isOptional, .text)
        }
    }
}

/// A function of the program's own, as terms call it.
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
/// In SQL it has its name. Conditions, orders, groups and selections may call it; live queries that do are read again
/// after a commit.
/// - Failure: `.misuse` where the store was opened without it, and on a server; what it throws, and a
///   result that no column holds, is `.bodyThrew(_:)`.
public struct TermFunction<Output: ColumnValue, each Argument: ColumnValue>: Sendable {
    /// The function as it is registered, in `RepositoryConfiguration.functions`.
    public let function: SQLFunction

    /// Makes a function of values that columns can hold; `nil` is NULL.
    public init(_ name: String, _ body: @escaping @Sendable (repeat each Argument) throws -> Output) {
        function = SQLFunction(name, body)
    }

    /// What the function makes of terms.
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
