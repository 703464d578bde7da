import Foundation

/// A component of a date in the proleptic Gregorian calendar.
package enum DatePart: Int, Sendable, CaseIterable {
    case year, month, day, hour, weekday

    /// The component of the date `seconds` after the reference date; `nil` for a date 10^15 seconds or more from 1970.
    ///
    /// The algorithm is Howard Hinnant's `civil_from_days`, in which years begin in March.
    package func value(of seconds: Double, in zone: TimeZone?) -> Int? {
        let offset = zone?.secondsFromGMT(for: Date(timeIntervalSinceReferenceDate: seconds)) ?? 0
        // Converts from the reference date, 2001-01-01, to 1970-01-01, and rounds down to the second.
        let moment = (seconds + Double(offset) + 978_307_200).rounded(.down)
        guard moment.magnitude < 1e15 else { return nil }
        let total = Int(moment)
        let days = Self.quotient(total, 86_400)
        if self == .hour { return (total - days * 86_400) / 3_600 }
        // January 1, 1970 was a Thursday, day 5.
        if self == .weekday { return days + 4 - 7 * Self.quotient(days + 4, 7) + 1 }
        let shifted = days + 719_468
        let era = Self.quotient(shifted, 146_097)
        let dayOfEra = shifted - era * 146_097
        let yearOfEra = (dayOfEra - dayOfEra / 1_460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
        let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
        let month = (5 * dayOfYear + 2) / 153
        switch self {
        case .day: return dayOfYear - (153 * month + 2) / 5 + 1
        case .month: return month < 10 ? month + 3 : month - 9
        case .year, .hour, .weekday: return yearOfEra + era * 400 + (month < 10 ? 0 : 1)
        }
    }

    /// Returns the quotient, rounded down.
    private static func quotient(_ number: Int, _ divisor: Int) -> Int {
        number >= 0 ? number / divisor : -((divisor - 1 - number) / divisor)
    }
}
