/// The way in which the words of a search text must match.
public enum WordSearch: Sendable, Hashable {
    /// Every word must match as a whole.
    case words
    /// The last word must match as a prefix, for a search while a person types; all other words match as a whole.
    case prefix
}

/// An item that contains the words of a search, with its rank.
///
/// ```swift
/// let best = Article.matching("quick fox").limit(10)
/// ```
public struct Match<Item: Entity>: Sendable {
    /// The item.
    public let item: Item
    /// The rank of the item; a lower rank is better.
    ///
    /// SQLite computes the rank with `bm25()`, PostgreSQL as the negative of `ts_rank`.
    public let rank: Double
    /// The part of the item's text that contains the most words of the search.
    public let snippet: Snippet
}

extension Match: Equatable where Item: Equatable {}

/// A part of a text, with the words that a search found in it.
public struct Snippet: Sendable, Hashable {
    /// The text, with "…" where it was cut.
    public let text: String
    /// The ranges of the found words in the text.
    public let words: [Range<String.Index>]

    /// Creates a snippet from text with U+FDD0 before and U+FDD1 after each found word; ordinary text has neither.
    init(marked: String) {
        var (text, words): (String, [(start: Int, end: Int)]) = ("", [])
        var start: Int?
        for scalar in marked.unicodeScalars {
            switch scalar.value {
            case 0xFDD0: start = text.utf8.count
            case 0xFDD1:
                if let first = start.take() { words.append((first, text.utf8.count)) }
            default: text.unicodeScalars.append(scalar)
            }
        }
        self.text = text
        self.words = words.map { word in
            let utf8 = text.utf8
            return utf8.index(utf8.startIndex, offsetBy: word.start)..<utf8.index(utf8.startIndex, offsetBy: word.end)
        }
    }

    /// Returns the text with markers before and after each word that was found.
    ///
    /// ```swift
    /// for match in try await repository.fetch(Article.matching("quick fox")).value() {
    ///     print(match.snippet.marked("<b>", "</b>"))  // the <b>quick</b> brown <b>fox</b>
    /// }
    /// ```
    public func marked(_ before: String, _ after: String) -> String {
        var (marked, position) = ("", text.startIndex)
        for word in words {
            marked += text[position..<word.lowerBound] + before + text[word] + after
            position = word.upperBound
        }
        return marked + text[position...]
    }
}

extension Match: Fetchable {
    /// The parameter of a query's closures: the properties of the item as terms.
    public static var queryTerms: Columns<Match, Item> { Columns(table: Item.entityName) }

    /// The table of the items, and its full-text index.
    public static var fetchSource: FetchSource<Match> {
        let index = SearchIndex.name(of: Item.entityName)
        let item = SourceTable(Item.self, label: Item.entityName)
        let schema = Item.schema
        return FetchSource(
            [item, SourceTable(index, found: [.rank, .snippet])],
            texts: { Item.fetchSource.texts().map { isSame in { isSame($0.item, $1.item) } } }
        ) { row throws(RepositoryError) in
            Match(
                item: try schema.decode(row), rank: try row.value(Double.self, at: item.width),
                snippet: Snippet(marked: try row.value(String.self, at: item.width + 1)))
        }
    }
}

extension Entity {
    /// Starts a query for the items that contain all words of a text, the best matches first.
    ///
    /// ```swift
    /// let found = try await repository.fetch(Article.matching("quick fox").limit(10)).value()
    /// ```
    /// Case and diacritical marks are ignored. The text may be any user input: no character in it has a special
    /// meaning, and a text without words finds no items.
    ///
    /// - Failure: `.misuse` for an entity that declares no columns with `search:`; `.tooBig` for more than 64 words or
    ///   4,096 bytes.
    public static func matching(_ text: String, _ search: WordSearch = .words) -> FetchQuery<Match<Self>> {
        let condition = Condition<Match<Self>> { () throws(RepositoryError) in
            .found(table: entityName, try pattern(text, search))
        }
        let rank = TermValue(.rank(index: SearchIndex.name(of: entityName)), isOptional: false, .real)
        var query = FetchQuery<Match<Self>>(joins: [condition])
        query.orderings = [.term(.success(rank), .ascending)]
        return query
    }

    fileprivate static func pattern(_ text: String, _ search: WordSearch) throws(RepositoryError) -> SearchPattern {
        guard !schema.searchPaths.isEmpty else {
            throw .misuse(detail: "\(entityName) has no full-text index: declare its columns with search:")
        }
        guard text.utf8.count <= SearchIndex.maxBytes else {
            throw .tooBig(
                detail: "the search text has \(text.utf8.count) bytes, more than the limit of \(SearchIndex.maxBytes)")
        }
        let count = SearchIndex.count(text)
        guard count <= SearchIndex.maxWords else {
            throw .tooBig(detail: "the search text has \(count) words, more than the limit of \(SearchIndex.maxWords)")
        }
        return SearchPattern(
            index: SearchIndex.name(of: entityName), columns: try schema.names(schema.searchPaths),
            pieces: SearchIndex.pieces(text, isPrefix: search == .prefix))
    }
}

extension Term where Value == Bool, Root: Entity {
    /// Tests that the columns declared with `search:` contain all words of a text, each word in any of the columns.
    ///
    /// ```swift
    /// let found = Article.where { .matches("quick fox") && $0.year > 1990 }
    /// ```
    /// - Failure: the errors of `Entity.matching(_:_:)`.
    public static func matches(_ text: String, _ search: WordSearch = .words) -> Term {
        .matching(Root.self, nil, text, search)
    }
}

extension Columns {
    /// Tests that the columns declared with `search:` contain all words of a text, each word in any of the columns.
    ///
    /// - Failure: the errors of `Entity.matching(_:_:)`.
    public func matches(_ text: String, _ search: WordSearch = .words) -> Condition<Root> {
        .matching(Item.self, table, text, search, keeper: keeper)
    }
}

extension Term where Value == Bool {
    fileprivate static func matching<Item: Entity>(
        _ type: Item.Type, _ table: String?, _ text: String, _ search: WordSearch, keeper: Int = 0
    ) -> Condition<Root> {
        Condition { () throws(RepositoryError) in
            var pattern = try Item.pattern(text, search)
            pattern.keeper = keeper
            return pattern.pieces.isEmpty ? .constant(false) : .matches(table: table, pattern)
        }
    }
}
