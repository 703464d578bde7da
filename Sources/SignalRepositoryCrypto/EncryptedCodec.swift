#if Crypto
    public import RepositoryCore

    /// A codec that encrypts the values of another codec, and stores `nil` as NULL.
    ///
    /// Equal values are encrypted to different bytes, so a query cannot compare them.
    public struct EncryptedCodec<Base: ColumnCodec>: OpaqueCodec {
        package let base: Base
        package let boundName: String
        private let keys: ColumnKeys

        init(_ base: Base, _ keys: ColumnKeys, as name: String) {
            (self.base, self.keys, boundName) = (base, keys, name)
        }

        /// The storage class of encrypted values, which are bytes.
        public var storageClass: StorageClass { .blob }
        /// Whether the property can be `nil`.
        public var isOptional: Bool { base.isOptional }
        /// Whether the property's type is `Decimal` or wraps it.
        public var isScaled: Bool { base.isScaled }

        /// Decrypts the value; throws if it was encrypted with another key, changed, or moved from another column.
        public func read(from cell: ColumnCell) throws -> Base.Value {
            if cell.isNull { return try base.read(from: cell) }
            let plain = try cell.withBytes { bytes in try keys.open(bytes, as: boundName) }
            do {
                let (stored, scale) = try PlainBytes.value(of: plain)
                // The scale of a vector is its number of components, which only the column's declaration states.
                let isBytes = base.storageClass == .blob
                return try base.value(of: stored, scale: isBytes ? cell.scale : scale)
            } catch {
                // The error of the base codec may quote the decrypted value, so it is replaced.
                throw ColumnFault.value("the decrypted bytes are not a valid \(Base.Value.self)")
            }
        }

        /// Encrypts the value.
        public func write(_ value: Base.Value, to slot: ColumnSlot) throws {
            let stored: SQLValue
            do {
                stored = try base.stored(value, for: slot)
            } catch {
                // The error of the base codec may quote the value, so it is replaced.
                throw ColumnFault.value("a column of \(Base.Value.self) cannot store the value")
            }
            guard let plain = PlainBytes.bytes(of: stored, scale: slot.scale) else { return try slot.bindNull() }
            let sealed = try keys.seal(plain, as: boundName)
            try sealed.withUnsafeBytes { bytes in try slot.bind(bytes: bytes) }
        }
    }

    /// The plaintext of a stored value: its storage class, its decimal places, and the value.
    ///
    /// A number stays readable if the column is later declared with a different scale, because its decimal places are
    /// part of the plaintext.
    enum PlainBytes {
        /// Returns the plaintext of a stored value; `nil` for NULL.
        static func bytes(of value: SQLValue, scale: Int) -> [UInt8]? {
            switch value {
            case .null: nil
            case .integer(let number): head(1, scale) + bytes(of: UInt64(bitPattern: number))
            case .real(let number): head(2, scale) + bytes(of: number.bitPattern)
            case .text(let text): head(3, scale) + text.utf8
            case .blob(let bytes): head(4, scale) + bytes
            }
        }

        static func value(of bytes: [UInt8]) throws -> (value: SQLValue, scale: Int) {
            guard bytes.count >= 2 else { throw ColumnFault.value("too short") }
            let rest = bytes[2...]
            return (try value(bytes[0], rest), Int(bytes[1]))
        }

        private static func value(_ kind: UInt8, _ bytes: ArraySlice<UInt8>) throws -> SQLValue {
            switch (kind, bytes.count) {
            case (1, 8): return .integer(Int64(bitPattern: word(bytes)))
            case (2, 8): return .real(Double(bitPattern: word(bytes)))
            case (3, _):
                guard let text = String(validating: bytes, as: UTF8.self) else { throw ColumnFault.value("not UTF-8") }
                return .text(text)
            case (4, _): return .blob(Array(bytes))
            default: throw ColumnFault.value("of an unknown kind")
            }
        }

        private static func head(_ kind: UInt8, _ scale: Int) -> [UInt8] { [kind, UInt8(clamping: scale)] }

        private static func bytes(of word: UInt64) -> [UInt8] {
            (0..<8).map { UInt8(truncatingIfNeeded: word >> (8 * $0)) }
        }

        private static func word(_ bytes: ArraySlice<UInt8>) -> UInt64 {
            bytes.reversed().reduce(0) { $0 << 8 | UInt64($1) }
        }
    }
#endif
