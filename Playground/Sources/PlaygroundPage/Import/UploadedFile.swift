#if Serve
    import Foundation
    import Hummingbird
    import PlaygroundKit

    /// A temporary file that is filled part by part; it goes with the object.
    final class UploadedFile: Sendable {
        let path: String
        private let descriptor: Int32

        init() throws(PlaygroundError) {
            let folder = FileManager.default.temporaryDirectory.path
            var template = Array("\(folder)/playground-XXXXXX".utf8CString)
            descriptor = mkstemp(&template)
            guard descriptor >= 0 else {
                throw PlaygroundError("no temporary file can be made in \(folder): \(String(cString: strerror(errno)))")
            }
            path = String(decoding: template.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
        }

        deinit {
            close(descriptor)
            unlink(path)
        }

        func append(_ part: ByteBuffer) throws(PlaygroundError) {
            var rest = Array(buffer: part)[...]
            while !rest.isEmpty {
                let length = rest.withUnsafeBytes { write(descriptor, $0.baseAddress, $0.count) }
                if length < 0 && errno == EINTR { continue }
                guard length > 0 else {
                    throw PlaygroundError("the upload cannot be kept: \(String(cString: strerror(errno)))")
                }
                rest = rest.dropFirst(length)
            }
        }
    }
#endif
