/// The name of a field in JSON.
struct FieldName: CodingKey, ExpressibleByStringLiteral {
    let stringValue: String
    var intValue: Int? { nil }
    init(stringValue: String) { self.stringValue = stringValue }
    init(stringLiteral name: String) { self.init(stringValue: name) }
    init?(intValue: Int) { nil }
}

extension Decoder {
    /// The fields of an object.
    ///
    /// Any other field is an error, so that a misspelt name is not ignored.
    func fields(_ known: [FieldName]) throws -> KeyedDecodingContainer<FieldName> {
        let (fields, names) = (try container(keyedBy: FieldName.self), known.map(\.stringValue))
        let others = fields.allKeys.map(\.stringValue).filter { !names.contains($0) }.sorted()
        guard others.isEmpty else {
            let named = others.prefix(4).map { $0.prefix(40) }.joined(separator: ", ")
            let sentence = "\(named) is not one of \(names.joined(separator: ", "))."
            throw DecodingError.dataCorrupted(.init(codingPath: codingPath, debugDescription: sentence))
        }
        return fields
    }
}
