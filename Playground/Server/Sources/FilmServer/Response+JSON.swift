import Foundation
import Hummingbird

extension Response {
    /// A value as JSON.
    static func json(_ value: some Encodable, status: HTTPResponse.Status = .ok) throws -> Response {
        let body = ByteBuffer(data: try JSONEncoder().encode(value))
        return Response(
            status: status, headers: [.contentType: "application/json; charset=utf-8"],
            body: ResponseBody(byteBuffer: body))
    }
}
