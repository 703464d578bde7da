extension SQLValue {
    package init(_ cell: ColumnCell) throws {
        switch cell.storageClass {
        case .null: self = .null
        case .integer: self = .integer(try cell.integer())
        case .real: self = .real(try cell.real())
        case .text: self = .text(try cell.text())
        case .blob: self = .blob(try cell.withBytes { bytes in Array(bytes) })
        }
    }

    /// Creates the value that `write` stores in a slot with the given decimal places.
    package init(_ places: DecimalPlaces, writing write: (ColumnSlot) throws -> Void) throws {
        self = .null
        // Safe because the value stays in place while the slot is written to.
        try withUnsafeMutablePointer(to: &self) { memory in
            try write(ColumnSlot(RowTarget(values: memory), index: 1, places: places))
        }
    }
}
