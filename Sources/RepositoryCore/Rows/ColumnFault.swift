/// The reason why a value cannot be read or stored.
///
/// The schema adds the names of the entity and the column.
///
/// Functions that read or write values throw faults with an untyped `throws`. A typed throw in a conformance from
/// another module would keep the optimizer from compiling the decoding of a row to straight-line code.
public enum ColumnFault: Error, Sendable {
    /// The value cannot be read or stored, for the given reason.
    case value(String)
    /// The value is longer than the engine's limit.
    case tooLong

    // Not inlined, because the messages would otherwise be copied into the code of every entity.
    @usableFromInline static var notANumber: ColumnFault {
        @inline(never) get { .value("not a number (NaN) cannot be stored") }
    }

    @usableFromInline @inline(never)
    static func outOfRange(_ stored: Int64, _ type: Any.Type) -> ColumnFault {
        .value("\(stored) is out of the range of \(type)")
    }

    @usableFromInline @inline(never)
    static func tooLarge(_ value: String) -> ColumnFault {
        .value("\(value) is above \(Int64.max), the largest integer that can be stored")
    }

    @usableFromInline @inline(never)
    static func notABool(_ stored: Int64) -> ColumnFault { .value("\(stored) is neither 0 nor 1") }

    @usableFromInline @inline(never)
    static func noCase(_ raw: Any, _ type: Any.Type) -> ColumnFault {
        .value("\(String(reflecting: raw)) is not a raw value of \(type)")
    }
}
