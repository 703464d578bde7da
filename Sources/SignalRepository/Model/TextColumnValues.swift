public import Foundation

extension String: ColumnValue {
    /// Is text.
    @inlinable
    public static var storageClass: StorageClass { .text }

    /// Reads the text with every byte of it; bytes that are not UTF-8 are a fault.
    @inlinable @inline(__always)
    public static func read(from cell: ColumnCell) throws -> String {
        try cell.text()
    }

    /// Binds the text with every byte of it.
    @inlinable @inline(__always)
    public func write(to slot: ColumnSlot) throws {
        try slot.bind(text: self)
    }

    /// Returns the text.
    @inlinable
    public func sqlValue(scale: Int) throws -> SQLValue {
        .text(self)
    }
}

extension URL: ColumnValue {
    /// Is text: the absolute string.
    @inlinable
    public static var storageClass: StorageClass { .text }

    /// Reads the address; a text that is none is a fault.
    @inlinable @inline(__always)
    public static func read(from cell: ColumnCell) throws -> URL {
        let text = try cell.text()
        guard let value = URL(string: text) else { throw ColumnFault.value("the text is not a URL") }
        return value
    }

    /// Binds the absolute string.
    @inlinable @inline(__always)
    public func write(to slot: ColumnSlot) throws {
        try slot.bind(text: absoluteString)
    }

    /// Returns the absolute string.
    @inlinable
    public func sqlValue(scale: Int) throws -> SQLValue {
        .text(absoluteString)
    }
}
