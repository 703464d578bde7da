extension SQLValue {
    /// Returns the value as a type reads it.
    func value<Value: ColumnValue>(_ type: Value.Type, scale: Int) throws -> Value {
        // Safe because the value stays in place while it is read.
        try withUnsafePointer(to: self) { try Value.read(from: ColumnCell($0, scale: scale)) }
    }
}
