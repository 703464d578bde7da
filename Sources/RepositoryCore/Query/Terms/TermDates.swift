public import Foundation

// Dates: the current time, arithmetic, and components in the proleptic Gregorian calendar.

extension Term where Value == Date {
    /// The time of the transaction that reads or writes, by the clock of the repository.
    ///
    /// A live result loses and gains rows as time passes, without a commit:
    ///
    /// ```swift
    /// let recent = Movie.where { $0.releaseDate > .now - .seconds(300) }
    /// let token = repository.countSubscription(recent)
    ///     .sink(onValue: { print($0) }, onCompletion: { _ in })
    /// ```
    /// In a term, `.now` is the time of each transaction, whereas `Date.now` is the time at which the query was made.
    ///
    /// - Delivery: if the query compares a column with a bound (`.now`, plus or minus a duration), a live result
    ///   changes within 10 ms after the bound passes a row's value. Only the rows between the old and the new bound are
    ///   read; an index of the column makes this fast. A live query with any other use of `.now`, or that is always
    ///   re-read, is re-read every second.
    /// - Failure: `.misuse` in a declaration, such as the condition of a partial index.
    public static var now: Term { Term(.value(TermValue(.now, isOptional: false, .real))) }
}

// In a comparison, `.now` must mean the term `Term.now`, not the constant `Date.now`. Therefore these functions have a
// `Term` as the right operand, and the overloads for constants are disfavored.

/// Tests that a date is before another date, such as `.now`.
public func < <Root, Value: OrderedValue>(left: Term<Root, Value>, right: Term<Root, Date>) -> Condition<Root>
where Value.Plain == Date { left.test(.less, right) }

/// Tests that a date is not after another date, such as `.now`.
public func <= <Root, Value: OrderedValue>(left: Term<Root, Value>, right: Term<Root, Date>) -> Condition<Root>
where Value.Plain == Date { left.test(.lessOrEqual, right) }

/// Tests that a date is after another date, such as `.now`.
public func > <Root, Value: OrderedValue>(left: Term<Root, Value>, right: Term<Root, Date>) -> Condition<Root>
where Value.Plain == Date { left.test(.greater, right) }

/// Tests that a date is not before another date, such as `.now`.
public func >= <Root, Value: OrderedValue>(left: Term<Root, Value>, right: Term<Root, Date>) -> Condition<Root>
where Value.Plain == Date { left.test(.greaterOrEqual, right) }

extension Term where Value: ColumnValue, Value.Plain == Date {
    /// Adds a duration to a date.
    public static func + (date: Term, duration: Duration) -> Term { date.shifted(.plus, duration / .seconds(1)) }

    /// Subtracts a duration from a date.
    public static func - (date: Term, duration: Duration) -> Term { date.shifted(.minus, duration / .seconds(1)) }

    /// Adds a number of seconds to a date.
    public static func + (date: Term, seconds: TimeInterval) -> Term { date.shifted(.plus, seconds) }

    /// Subtracts a number of seconds from a date.
    public static func - (date: Term, seconds: TimeInterval) -> Term { date.shifted(.minus, seconds) }

    private func shifted(_ operation: Arithmetic, _ seconds: TimeInterval) -> Term {
        Term { () throws(RepositoryError) in try value().with(operation, TermValue(constant: seconds)) }
    }
}

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
