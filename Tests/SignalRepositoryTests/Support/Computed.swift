/// A number as SQLite represents it: an integer or a floating-point number.
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
        _ other: Computed, _ whole: (Int64, Int64) -> Int64, _ real: (Double, Double) -> Double
    ) -> Computed? {
        if case .whole(let left) = self, case .whole(let right) = other { return .whole(whole(left, right)) }
        return Self.checked(real(self.real, other.real))
    }

    func plus(_ other: Computed) -> Computed? { with(other, +, +) }
    func minus(_ other: Computed) -> Computed? { with(other, -, -) }
    func times(_ other: Computed) -> Computed? { with(other, *, *) }
    func dividedBy(_ other: Computed) -> Computed? { other.real == 0 ? nil : with(other, /, /) }

    func remainder(_ other: Computed) -> Computed? {
        other.real == 0 ? nil : with(other, %) { $0.truncatingRemainder(dividingBy: $1) }
    }
}
