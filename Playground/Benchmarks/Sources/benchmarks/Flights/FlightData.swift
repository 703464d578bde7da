import Foundation
import SignalRepository
import SwiftCSV

/// Everything that the five files of nycflights13 hold.
struct FlightData {
    let airlines: [Airline]
    let airports: [Airport]
    let planes: [Plane]
    let weather: [Weather]
    let flights: [Flight]

    init(folder: String) throws {
        airlines = try Airline.items(in: folder)
        airports = try Airport.items(in: folder)
        planes = try Plane.items(in: folder)
        weather = try Weather.items(in: folder)
        flights = try Flight.items(in: folder)
        try check()
    }

    /// Throws if a key occurs twice or a foreign key has no target, because no store would accept such data.
    private func check() throws {
        try checkKeys(of: airlines)
        try checkKeys(of: airports)
        try checkKeys(of: planes)
        try checkKeys(of: weather)
        try checkReferences(weather, \.origin, to: airports)
        try checkReferences(flights, \.origin, to: airports)
        try checkReferences(flights, \.carrier, to: airlines)
    }

    private func checkKeys<Item: DataItem>(of items: [Item]) throws {
        var known: Set<Item.ID> = []
        for (index, item) in items.enumerated() where !known.insert(item.id).inserted {
            throw FlightDataError("\(Item.file), row \(index + 1): the key \(item.id) occurs twice.")
        }
    }

    private func checkReferences<Item: DataItem, Target: DataItem>(
        _ items: [Item], _ reference: (Item) -> Target.ID, to targets: [Target]
    ) throws {
        let known = Set(targets.map(\.id))
        for (index, item) in items.enumerated() where !known.contains(reference(item)) {
            throw FlightDataError("\(Item.file), row \(index + 1): \(Target.file) lacks \(reference(item)).")
        }
    }
}

/// The data of a folder, which is read when a form first needs it.
final class FlightSource {
    private let folder: String
    private var known: FlightData?

    init(folder: String) {
        self.folder = folder
    }

    func data() throws -> FlightData {
        if let known { return known }
        let data = try FlightData(folder: folder)
        known = data
        return data
    }
}

/// One sentence that says why the data cannot be used.
struct FlightDataError: Error, CustomStringConvertible {
    let description: String

    init(_ description: String) {
        self.description = description
    }
}

/// An entity whose items come from a CSV file.
protocol DataItem: Entity {
    static var file: String { get }
    /// Reads an item from the fields of a row: the entity's columns in their order, without a generated key.
    init(_ fields: inout DataFields) throws
}

extension DataItem {
    /// The names of the file's columns.
    static var dataColumns: [String] { schema.columns.map(\.name).filter { $0 != "id" } }

    static func items(in folder: String) throws -> [Self] {
        let rows = try DataRows.read(file, in: folder)
        guard let header = rows.first, header == dataColumns else {
            throw FlightDataError("\(file) does not begin with its columns, \(dataColumns.joined(separator: ",")).")
        }
        return try rows.dropFirst().enumerated().map { index, values in
            guard values.count == header.count else {
                throw FlightDataError("\(file), row \(index + 1): it has \(values.count) of \(header.count) fields.")
            }
            var fields = DataFields(file: file, row: index + 1, names: header, values: values)
            return try Self(&fields)
        }
    }
}

/// A parser of a file's rows, on SwiftCSV.
private final class DataRows {
    private var all: [[String]] = []

    /// Returns the rows of a file, the header first.
    static func read(_ file: String, in folder: String) throws -> [[String]] {
        let url = URL(fileURLWithPath: folder).appendingPathComponent(file)
        let text: String
        do {
            text = try String(contentsOf: url, encoding: .utf8)
        } catch {
            throw FlightDataError("\(file) cannot be read as text in the folder \(folder).")
        }
        // SwiftCSV silently closes a quote that is still open at the end.
        guard text.utf8.lazy.filter({ $0 == UInt8(ascii: "\"") }).count.isMultiple(of: 2) else {
            throw FlightDataError("\(file) has a quote that is opened and never closed.")
        }
        let rows = DataRows()
        do {
            try CSV<NoView>(string: text, delimiter: .comma).enumerateAsArray(startAt: 0, rowLimit: nil) { fields in
                rows.all.append(fields)
            }
        } catch {
            throw FlightDataError("\(file), after row \(max(0, rows.all.count - 1)): its quotes are out of order.")
        }
        return rows.all
    }
}

/// A view that keeps nothing: SwiftCSV's own views pad short rows, which hides missing fields.
private struct NoView: CSVView {
    let rows: [[String]] = []
    let columns: [[String]]? = nil

    init(header: [String], text: String, delimiter: CSVDelimiter, loadColumns: Bool, rowLimit: Int?) {}

    func serialize(header: [String], delimiter: CSVDelimiter) -> String { "" }
}
