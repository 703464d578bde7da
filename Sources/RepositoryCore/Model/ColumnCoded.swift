/// A wrapper that encodes an item as an object with column names as keys, in JSON or any other format.
///
/// ```swift
/// let json = try JSONEncoder().encode(movies.map(ColumnCoded.init))
/// let read = try JSONDecoder().decode([ColumnCoded<Movie>].self, from: json).map(\.item)
/// print(read == movies)  // true
/// ```
/// The type of a property encodes its value, so the encoder's strategies for dates and data apply. A property whose
/// type is not `Encodable` is encoded as its stored value. If a name is missing, decoding uses the column's default,
/// `nil` for an optional column, or a placeholder for a value that the store sets; otherwise, it throws. Decoding also
/// throws for a value that does not have its property's type. It ignores names that no column has.
public struct ColumnCoded<Item: Entity>: Codable, Sendable {
    /// The item.
    public let item: Item

    /// Wraps an item.
    public init(_ item: Item) {
        self.item = item
    }

    /// Encodes every column; `nil` is encoded as null.
    ///
    /// - Failure: `RepositoryError.encoding` for a value that cannot be stored; the encoder's own errors.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: ColumnName.self)
        let values = try Item.schema.values(of: item)
        for (index, column) in Item.schema.columns.enumerated() {
            if let value = item[keyPath: column.path] as? any Encodable {
                try container.encode(value, forKey: ColumnName(column.name))
            } else {
                try container.encode(StoredCoding(value: values[index]), forKey: ColumnName(column.name))
            }
        }
    }

    /// Decodes the columns by their names.
    ///
    /// - Failure: the decoder's own errors; `RepositoryError.encoding` for a value that its column cannot hold, and for
    ///   a missing value.
    public init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: ColumnName.self)
        var row: [String: any Sendable] = [:]
        for column in Item.schema.columns where container.contains(ColumnName(column.name)) {
            let name = ColumnName(column.name)
            if let type = column.valueType as? any (Decodable & Sendable).Type {
                row[column.name] = try container.decode(type, forKey: name)
            } else {
                let value = try container.decode(StoredCoding.self, forKey: name).value
                // An encoder may write a number such as 2.0 without a fraction, so that it decodes as an integer.
                row[column.name] = column.storageClass == .real ? value.asReal : value
            }
        }
        item = try RowMaker(Item.self).item(row, at: 0)
    }
}

extension SQLValue {
    fileprivate var asReal: SQLValue { if case .integer(let number) = self { .real(Double(number)) } else { self } }
}

private struct ColumnName: CodingKey {
    let stringValue: String
    var intValue: Int? { nil }
    init(_ name: String) { stringValue = name }
    init?(stringValue: String) { self.init(stringValue) }
    init?(intValue: Int) { nil }
}

/// The stored value of a property whose type is not `Codable`, which is coded instead of the property.
private struct StoredCoding: Codable {
    let value: SQLValue

    init(value: SQLValue) { self.value = value }

    init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        if container.decodeNil() {
            value = .null
        } else if let number = try? container.decode(Int64.self) {
            value = .integer(number)
        } else if let number = try? container.decode(Double.self) {
            value = .real(number)
        } else if let text = try? container.decode(String.self) {
            value = .text(text)
        } else {
            value = .blob(try container.decode([UInt8].self))
        }
    }

    func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        switch value {
        case .null: try container.encodeNil()
        case .integer(let number): try container.encode(number)
        case .real(let number): try container.encode(number)
        case .text(let text): try container.encode(text)
        case .blob(let bytes): try container.encode(bytes)
        }
    }
}
