/// Why a value cannot be read or stored; the schema adds the entity and the column.
///
/// The functions that throw it are declared as throwing any error, because the optimizer does not see through a typed
/// throw of another module's conformance, and a row must become straight-line code.
public enum ColumnFault: Error, Sendable {
    /// The value itself does not fit; the text says what was found and what was expected.
    case value(String)
    /// SQLite rejected it with this result code.
    case refused(Int32)
}
