/// The destination of one value of a row: a parameter of a statement, or an element in memory.
///
/// One encoder serves both destinations.
public struct ColumnSlot {
    @usableFromInline let parameter: SQLiteParameter?
    /// The element in memory; `nil` if the destination is a parameter.
    @usableFromInline let memory: UnsafeMutablePointer<SQLValue>?
    @usableFromInline let places: DecimalPlaces
    /// The number of decimal places of the column, for types that are stored scaled.
    @inlinable @inline(__always)
    public var scale: Int { places.scale }

    /// Creates the slot of column `index`, counted from 1 as SQLite counts parameters.
    @inlinable @inline(__always)
    init(_ row: RowTarget, index: Int32, places: DecimalPlaces) {
        parameter = row.statement.map { SQLiteParameter(of: $0, index: index) }
        memory = row.values.map { $0 + (Int(index) - 1) }
        self.places = places
    }

    /// Binds NULL.
    @inlinable @inline(__always)
    public func bindNull() throws {
        guard let parameter else { return store(.null) }
        try parameter.bindNull()
    }

    /// Binds an integer.
    @inlinable @inline(__always)
    public func bind(integer value: Int64) throws {
        guard let parameter else { return store(.integer(value)) }
        try parameter.bind(integer: value)
    }

    /// Binds a floating-point number; NaN is a fault, because SQLite would store NULL.
    @inlinable @inline(__always)
    public func bind(real value: Double) throws {
        guard !value.isNaN else { throw ColumnFault.notANumber }
        guard let parameter else { return store(.real(value)) }
        try parameter.bind(real: value)
    }

    /// Binds text with every byte, NUL included.
    @inline(never)
    public func bind(text value: String) throws {
        guard let parameter else { return store(.text(value)) }
        try parameter.bind(text: value)
    }

    /// Binds bytes; an empty buffer becomes an empty blob, not NULL.
    @inline(never)
    public func bind(bytes: UnsafeRawBufferPointer) throws {
        guard let parameter else { return store(.blob(Array(bytes))) }
        try parameter.bind(bytes: bytes)
    }

    @usableFromInline @inline(never)
    func bind(_ value: SQLValue) throws {
        switch value {
        case .null: try bindNull()
        case .integer(let value): try bind(integer: value)
        case .real(let value): try bind(real: value)
        case .text(let value): try bind(text: value)
        case .blob(let value): try value.withUnsafeBytes { try bind(bytes: $0) }
        }
    }

    /// Writes the value to memory; not inlined, because this path is not performance-critical.
    @usableFromInline @inline(never)
    func store(_ value: SQLValue) {
        memory?.pointee = value
    }
}
