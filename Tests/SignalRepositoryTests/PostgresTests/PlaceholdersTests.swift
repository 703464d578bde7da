import SignalRepository
import Testing

@testable import SignalRepositoryPostgres

@Suite("The parameters of a statement for a server") struct PlaceholdersTests {
    private static let cases = [
        ("SELECT ? + ?", "SELECT $1 + $2"), ("SELECT ?2, ?1, ?2", "SELECT $2, $1, $2"),
        // Inside quotes, a doubled quote is one, and a backslash means nothing.
        ("SELECT 'a''?' || ?", "SELECT 'a''?' || $1"), (#"SELECT "a""?", ?"#, #"SELECT "a""?", $1"#),
        (#"SELECT 'a\', ?"#, #"SELECT 'a\', $1"#), (#"a LIKE'\' AND b = ?"#, #"a LIKE'\' AND b = $1"#),
        // After E, a backslash escapes.
        (#"SELECT E'a\'?', ?"#, #"SELECT E'a\'?', $1"#), (#"SELECT e'\\', ?"#, #"SELECT e'\\', $1"#),
        (#"SELECT E'it''s \' ?', ?"#, #"SELECT E'it''s \' ?', $1"#),
        (#"SELECT e, '?', ?"#, #"SELECT e, '?', $1"#), ("SELECT E'?", "SELECT E'?"),
        // In comments.
        ("SELECT 1 -- ?\n, ?", "SELECT 1 -- ?\n, $1"), ("SELECT /* /* ? */ ? */ ?", "SELECT /* /* ? */ ? */ $1"),
        ("SELECT 2 - ? / ? * ?", "SELECT 2 - $1 / $2 * $3"),
        // Between dollar signs.
        ("SELECT $$?$$, ?", "SELECT $$?$$, $1"), ("SELECT $a_1$ $b$ ? $a_1$, ?", "SELECT $a_1$ $b$ ? $a_1$, $1"),
        ("SELECT $\u{e9}$?$\u{e9}$, ?", "SELECT $\u{e9}$?$\u{e9}$, $1"),
        ("SELECT $Z9$?$Z9$, ?", "SELECT $Z9$?$Z9$, $1"),
        // A tag cannot begin with a digit or have other marks; a name may have dollar signs.
        ("SELECT $1$ + ? + $9$", "SELECT $1$ + $1 + $9$"), ("SELECT $0$ + ? + $0$", "SELECT $0$ + $1 + $0$"),
        ("SELECT $a-b$ ?", "SELECT $a-b$ $1"), ("SELECT a$b$, ?, c$b$", "SELECT a$b$, $1, c$b$"),
        ("SELECT a1$$, ?, \u{e9}$$", "SELECT a1$$, $1, \u{e9}$$"),
        // Only E alone before a text gives backslashes a meaning: no other letter, and no word that contains it.
        (#"SELECT N'\', ?"#, #"SELECT N'\', $1"#), (#"ELSE'\' || ?"#, #"ELSE'\' || $1"#),
        ("SELECT a0$$, ?", "SELECT a0$$, $1"),
        // Empty comments, and comments without an end.
        ("SELECT /**/ ?", "SELECT /**/ $1"), ("SELECT /*/**/*/?", "SELECT /*/**/*/$1"), ("SELECT /* ?", "SELECT /* ?"),
        // Texts between dollar signs that are empty, have no end, or hold something like it.
        ("SELECT $$$$, ?", "SELECT $$$$, $1"), ("SELECT $$ ?", "SELECT $$ ?"), ("SELECT ? + $", "SELECT $1 + $"),
        ("SELECT $a$ $ab ? $a$, ?", "SELECT $a$ $ab ? $a$, $1"), ("SELECT $a$a$ ? $a$, ?", "SELECT $a$a$ ? $a$, $1"),
        ("SELECT $\u{100}$?$\u{100}$, ?", "SELECT $\u{100}$?$\u{100}$, $1"),
    ]

    @Test("A mark is a parameter unless it is quoted", arguments: cases) func marks(sql: String, text: String) {
        #expect(Placeholders(sql, nil).text == text)
    }

    @Test("Equal constants are one parameter; NULL and bytes are not") func equals() {
        let placeholders = Placeholders("?, ?, ?, ?, ?", [.integer(1), .null, .integer(1), .null, .text("1")])
        #expect(placeholders.text == "$1, $2, $1, $3, $4")
        #expect(placeholders.order == [0, 1, 3, 4] && placeholders.indexes == [0, 1, 2, 3, 4])
    }

    @Test("A number after a question mark may have several digits") func numbers() {
        let placeholders = Placeholders("?10 + ?09", nil)
        #expect(placeholders.text == "$10 + $9" && placeholders.order == [9, 8] && placeholders.indexes == [8, 9])
    }
}
