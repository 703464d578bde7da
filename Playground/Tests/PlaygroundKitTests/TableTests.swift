import Foundation
import Testing

@testable import PlaygroundKit

@Suite("Showing tables and texts")
struct TableTests {
    private let columns = [
        Table.Column(title: "title", canShrink: true), Table.Column(title: "gross", alignment: .right),
    ]

    @Test("Columns are aligned, nil is blank, and no line ends with spaces")
    func aligned() {
        let table = Table(columns: columns, rows: [["Heat", "187436818"], [nil, "7"], ["Up", nil]])
        #expect(
            table.lines(width: nil) == [
                "title      gross", "-----  ---------", "Heat   187436818", "               7", "Up",
            ])
    }

    @Test("Texts are cut to the terminal's width, amounts are not")
    func cut() {
        let table = Table(columns: columns, rows: [["The Lord of the Rings", "187436818"], ["Up", "7"]])
        let lines = table.lines(width: 20)
        #expect(
            lines == ["title          gross", "---------  ---------", "The Lord…  187436818", "Up                 7"])
        #expect(table.lines(width: 12).allSatisfy { DisplayWidth.of($0) <= 12 })
        #expect(table.lines(width: 0).allSatisfy { $0.isEmpty })
    }

    @Test("Wide characters take two columns, combining marks none")
    func wide() {
        #expect(DisplayWidth.of("七人の侍") == 8)
        #expect(DisplayWidth.of("Ame\u{301}lie") == 6)
        #expect(DisplayWidth.of("👩‍👩‍👧 🇫🇷") == 5)
        #expect(DisplayWidth.cut("七人の侍", to: 6) == "七人…")
        let table = Table(columns: columns, rows: [["七人の侍", "1"], ["Heat", "2"]])
        #expect(table.lines(width: nil)[2...] == ["七人の侍      1", "Heat          2"])
    }

    @Test("Control characters in data are escaped in a table, in JSON and on a terminal")
    func controls() {
        let table = Table(columns: [Table.Column(title: "t")], rows: [["a\u{1B}[2Jb\nc\u{202E}d"]])
        #expect(table.lines(width: nil)[2] == "a\\x1B[2Jb\\nc\\u{202E}d")
        #expect(JSONText.string("a\u{1B}\u{9B}\"\\\n\u{0}") == #""a\u001B\u009B\"\\\n\u0000""#)
        #expect(Escaping.visible("plain é 侍") == "plain é 侍")
    }

    @Test("CSV is quoted where a reader needs it")
    func csv() {
        #expect(
            CSVText.row(["a", nil, "b,c", "d\"e", "f\r\ng", " h", ""]) == "a,,\"b,c\",\"d\"\"e\",\"f\r\ng\",\" h\",")
    }

    @Test("Progress has rows, rows per second and percent")
    func progress() {
        let half = Progress(rows: 1500, seconds: 0.5, fraction: 0.5)
        #expect(half.figures == "50 %, 1500 rows, 3000 rows/s")
        #expect(half.bar == "[###############...............] 50 %, 1500 rows, 3000 rows/s")
        #expect(Progress(rows: 0, seconds: 0, fraction: nil).bar == "0 rows, 0 rows/s")
    }
}
