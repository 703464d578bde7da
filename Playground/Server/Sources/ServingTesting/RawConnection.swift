import Foundation

/// A client's connection that can send invalid requests, or read nothing.
public final class RawConnection: Sendable {
    private let socket: Int32

    /// The port is not open.
    public struct Failure: Error {}

    /// Connects to a port of this machine, whether or not the server accepts the connection.
    public init(port: Int) throws {
        #if canImport(Darwin)
            let kind = SOCK_STREAM
        #else
            let kind = Int32(SOCK_STREAM.rawValue)
        #endif
        socket = Foundation.socket(AF_INET, kind, 0)
        _ = fcntl(socket, F_SETFD, FD_CLOEXEC)
        #if canImport(Darwin)
            var isSilent: Int32 = 1
            setsockopt(socket, SOL_SOCKET, SO_NOSIGPIPE, &isSilent, socklen_t(MemoryLayout<Int32>.size))
        #endif
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = UInt16(port).bigEndian
        address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
        let status = withUnsafePointer(to: address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                connect(socket, $0, socklen_t(MemoryLayout<sockaddr_in>.size))
            }
        }
        guard status == 0 else { throw Failure() }
    }

    deinit { Foundation.close(socket) }

    /// Sends a text, or a part of it if the server has closed the connection.
    public func send(_ text: String) {
        #if canImport(Darwin)
            let flags: Int32 = 0
        #else
            let flags = Int32(MSG_NOSIGNAL)
        #endif
        var rest = Array(text.utf8)[...]
        while !rest.isEmpty {
            let length = rest.withUnsafeBytes { Foundation.send(socket, $0.baseAddress, $0.count, flags) }
            guard length > 0 else { return }
            rest = rest.dropFirst(length)
        }
    }

    /// Whether there is something to read now.
    public var hasReceived: Bool {
        var entry = pollfd(fd: socket, events: Int16(POLLIN), revents: 0)
        return poll(&entry, 1, 0) > 0
    }

    /// Reads until a text has arrived, or until the server closes the connection.
    public func received(until mark: String? = nil) async -> String {
        await withCheckedContinuation { continuation in
            // On its own thread, because it blocks.
            Thread.detachNewThread { [self] in
                var (text, part) = (Data(), [UInt8](repeating: 0, count: 1 << 16))
                while mark.map({ text.range(of: Data($0.utf8)) == nil }) ?? true {
                    let length = recv(socket, &part, part.count, 0)
                    guard length > 0 else { break }
                    text.append(contentsOf: part[..<length])
                }
                continuation.resume(returning: String(decoding: text, as: UTF8.self))
            }
        }
    }

    /// Disconnects without reading the rest.
    public func close() { shutdown(socket, Int32(SHUT_RDWR)) }
}
