public import Foundation

// The components of dates in the proleptic Gregorian calendar.

extension Term where Value == Date {
    /// The year, in UTC or another zone.
    public func year(in zone: TimeZone = .gmt) -> Term<Root, Int> { part(.year, zone) }
    /// The month, 1 to 12, in UTC or another zone.
    public func month(in zone: TimeZone = .gmt) -> Term<Root, Int> { part(.month, zone) }
    /// The day of the month, 1 to 31, in UTC or another zone.
    public func day(in zone: TimeZone = .gmt) -> Term<Root, Int> { part(.day, zone) }
    /// The hour, 0 to 23, in UTC or another zone.
    public func hour(in zone: TimeZone = .gmt) -> Term<Root, Int> { part(.hour, zone) }
    /// The day of the week, 1 for Sunday to 7 for Saturday as in Foundation, in UTC or another zone.
    public func weekday(in zone: TimeZone = .gmt) -> Term<Root, Int> { part(.weekday, zone) }
}

extension Term where Value == Date? {
    /// The year, in UTC or another zone.
    public func year(in zone: TimeZone = .gmt) -> Term<Root, Int?> { part(.year, zone) }
    /// The month, 1 to 12, in UTC or another zone.
    public func month(in zone: TimeZone = .gmt) -> Term<Root, Int?> { part(.month, zone) }
    /// The day of the month, 1 to 31, in UTC or another zone.
    public func day(in zone: TimeZone = .gmt) -> Term<Root, Int?> { part(.day, zone) }
    /// The hour, 0 to 23, in UTC or another zone.
    public func hour(in zone: TimeZone = .gmt) -> Term<Root, Int?> { part(.hour, zone) }
    /// The day of the week, 1 for Sunday to 7 for Saturday as in Foundation, in UTC or another zone.
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
                // A date beyond the range of the calendar has no components.
                of: [date], isOptional: date.isOptional, .integer, mayBeNaN: true)
        }
    }
}
