import Foundation
import Testing

@testable import RepositoryCore
@testable import SignalRepository

@Suite("Floating-point numbers and dates") struct RealColumnValuesTests {
    private static let doubles: [Double] = [
        0, 1, -1, 0.1, 1 / 3, .pi, .leastNonzeroMagnitude, .leastNormalMagnitude, .greatestFiniteMagnitude, .infinity,
        -.infinity, 9_007_199_254_740_992, 1e15 + 0.3, -123_456_789.123_456_789, Double(Int64.max), 7,
    ]

    @Test("Every number comes back bit for bit, whole and infinite ones too", arguments: doubles)
    func double(_ value: Double) throws {
        let memory = try Memory(Box<Double>.self)
        try memory.insert(Box(id: 1, value: value))
        #expect(try memory.items().map(\.value.bitPattern) == [value.bitPattern])
    }

    @Test("The sign of zero is the one bit that is lost")
    func negativeZero() throws {
        let memory = try Memory(Box<Double>.self)
        try memory.insert(Box(id: 1, value: -0.0))
        #expect(try memory.items().map(\.value) == [0])
    }

    @Test("NaN is an encoding error, in every type of number")
    func notANumber() throws {
        let double = try thrown { () throws(RepositoryError) in
            try Memory(Box<Double>.self).insert(Box(id: 1, value: .nan))
        }
        let float = try thrown { () throws(RepositoryError) in
            try Memory(Box<Float>.self).insert(Box(id: 1, value: .nan))
        }
        let date = try thrown { () throws(RepositoryError) in
            try Memory(Box<Date>.self).insert(Box(id: 1, value: Date(timeIntervalSinceReferenceDate: .nan)))
        }
        let optional = try thrown { () throws(RepositoryError) in
            try Memory(Box<Double?>.self).insert(Box(id: 1, value: .nan))
        }
        for error in [double, float, date, optional] {
            guard case .encoding("Box", "value", let detail, _) = error else { return #expect(Bool(false), "\(error)") }
            #expect(detail.contains("NaN"))
        }
        #expect(throws: ColumnFault.self) { try Double.nan.sqlValue(scale: 0) }
    }

    @Test(
        "A Float comes back bit for bit",
        arguments: [Float.pi, .leastNonzeroMagnitude, .greatestFiniteMagnitude, .infinity, 0.1, -16_777_216])
    func float(_ value: Float) throws {
        let memory = try Memory(Box<Float>.self)
        try memory.insert(Box(id: 1, value: value))
        #expect(try memory.items().map(\.value.bitPattern) == [value.bitPattern])
    }

    @Test("A number that Float cannot represent is a decoding error")
    func tooPreciseForFloat() throws {
        let memory = try Memory(Box<Float>.self)
        try memory.connection.execute("INSERT INTO Box VALUES (1, 0.1)")
        let error = try thrown { () throws(RepositoryError) in try memory.items() }
        guard case .decoding = error else { return #expect(Bool(false), "\(error)") }
    }

    @Test("A date comes back bit for bit")
    func dates() throws {
        let memory = try Memory(Box<Date>.self)
        let intervals = [0, 1e-7, 757_382_399.999_999_9, -63_114_076_800, Double.greatestFiniteMagnitude, .infinity]
        let dates =
            intervals.map { Date(timeIntervalSinceReferenceDate: $0) }
            + [.distantPast, .distantFuture, Date(), Date(timeIntervalSince1970: 0.1)]
        for (id, date) in dates.enumerated() { try memory.insert(Box(id: id, value: date)) }
        let bits = try memory.items().map(\.value.timeIntervalSinceReferenceDate.bitPattern)
        #expect(bits == dates.map(\.timeIntervalSinceReferenceDate.bitPattern))
    }
}
