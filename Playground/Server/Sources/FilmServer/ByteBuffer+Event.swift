import Foundation
import Hummingbird

extension ByteBuffer {
    /// A value as a server-sent event.
    static func event(_ value: some Encodable) throws -> ByteBuffer {
        var event = ByteBuffer(string: "data: ")
        // The encoder's JSON is one line, as an event's data must be.
        event.writeBytes(try JSONEncoder().encode(value))
        event.writeString("\n\n")
        return event
    }
}
