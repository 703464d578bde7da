import Foundation
import Testing

@testable import PlaygroundKit

@Suite("Release dates")
struct ReleaseDateTests {
    @Test(
        "English and ISO 8601 spellings are read in UTC",
        arguments: [
            ("Jun 12 1998", "1998-06-12"), ("jan 1 2001", "2001-01-01"), ("Dec 31 2046", "2046-12-31"),
            ("1998-06-12", "1998-06-12"), ("0001-01-01", "0001-01-01"), ("9999-12-31", "9999-12-31"),
            ("2000-02-29", "2000-02-29"), ("1998-06-12T00:00:00Z", "1998-06-12"),
            ("1998-06-12T20:30", "1998-06-12T20:30:00Z"),
            ("1998-06-12 20:30:15", "1998-06-12T20:30:15Z"), ("1998-06-12T23:30:00-02:00", "1998-06-13T01:30:00Z"),
            ("1998-06-12T01:30:00+0200", "1998-06-11T23:30:00Z"),
            ("1998-06-12T12:00:00.250Z", "1998-06-12T12:00:00.250Z"),
            ("1900-03-01", "1900-03-01"), ("1969-12-31T23:59:59.999000Z", "1969-12-31T23:59:59.999Z"),
        ])
    func read(text: String, written: String) throws {
        let date = try #require(ReleaseDate.parse(text))
        #expect(ReleaseDate.text(date) == written)
        #expect(ReleaseDate.parse(written) == date)
        #expect(ReleaseDate.year(date) == Int(written.prefix(4)))
    }

    @Test(
        "S-L10 Anything else is refused, and so is a date that its time zone moves out of the years 1 to 9999",
        arguments: [
            "", " ", "June 12 1998", "Jun 31 1998", "Jun 12 98", "Jun 12", "12 Jun 1998", "Foo 12 1998", "Jun 012 1998",
            "1998", "1998-13-01", "1998-02-29", "1900-02-29", "0000-01-01", "1998-6-12", "1998-06-12T",
            "1998-06-12T24:00",
            "1998-06-12T12:60", "1998-06-12T12:00:60Z", "1998-06-12T12:00Zx", "1998-06-12T12:00+25:00",
            "1998-06-12T12:00:00.Z",
            // S-L10: in UTC these are not in the years 1 to 9999.
            "0001-01-01T00:00+02:00", "9999-12-31T23:59:59-02:00", "9999-12-31T00:00-24:00",
            "1998-06-12T12:00:00.0001Z", "١٩٩٨-٠٦-١٢", "Jun +2 1998",
        ])
    func refused(text: String) {
        #expect(ReleaseDate.parse(text) == nil)
    }

    @Test("The days from year 1 to 9999 are those of the Gregorian calendar")
    func everyDay() throws {
        let first = try #require(ReleaseDate.date(year: 1, month: 1, day: 1))
        let last = try #require(ReleaseDate.date(year: 9999, month: 12, day: 31))
        #expect(last.timeIntervalSince(first) == 3_652_058 * 86_400)
        var calendar = Calendar(identifier: .gregorian)
        calendar.timeZone = try #require(TimeZone(secondsFromGMT: 0))
        for day in stride(from: 700_000, through: 760_000, by: 7) {
            let date = first.addingTimeInterval(Double(day) * 86_400)
            let parts = calendar.dateComponents([.year, .month, .day], from: date)
            #expect(ReleaseDate.date(year: parts.year ?? 0, month: parts.month ?? 0, day: parts.day ?? 0) == date)
        }
    }
}
