extension SQLValue {
    /// The value of a cell.
    init(_ cell: ColumnCell) throws {
        switch cell.storageClass {
        case .null: self = .null
        case .integer: self = .integer(try cell.integer())
        case .real: self = .real(try cell.real())
        case .text: self = .text(try cell.text())
        case .blob: self = .blob(try cell.withBytes { bytes in Array(bytes) })
        }
    }
}
