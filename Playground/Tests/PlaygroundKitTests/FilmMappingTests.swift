import Foundation
import Testing

@testable import PlaygroundKit

@Suite("From a row to a film")
struct FilmMappingTests {
    @Test("W11 A text of more than 1000 bytes is rejected", arguments: ["title", "studio", "genre"])
    func long(name: String) throws {
        for (text, isFilm) in [
            (String(repeating: "é", count: 500), true), (String(repeating: "é", count: 500) + "x", false),
        ] {
            let json = name == "title" ? #"{"title":"\#(text)"}"# : #"{"title":"x","\#(name)":"\#(text)"}"#
            if isFilm {
                #expect(throws: Never.self) { try film(json) }
            } else {
                #expect(throws: RowRejection("the \(name) has more than 1000 bytes")) { try film(json) }
            }
        }
    }

    @Test("The headers of the film data and those of the program name the same properties")
    func headers() throws {
        let theirs = try film(
            """
            {"Title":"Heat","Release Date":"Dec 15 1995","Worldwide Gross":187436818,
             "Distributor":"Warner Bros.","Major Genre":"Action"}
            """
        )
        let ours = try film(
            """
            {"title":"Heat","releaseDate":"1995-12-15","boxOffice":187436818,
             "studio":"Warner Bros.","genre":"Action"}
            """
        )
        #expect(theirs == ours)
        #expect(theirs.id == "1995-12-15 Heat")
        #expect(theirs.boxOffice == 187_436_818)
        #expect(theirs.year == 1995)
        #expect(theirs.studio == "Warner Bros." && theirs.genre == "Action")
    }

    @Test("A number is accepted as a title, as it is spelled", arguments: ["1776", "21", "2.50", "-7", "1e3"])
    func numberTitle(text: String) throws {
        #expect(try film("{\"title\": \(text) }").title == text)
    }

    @Test("A missing value stays missing", arguments: ["null", "\"\"", "\" \""])
    func missing(value: String) throws {
        let film = try film(
            #"{"title":"x","releaseDate":\#(value),"boxOffice":\#(value),"studio":\#(value),"genre":\#(value)}"#)
        #expect(film == Film(title: "x", releaseDate: nil, boxOffice: nil, studio: nil, genre: nil))
        #expect(film.id == "- x")
        #expect(film.year == nil)
    }

    @Test("A year is kept as it is written, even if it is a century late")
    func lateYear() throws {
        #expect(try film(#"{"title":"Duel in the Sun","releaseDate":"Dec 31 2046"}"#).year == 2046)
    }

    @Test(
        "A row that is not a film is rejected with the reason",
        arguments: [
            (#"{"Title":null}"#, "the title is missing"), (#"{"Title":""}"#, "the title is missing"),
            (#"{"Title":" \t"}"#, "the title is missing"), (#"{}"#, "the title is missing"),
            (#"[1]"#, "it is not a JSON object"), (#"42"#, "it is not a JSON object"),
            (#"{"Title":true}"#, "the title is true, not a text"),
            (#"{"Title":{}}"#, "the title is an object, not a text"),
            (#"{"Title":["a"]}"#, "the title is an array, not a text"),
            (#"{"Title":"a","title":"b"}"#, "the title is given twice"),
            (#"{"Title":"a","Title":"a"}"#, "the title is given twice"),
            (#"{"Title":"\ud800"}"#, "a text has an escape that is not a character"),
            (#"{"Title":"a","boxOffice":"12abc"}"#, "the boxOffice \"12abc\" is not an amount"),
            (#"{"Title":"a","boxOffice":1e99}"#, "the boxOffice 1e99 cannot be stored exactly"),
            (#"{"Title":"a","boxOffice":0.00001}"#, "the boxOffice 0.00001 cannot be stored exactly"),
            (#"{"Title":"a","boxOffice":false}"#, "the boxOffice is false, not a text"),
            (
                #"{"Title":"a","Release Date":"soon"}"#,
                "the releaseDate \"soon\" is not a date like Jun 12 1998 or 1998-06-12"
            ),
            (
                #"{"Title":"a","Release Date":1998}"#,
                "the releaseDate \"1998\" is not a date like Jun 12 1998 or 1998-06-12"
            ),
        ])
    func rejected(json: String, reason: String) {
        #expect(throws: RowRejection(reason)) { try film(json) }
    }

    @Test("Escapes and nested values do not disturb the members after them")
    func members() throws {
        let film = try film(
            #"""
            { "x" : {"title":"no","y":["}",{"title":"no"}]} , "a\"}":"\\",
              "t\u0069tle" : "\u00c9t\u00e9 \ud83d\ude00\u0000" }
            """#
        )
        #expect(film.title == "Été 😀\0")
    }

    @Test("Canonically equivalent titles are one film")
    func composed() throws {
        let composed = try film("{\"title\":\"Am\u{E9}lie\"}")
        let decomposed = try film("{\"title\":\"Ame\u{301}lie\"}")
        #expect(Array(composed.id.utf8) == Array(decomposed.id.utf8))
    }

    @Test("A CSV row needs as many fields as the header, and an empty field is missing")
    func csvRow() throws {
        let header = try CSVHeader(["Title", "Other", " Worldwide Gross "])
        #expect(try Film(row(header, ["1776", "x", ""])).boxOffice == nil)
        #expect(try Film(row(header, ["1776", "", "2.5"])).boxOffice == 2.5)
        #expect(throws: RowRejection("it has 2 fields, and the header has 3")) { try Film(row(header, ["a", "b"])) }
    }

    @Test("A rejected row keeps its fields, and can be read again once corrected")
    func reject() throws {
        let raw = "{\"rejected\":{\"line\":1},\"Title\": null,\n \"n\": 1.50, \"o\": {\"a\":\n[1]}}"
        let record = SourceRecord(line: 7, content: .json(Array(raw.utf8)))
        let json = RejectedRow(record: record, reason: "the title is missing").json
        #expect(
            json
                == #"{"rejected": {"line": 7, "reason": "the title is missing"}, "#
                + #""Title": null, "n": 1.50, "o": {"a": [1]}}"#
        )
        #expect(try film(json.replacing("null", with: "\"Up\"")).title == "Up")

        let header = try CSVHeader(["Title", "Worldwide Gross"])
        let cells = RejectedRow(record: row(header, ["Heat", "much", "more"]), reason: "r").json
        #expect(
            cells
                == #"{"rejected": {"line": 1, "reason": "r"}, "#
                + #""Title": "Heat", "Worldwide Gross": "much", "surplus": ["more"]}"#
        )
        #expect(try film(cells.replacing("much", with: "12")).boxOffice == 12)

        let number = RejectedRow(record: SourceRecord(line: 2, content: .json(Array("42".utf8))), reason: "r").json
        #expect(number == #"{"rejected": {"line": 2, "reason": "r"}, "value": 42}"#)
    }

    private func film(_ json: String) throws -> Film {
        try Film(SourceRecord(line: 1, content: .json(Array(json.utf8))))
    }

    private func row(_ header: CSVHeader, _ fields: [String]) -> SourceRecord {
        SourceRecord(line: 1, content: .row(header, fields))
    }
}
