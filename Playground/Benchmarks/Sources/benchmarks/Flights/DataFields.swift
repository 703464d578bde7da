import Foundation

/// The fields of one row of a data file, which are read one after another.
struct DataFields {
    let file: String
    /// The number of the row, counted from 1 after the header.
    let row: Int
    let names: [String]
    let values: [String]
    private var place = 0

    init(file: String, row: Int, names: [String], values: [String]) {
        self.file = file
        self.row = row
        self.names = names
        self.values = values
    }

    mutating func next<Value: LosslessStringConvertible>() throws -> Value { try required { Value($0) } }

    mutating func next<Value: RawRepresentable<String>>() throws -> Value { try required { Value(rawValue: $0) } }

    mutating func next() throws -> Date { try required { try? Date($0, strategy: .iso8601) } }

    /// Reads an optional field: a missing value is empty or NA.
    mutating func nextIfPresent<Value: LosslessStringConvertible>() throws -> Value? {
        try present { Value($0) }
    }

    private mutating func required<Value>(_ read: (String) -> Value?) throws -> Value {
        guard let value = try present(read) else { throw fault("is missing") }
        return value
    }

    private mutating func present<Value>(_ read: (String) -> Value?) throws -> Value? {
        let text = values[place]
        place += 1
        if text.isEmpty || text == "NA" { return nil }
        // Swift reads inf and nan as numbers, but the data has no such values.
        guard let value = read(text), (value as? Double)?.isFinite != false else {
            throw fault("is \(text), which is not a valid \(Value.self)")
        }
        return value
    }

    private func fault(_ reason: String) -> FlightDataError {
        FlightDataError("\(file), row \(row): \(names[place - 1]) \(reason).")
    }
}
