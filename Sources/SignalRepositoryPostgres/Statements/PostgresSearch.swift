import RepositoryCore

/// Full-text search on PostgreSQL: a generated column with the words of each row, and an index on that column.
///
/// The server computes the column, whichever program writes the row.
///
/// The library splits texts into words with its own functions. A word is a run of letters and digits, in lower case and
/// without marks. The library does not use PostgreSQL's parser, because that keeps addresses and hyphenated words
/// together, and recognizes letters by the database's locale.
enum PostgresSearch {
    static let column = "signal_repository_search"

    /// Returns the columns that the search covers, as the search column's comment lists them.
    static func content(of table: TableShape) -> String { Identifier.list(table.search) }

    /// Creates the column and its index; the server chooses a unique name for the index.
    static func create(for table: TableShape, on connection: PostgresConnection) throws(RepositoryError) {
        for (name, body) in functions where try !connection.hasFunction(name) { try connection.run(body) }
        let (quoted, column, columns) = (Identifier.quoted(table.name), Identifier.quoted(column), content(of: table))
        try connection.run(
            """
            ALTER TABLE \(quoted) ADD COLUMN \(column) tsvector \
            GENERATED ALWAYS AS (signal_repository_words(ARRAY[\(columns)])) STORED; \
            COMMENT ON COLUMN \(quoted).\(column) IS \(Identifier.literal(columns)); \
            CREATE INDEX ON \(quoted) USING gin (\(column))
            """)
    }

    /// The part of ALTER TABLE that drops the column, and with it the index.
    static var removal: String { "DROP COLUMN IF EXISTS \(Identifier.quoted(column))" }

    /// Returns an expression for a text in lower case without combining marks, with a normal sigma for a final one.
    private static func folded(_ text: String) -> String {
        """
        replace(lower(normalize(regexp_replace(normalize(\(text), NFD), '[\(marks)]', '', 'g'), NFC) \
        COLLATE "und-x-icu"), 'ς', 'σ') COLLATE "und-x-icu"
        """
    }

    /// The combining marks that are removed.
    private static let marks = #"\u0300-\u036F\u0483-\u0489\u1AB0-\u1AFF\u1DC0-\u1DFF\u20D0-\u20FF\uFE20-\uFE2F"#

    private static func words(_ text: String) -> String {
        "regexp_split_to_table(\(folded(text)), '[^[:alnum:]]+') WITH ORDINALITY AS w(word, number)"
    }

    /// The functions that the library creates on the server, with their signatures.
    ///
    /// A word is cut to the length that an index can hold. Word positions have a gap between two columns, so that a
    /// phrase cannot span both columns. The first character of a piece of a pattern says whether the last word of the
    /// piece is a prefix.
    private static let functions = [
        (
            "signal_repository_words(text[])",
            """
            CREATE FUNCTION signal_repository_words(texts text[]) RETURNS tsvector \
            LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $$ \
            SELECT coalesce(string_agg(left(word, 500) || ':' || least(place, 16383), ' '), '')::tsvector FROM ( \
            SELECT word, row_number() OVER (ORDER BY part, number) + part AS place \
            FROM unnest(texts) WITH ORDINALITY AS t(text, part), \(words("text")) WHERE word <> '') AS words $$
            """
        ),
        (
            "signal_repository_query(text[])",
            """
            CREATE FUNCTION signal_repository_query(pieces text[]) RETURNS tsquery \
            LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $$ \
            SELECT string_agg(phrase, ' & ')::tsquery FROM ( \
            SELECT string_agg(left(word, 500), ' <-> ' ORDER BY number) \
            || CASE WHEN left(piece, 1) = '*' THEN ':*' ELSE '' END AS phrase \
            FROM unnest(pieces) WITH ORDINALITY AS p(piece, place), \(words("substr(piece, 2)")) WHERE word <> '' \
            GROUP BY place, piece) AS phrases $$
            """
        ),
        (
            "signal_repository_snippet(text[],text[])",
            """
            CREATE FUNCTION signal_repository_snippet(pieces text[], texts text[]) RETURNS text \
            LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $$ \
            WITH wanted AS ( \
            SELECT word, left(piece, 1) = '*' AND number = max(number) OVER (PARTITION BY place) AS is_prefix \
            FROM unnest(pieces) WITH ORDINALITY AS p(piece, place), \(words("substr(piece, 2)")) WHERE word <> ''), \
            tokens AS ( \
            SELECT part, number, found[1] AS gap, found[2] AS spelling, \
            (SELECT min(word) FROM wanted WHERE word = folded OR is_prefix AND starts_with(folded, word)) AS hit \
            FROM unnest(texts) WITH ORDINALITY AS t(text, part), \
            regexp_matches(text COLLATE "und-x-icu", \
            '([^[:alnum:]]*)([[:alnum:]][[:alnum:]\(marks)]*|$)', 'g') WITH ORDINALITY AS m(found, number), \
            LATERAL (SELECT \(folded("found[2]")) AS folded) AS f), \
            ends AS (SELECT part, max(number) FILTER (WHERE spelling <> '') AS last FROM tokens GROUP BY part), \
            best AS ( \
            SELECT part, last, greatest(1, least(number - 4, last - 15)) AS first FROM tokens AS start JOIN ends \
            USING (part) WHERE hit IS NOT NULL ORDER BY (SELECT count(DISTINCT hit) FROM tokens AS near \
            WHERE near.part = start.part AND near.number BETWEEN start.number AND start.number + 11) DESC, \
            part, number LIMIT 1) \
            SELECT coalesce(string_agg( \
            CASE WHEN number = first AND first > 1 THEN '…' WHEN number > first + 15 AND number <= last THEN '…' \
            ELSE gap END || CASE WHEN number > first + 15 THEN '' WHEN hit IS NULL THEN spelling \
            ELSE U&'\\FDD0' || spelling || U&'\\FDD1' END, '' ORDER BY number), '') \
            FROM tokens JOIN best USING (part) WHERE number BETWEEN first AND first + 16 $$
            """
        ),
    ]
}

extension PostgresDialect {
    func condition(rowOf table: String?, matches pattern: SearchPattern) -> SQLText {
        "\(StoredColumn(PostgresSearch.column, of: table)) @@ \(query(for: pattern))"
    }

    func condition(rowOf table: String, isFoundBy pattern: SearchPattern) -> SQLText {
        condition(rowOf: table, matches: pattern)
    }

    // Unlike in SQLite, the search index is not a table, so the rank and the snippet are computed for each row.
    func searchIndex(of table: String, for pattern: SearchPattern) -> SQLText {
        let words = StoredColumn(PostgresSearch.column, of: table)
        let columns = pattern.columns.map { StoredColumn($0, of: table) }
        return """
            LATERAL (SELECT CAST(-ts_rank(\(words), \(query(for: pattern))) AS double precision) AS rank, \
            signal_repository_snippet(\(pieces(of: pattern)), ARRAY[\(columns)]) AS snippet) AS \(name: pattern.index) \
            ON \(condition(rowOf: table, isFoundBy: pattern))
            """
    }

    func value(_ value: SearchValue, of index: String) -> SQLText {
        "\(StoredColumn(value == .rank ? "rank" : "snippet", of: index))"
    }

    private func query(for pattern: SearchPattern) -> SQLText { "signal_repository_query(\(pieces(of: pattern)))" }

    // A piece contains no NUL, because pieces are split at control characters.
    private func pieces(of pattern: SearchPattern) -> SQLText {
        "ARRAY[\(list: pattern.pieces.map { .text(($0.isPrefix ? "*" : " ") + $0.text) })]::text[]"
    }
}
