import Foundation
import Testing

@testable import RepositoryCore
@testable import SignalRepository

@Suite("Parts of a date") struct DatePartTests {
    @Test("The parts of each day in 400 years follow those of the day before")
    func days() throws {
        // The second of January 2001 was a Tuesday.
        var (year, month, day, weekday) = (2001, 1, 2, 3)
        for number in 1...146_097 {
            let noon = Double(number) * 86_400 + 43_200
            let parts = DatePart.allCases.map { $0.value(of: noon, in: nil) }
            guard parts == [year, month, day, 12, weekday] else {
                return #expect(parts == [year, month, day, 12, weekday])
            }
            let isLeap = year.isMultiple(of: 4) && !year.isMultiple(of: 100) || year.isMultiple(of: 400)
            let last = month == 2 ? (isLeap ? 29 : 28) : [4, 6, 9, 11].contains(month) ? 30 : 31
            weekday = weekday % 7 + 1
            day += 1
            if day > last { (month, day) = (month + 1, 1) }
            if month > 12 { (year, month) = (year + 1, 1) }
        }
    }
}
