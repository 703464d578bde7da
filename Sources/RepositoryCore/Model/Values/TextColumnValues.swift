public import Foundation

extension String: ColumnValue {
    /// Stored as text.
    @inlinable
    public static var storageClass: StorageClass { .text }

    /// Reads the text, every byte of it, or throws if it is not UTF-8.
    @inlinable @inline(__always)
    public static func read(from cell: ColumnCell) throws -> String {
        try cell.text()
    }

    /// Binds the text, every byte of it.
    @inlinable @inline(__always)
    public func write(to slot: ColumnSlot) throws {
        try slot.bind(text: self)
    }
}

extension URL: ColumnValue {
    /// Stored as text: the string of a URL without a base.
    @inlinable
    public static var storageClass: StorageClass { .text }

    /// Reads the URL, or throws if the text is not a URL.
    @inlinable @inline(__always)
    public static func read(from cell: ColumnCell) throws -> URL {
        let text = try cell.text()
        guard let value = URL(string: text) else { throw ColumnFault.value("the text is not a URL") }
        return value
    }

    /// Binds the string, or throws for a URL with a base, because it would be read back without its base.
    public func write(to slot: ColumnSlot) throws {
        try slot.bind(text: try stored())
    }

    /// Returns `.exact` with the string, or `.unordered` for a URL with a base, which equals no stored value.
    public func storedBound(scale: Int) -> StoredBound {
        baseURL == nil ? .exact(.text(absoluteString)) : .unordered
    }

    private func stored() throws -> String {
        guard baseURL == nil else {
            throw ColumnFault.value("\(relativeString) is relative to another URL: store its absoluteURL")
        }
        return absoluteString
    }
}
