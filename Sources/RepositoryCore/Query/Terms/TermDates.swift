public import Foundation

// The components of dates in the proleptic Gregorian calendar.

extension Term where Value == Date {
    /// Returns the year, in UTC or in another time zone.
    public func year(in zone: TimeZone = .gmt) -> Term<Root, Int> { part(.year, zone) }
    /// Returns the month, 1 to 12, in UTC or in another time zone.
    public func month(in zone: TimeZone = .gmt) -> Term<Root, Int> { part(.month, zone) }
    /// Returns the day of the month, 1 to 31, in UTC or in another time zone.
    public func day(in zone: TimeZone = .gmt) -> Term<Root, Int> { part(.day, zone) }
    /// Returns the hour, 0 to 23, in UTC or in another time zone.
    public func hour(in zone: TimeZone = .gmt) -> Term<Root, Int> { part(.hour, zone) }
    /// Returns the day of the week, 1 for Sunday to 7 for Saturday as in Foundation, in UTC or in another time zone.
    public func weekday(in zone: TimeZone = .gmt) -> Term<Root, Int> { part(.weekday, zone) }
}

extension Term where Value == Date? {
    /// Returns the year, in UTC or in another time zone.
    public func year(in zone: TimeZone = .gmt) -> Term<Root, Int?> { part(.year, zone) }
    /// Returns the month, 1 to 12, in UTC or in another time zone.
    public func month(in zone: TimeZone = .gmt) -> Term<Root, Int?> { part(.month, zone) }
    /// Returns the day of the month, 1 to 31, in UTC or in another time zone.
    public func day(in zone: TimeZone = .gmt) -> Term<Root, Int?> { part(.day, zone) }
    /// Returns the hour, 0 to 23, in UTC or in another time zone.
    public func hour(in zone: TimeZone = .gmt) -> Term<Root, Int?> { part(.hour, zone) }
    /// Returns the day of the week, 1 for Sunday to 7 for Saturday as in Foundation, in UTC or in another time zone.
    public func weekday(in zone: TimeZone = .gmt) -> Term<Root, Int?> { part(.weekday, zone) }
}

extension Term {
    fileprivate func part<Output>(_ part: DatePart, _ zone: TimeZone) -> Term<Root, Output> {
        Term<Root, Output> { () throws(RepositoryError) in
            let date = try value()
            let identifier = zone.identifier == TimeZone.gmt.identifier ? "" : zone.identifier
            return try TermValue(
                .operation(
                    .datePart,
                    [date.term, .constant(.integer(Int64(part.rawValue))), .constant(.text(identifier))]),
                // A date beyond the range of the calendar has no components: they are NULL.
                of: [date], isOptional: date.isOptional, .integer, mayBeNaN: true)
        }
    }
}
