/// Numbers as the table shows them.
enum Figure {
    /// Seconds with a fitting unit and three digits, or a plain number of allocations or bytes.
    static func amount(_ value: Double, _ unit: Row.Unit) -> String {
        switch unit {
        case .allocations: return fixed(value, digits: 1)
        case .bytes: return fixed(value, digits: 0) + " B"
        case .seconds: break
        }
        let units = [(1.0, "s"), (1e-3, "ms"), (1e-6, "µs")]
        guard let (size, name) = units.first(where: { value >= $0.0 }) else {
            return threeDigits(value * 1e9) + " ns"
        }
        return threeDigits(value / size) + " " + name
    }

    /// A ratio: `1.04`, or `1/83` when it is small.
    static func ratio(_ value: Double) -> String {
        value > 0 && value < 0.2 ? "1/\(threeDigits(1 / value))" : threeDigits(value)
    }

    private static func threeDigits(_ value: Double) -> String {
        fixed(value, digits: value < 9.995 ? 2 : value < 99.95 ? 1 : 0)
    }

    private static func fixed(_ value: Double, digits: Int) -> String {
        let scale = [1, 10, 100][digits]
        let whole = Int((value * Double(scale)).rounded())
        let fraction = String(whole % scale)
        let padding = String(repeating: "0", count: max(0, digits - fraction.count))
        return digits == 0 || whole % scale == 0 && whole >= 10 * scale
            ? String(whole / scale)
            : "\(whole / scale).\(padding)\(fraction)"
    }
}
