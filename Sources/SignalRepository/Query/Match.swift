/// How the words of a text are searched.
public enum WordSearch: Sendable, Hashable {
    /// Each word as it stands.
    case words
    /// The last word may go on: what is found while a person types.
    case prefix
}

/// An item in which the words of a text were found, and how well it fits.
///
/// ```swift
/// let best = Article.matching("quick fox").limit(10)
/// ```
public struct Match<Item: Entity>: Sendable {
    /// The item.
    public let item: Item
    /// How well it fits: the less, the better. (SQLite computes it as
    /// BM25, PostgreSQL as `ts_rank`.)
    public let rank: Double
    /// The part of its texts with the most words.
    public let snippet: Snippet
}

extension Match: Equatable where Item: Equatable {}

/// A part of a text in which words were found.
public struct Snippet: Sendable, Hashable {
    /// The text; "…" stands where it goes on.
    public let text: String
    /// Where the words stand in it.
    public let words: [Range<String.Index>]

    /// Takes a text in which U+FDD0 stands before each word, and U+FDD1 after it: no text has them.
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

    /// The text with signs before and after each word.
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
    /// The properties of the item as terms.
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
    /// The items in which all words of a text are found, the best first.
    ///
    /// ```swift
    /// let found = try await repository.fetch(Article.matching("quick fox").limit(10)).value()
    /// ```
    /// Upper and lower case are the same, and so are letters with and without marks. The text may be anything that a
    /// person types: no sign in it means anything, and no word is no item.
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
            throw .misuse(detail: "\(entityName) declares no columns in which words are searched, with search:")
        }
        guard text.utf8.count <= SearchIndex.mostBytes else {
            throw .tooBig(
                detail: "a search text of \(text.utf8.count) bytes, at most \(SearchIndex.mostBytes) are searched for")
        }
        let count = SearchIndex.count(text)
        guard count <= SearchIndex.mostWords else {
            throw .tooBig(detail: "a search of \(count) words, at most \(SearchIndex.mostWords) are searched for")
        }
        return SearchPattern(
            index: SearchIndex.name(of: entityName), columns: try schema.names(schema.searchPaths),
            pieces: SearchIndex.pieces(text, isPrefix: search == .prefix))
    }
}

extension Term where Value == Bool, Root: Entity {
    /// Tests that all words of a text are found in the columns that the entity declares with `search:`.
    ///
    /// ```swift
    /// let found = Article.where { .matches("quick fox") && $0.year > 1990 }
    /// ```
    /// - Failure: as `Entity.matching(_:_:)`.
    public static func matches(_ text: String, _ search: WordSearch = .words) -> Term {
        .matching(Root.self, nil, text, search)
    }
}

extension Columns {
    /// Tests that all words of a text are found in the columns that the entity declares with `search:`.
    ///
    /// - Failure: as `Entity.matching(_:_:)`.
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
