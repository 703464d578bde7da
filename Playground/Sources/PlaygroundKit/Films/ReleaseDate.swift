import Foundation

/// Reads and writes release dates, always in UTC and in English, whatever the machine's settings are.
package enum ReleaseDate {
    private static let months = ["jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec"]
    private static let secondsPerDay = 86_400
    /// The days from 1970-01-01 to Foundation's reference date, 2001-01-01.
    private static let referenceDay = 11_323

    /// Reads a date such as `Jun 12 1998`, `1998-06-12` or `1998-06-12T20:30:00.250+02:00`.
    ///
    /// Returns nil for any other text, and for a date outside the years 1 to 9999 in UTC.
    static func parse(_ text: String) -> Date? {
        var scanner = DigitScanner(text)
        return scanner.startsWithDigit ? parseISO(&scanner) : parseEnglish(text)
    }

    /// Writes a date as `1998-06-12`, followed by the time of day unless it is midnight.
    package static func text(_ date: Date) -> String {
        let milliseconds = Int((date.timeIntervalSinceReferenceDate * 1000).rounded())
        let (day, time) = milliseconds.quotientAndRemainder(flooring: secondsPerDay * 1000)
        let (year, month, dayOfMonth) = civil(day + referenceDay)
        let calendarDay = "\(padded(year, 4))-\(padded(month, 2))-\(padded(dayOfMonth, 2))"
        guard time != 0 else { return calendarDay }
        let seconds = time / 1000
        let clock = "\(padded(seconds / 3600, 2)):\(padded(seconds / 60 % 60, 2)):\(padded(seconds % 60, 2))"
        let fraction = time % 1000 == 0 ? "" : "." + padded(time % 1000, 3)
        return "\(calendarDay)T\(clock)\(fraction)Z"
    }

    /// Returns the calendar year in UTC.
    static func year(_ date: Date) -> Int {
        let day = Int((date.timeIntervalSinceReferenceDate / Double(secondsPerDay)).rounded(.down))
        return civil(day + referenceDay).year
    }

    /// Returns the date of a day, at midnight; nil when the calendar has no such day.
    static func date(year: Int, month: Int, day: Int) -> Date? {
        guard (1...9999).contains(year), (1...12).contains(month), day >= 1 else { return nil }
        let number = dayNumber(year: year, month: month, day: day)
        guard civil(number) == (year, month, day) else { return nil }
        return Date(timeIntervalSinceReferenceDate: Double((number - referenceDay) * secondsPerDay))
    }

    private static func parseEnglish(_ text: String) -> Date? {
        let words = text.split(separator: " ")
        guard words.count == 3, let month = months.firstIndex(of: words[0].lowercased()),
            (1...2).contains(words[1].count), let day = digits(words[1]),
            words[2].count == 4, let year = digits(words[2])
        else { return nil }
        return date(year: year, month: month + 1, day: day)
    }

    private static func parseISO(_ scanner: inout DigitScanner) -> Date? {
        guard let year = scanner.number(4), scanner.take("-"), let month = scanner.number(2), scanner.take("-"),
            let day = scanner.number(2), let midnight = date(year: year, month: month, day: day)
        else { return nil }
        if scanner.isAtEnd { return midnight }
        guard scanner.take("T") || scanner.take("t") || scanner.take(" "), let milliseconds = clock(&scanner),
            let offset = zone(&scanner), scanner.isAtEnd
        else { return nil }
        let date = midnight.addingTimeInterval(Double(milliseconds) / 1000 - Double(offset))
        return (1...9999).contains(Self.year(date)) ? date : nil
    }

    /// Reads `20:30`, `20:30:15` or `20:30:15.250` as milliseconds since midnight.
    private static func clock(_ scanner: inout DigitScanner) -> Int? {
        guard let hour = scanner.number(2), hour < 24, scanner.take(":"), let minute = scanner.number(2), minute < 60
        else { return nil }
        var milliseconds = (hour * 60 + minute) * 60_000
        guard scanner.take(":") else { return milliseconds }
        guard let second = scanner.number(2), second < 60 else { return nil }
        milliseconds += second * 1000
        guard scanner.take(".") else { return milliseconds }
        guard let fraction = scanner.fraction() else { return nil }
        return milliseconds + fraction
    }

    /// Reads `Z`, `+02:00`, `-0530` or nothing (UTC) as seconds east of UTC.
    private static func zone(_ scanner: inout DigitScanner) -> Int? {
        if scanner.isAtEnd || scanner.take("Z") || scanner.take("z") { return 0 }
        let isEast = scanner.take("+")
        guard isEast || scanner.take("-"), let hour = scanner.number(2), hour < 24 else { return nil }
        _ = scanner.take(":")
        guard let minute = scanner.isAtEnd ? 0 : scanner.number(2), minute < 60 else { return nil }
        return (isEast ? 1 : -1) * (hour * 3600 + minute * 60)
    }

    private static func digits(_ text: Substring) -> Int? {
        text.utf8.allSatisfy { $0 >= 0x30 && $0 <= 0x39 } ? Int(text) : nil
    }

    private static func padded(_ number: Int, _ width: Int) -> String {
        let text = String(number)
        return String(repeating: "0", count: max(0, width - text.count)) + text
    }

    /// Counts the days from 1970-01-01 in the Gregorian calendar.
    ///
    /// The calculation begins a year in March, so that the leap day comes last.
    private static func dayNumber(year: Int, month: Int, day: Int) -> Int {
        let shifted = month > 2 ? year : year - 1
        let (era, yearOfEra) = shifted.quotientAndRemainder(flooring: 400)
        let dayOfYear = (153 * (month > 2 ? month - 3 : month + 9) + 2) / 5 + day - 1
        return era * 146_097 + yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear - 719_468
    }

    /// Returns the date of a day number, the inverse of `dayNumber`.
    private static func civil(_ number: Int) -> (year: Int, month: Int, day: Int) {
        let (era, dayOfEra) = (number + 719_468).quotientAndRemainder(flooring: 146_097)
        let yearOfEra = (dayOfEra - dayOfEra / 1460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
        let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
        let shiftedMonth = (5 * dayOfYear + 2) / 153
        let month = shiftedMonth < 10 ? shiftedMonth + 3 : shiftedMonth - 9
        let day = dayOfYear - (153 * shiftedMonth + 2) / 5 + 1
        return (era * 400 + yearOfEra + (month <= 2 ? 1 : 0), month, day)
    }
}

extension Int {
    /// Divides so that the remainder is never negative.
    fileprivate func quotientAndRemainder(flooring divisor: Int) -> (Int, Int) {
        let remainder = (self % divisor + divisor) % divisor
        return ((self - remainder) / divisor, remainder)
    }
}

/// Reads fixed-width numbers and separators from the beginning of a text.
private struct DigitScanner {
    private var rest: Substring.UTF8View

    init(_ text: String) {
        rest = text[...].utf8
    }

    var isAtEnd: Bool { rest.isEmpty }
    var startsWithDigit: Bool { rest.first.map { $0 >= 0x30 && $0 <= 0x39 } ?? false }

    mutating func take(_ mark: Unicode.Scalar) -> Bool {
        guard rest.first == UInt8(ascii: mark) else { return false }
        rest = rest.dropFirst()
        return true
    }

    mutating func number(_ width: Int) -> Int? {
        var result = 0
        for _ in 0..<width {
            guard startsWithDigit, let digit = rest.popFirst() else { return nil }
            result = result * 10 + Int(digit - 0x30)
        }
        return result
    }

    /// Reads one digit or more after a point as milliseconds; finer digits must be zeros, because nothing is rounded.
    mutating func fraction() -> Int? {
        guard startsWithDigit else { return nil }
        var (result, weight) = (0, 100)
        while startsWithDigit, let digit = rest.popFirst() {
            if weight == 0 && digit != 0x30 { return nil }
            result += Int(digit - 0x30) * weight
            weight /= 10
        }
        return result
    }
}
