import Foundation
import Hummingbird

extension ByteBuffer {
    /// A value as a server-sent event.
    static func event(_ value: some Encodable) throws -> ByteBuffer {
        var event = ByteBuffer(string: "data: ")
        // JSON of the encoder is one line, as an event's data has to be.
        event.writeBytes(try JSONEncoder().encode(value))
        event.writeString("\n\n")
        return event
    }
}
