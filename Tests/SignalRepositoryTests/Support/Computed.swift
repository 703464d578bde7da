import Foundation
/// A number as SQLite has it: whole until it is too large for 64 bits.
enum Computed: Equatable {
    case whole(Int64)
    case real(Double)

    var real: Double {
        switch self {
        case .whole(let number): Double(number)
        case .real(let number): number
        }
    }

    /// The order of two numbers, exactly.
    func order(_ other: Computed) -> Int {
        switch (self, other) {
        case (.whole(let left), .whole(let right)): return left < right ? -1 : left > right ? 1 : 0
        case (.real(let left), .real(let right)): return left < right ? -1 : left > right ? 1 : 0
        case (.real, .whole): return -other.order(self)
        case (.whole(let left), .real(let right)):
            if right >= 0x1p63 { return -1 }
            if right < -0x1p63 { return 1 }
            let floor = right.rounded(.down)
            let whole = Int64(floor)
            return left < whole ? -1 : left > whole ? 1 : floor < right ? -1 : 0
        }
    }

    /// NaN becomes NULL.
    static func checked(_ number: Double) -> Computed? { number.isNaN ? nil : .real(number) }

    func with(
        _ other: Computed, _ whole: (Int64, Int64) -> (partialValue: Int64, overflow: Bool),
        _ real: (Double, Double) -> Double
    ) -> Computed? {
        if case .whole(let left) = self, case .whole(let right) = other {
            let (value, isTooLarge) = whole(left, right)
            if !isTooLarge { return .whole(value) }
        }
        return Self.checked(real(self.real, other.real))
    }

    func plus(_ other: Computed) -> Computed? { with(other, { $0.addingReportingOverflow($1) }, +) }
    func minus(_ other: Computed) -> Computed? { with(other, { $0.subtractingReportingOverflow($1) }, -) }
    func times(_ other: Computed) -> Computed? { with(other, { $0.multipliedReportingOverflow(by: $1) }, *) }

    func dividedBy(_ other: Computed) -> Computed? {
        if case .whole(let left) = self, case .whole(let right) = other {
            if right == 0 { return nil }
            let (value, isTooLarge) = left.dividedReportingOverflow(by: right)
            return isTooLarge ? .real(real / other.real) : .whole(value)
        }
        return other.real == 0 ? nil : Self.checked(real / other.real)
    }

    /// The remainder of what is left of both as whole numbers.
    func remainder(_ other: Computed) -> Computed? {
        let (left, right) = (clamped, other.clamped)
        if right == 0 { return nil }
        let value = right == -1 ? 0 : left % right
        if case .whole = self, case .whole = other { return .whole(value) }
        return .real(Double(value))
    }

    private var clamped: Int64 {
        switch self {
        case .whole(let number): number
        case .real(let number): number >= 0x1p63 ? .max : number <= -0x1p63 ? .min : Int64(number)
        }
    }
}
