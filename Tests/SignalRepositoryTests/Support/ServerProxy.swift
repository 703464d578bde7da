import Foundation

@testable import SignalRepositoryPostgres

/// A proxy between a program and a server, which forwards, holds or cuts their traffic as a test demands.
///
/// Safe because the condition guards all mutable state.
final class ServerProxy: @unchecked Sendable {
    /// Where a connection is cut.
    enum Cut: Sendable {
        /// The server receives only the bytes before a word, and answers those.
        case before(String)
        /// The server does its work, but none of its answer arrives.
        case answers(String)
        /// The server does its work, but its answer ends in the middle of a word.
        case amid(String)
    }

    let folder: TemporaryFolder
    private let server: String
    private let listener: Int32
    private let condition = NSCondition()
    private var cut: Cut?
    /// The program's sockets of two connections: the next answer to the first is its last, those to the second vanish.
    private var (ending, dropping): (Int32?, Int32?)
    private var isHeld = false
    private var descriptors: Set<Int32> = []
    /// The program's sockets of the connections that replicate, and of those on which nothing arrives any more.
    private var (streams, silent): (Set<Int32>, Set<Int32>) = ([], [])
    private let held = Gate()

    init(to socket: String) throws {
        server = socket
        folder = try TemporaryFolder()
        listener = Self.socket()
        Self.withAddress(folder.path + "/.s.PGSQL.5432") { address, length in
            _ = bind(listener, address, length)
        }
        listen(listener, 100)
        Thread.detachNewThread { [listener, weak self] in
            while true {
                let client = accept(listener, nil, nil)
                guard client >= 0, let self else { break }
                self.forward(client)
            }
            close(listener)
        }
    }

    /// Makes a proxy to an empty store, a connection through it with a very long timeout, and a direct connection.
    static func connections() throws -> (ServerProxy, through: PostgresConnection, other: PostgresConnection) {
        let server = try TestServer.shared.get()
        let (proxy, store) = (try ServerProxy(to: server.socket), try server.store())
        let through = try PostgresConnection(
            store.replacing("host=\(server.folder.path)", with: "host=\(proxy.folder.path)"))
        through.outcomeTimeout = .seconds(3_600)
        return (proxy, through, try PostgresConnection(store))
    }

    deinit {
        shutdown(listener, Int32(SHUT_RDWR))
    }

    /// Cuts the next connection whose traffic contains the word.
    func cut(_ cut: Cut) { change { self.cut = cut } }

    /// Cuts every connection.
    func cutAll() {
        change {
            silent = []
            for descriptor in descriptors { shutdown(descriptor, Int32(SHUT_RDWR)) }
        }
    }

    /// Stops all traffic of the connections that replicate now, until all connections are cut.
    func silenceStreams() { change { silent.formUnion(streams) } }

    /// Holds the server's answers.
    func hold() { change { isHeld = true } }

    /// Waits until an answer is held.
    func isHolding() async { await held.opened() }

    func release() { change { isHeld = false } }

    private func change(_ body: () -> Void) {
        condition.lock()
        body()
        condition.broadcast()
        condition.unlock()
    }

    private static func socket() -> Int32 { Foundation.socket(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0) }

    private static func withAddress<Result>(
        _ path: String, _ body: (UnsafePointer<sockaddr>, socklen_t) -> Result
    ) -> Result {
        var address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: path.utf8) }
        return withUnsafePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                body($0, socklen_t(MemoryLayout<sockaddr_un>.size))
            }
        }
    }
}

extension ServerProxy {
    private func forward(_ client: Int32) {
        let server = Self.socket()
        let isConnected = Self.withAddress(self.server) { connect(server, $0, $1) == 0 }
        guard isConnected else {
            close(server)
            close(client)
            return
        }
        change { descriptors.formUnion([client, server]) }
        let isOver = DispatchSemaphore(value: 0)
        Thread.detachNewThread {
            self.pump(from: client, to: server, of: client, isAnswer: false)
            isOver.signal()
        }
        Thread.detachNewThread {
            self.pump(from: server, to: client, of: client, isAnswer: true)
            isOver.wait()
            self.change {
                self.descriptors.subtract([client, server])
                self.streams.remove(client)
                self.silent.remove(client)
            }
            close(server)
            close(client)
        }
    }

    private func pump(from source: Int32, to target: Int32, of client: Int32, isAnswer: Bool) {
        var buffer = [UInt8](repeating: 0, count: 1 << 16)
        while true {
            let count = read(source, &buffer, buffer.count)
            guard count > 0 else { break }
            let (kept, isEnd) = decide(Array(buffer[..<count]), of: client, isAnswer)
            var sent = 0
            while sent < kept.count {
                let written = kept[sent...].withUnsafeBytes {
                    send(target, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL))
                }
                guard written > 0 else { break }
                sent += written
            }
            if isEnd || sent < kept.count { break }
        }
        shutdown(source, Int32(SHUT_RDWR))
        shutdown(target, Int32(SHUT_RDWR))
    }

    /// Returns the bytes to forward, and whether they are the last.
    private func decide(
        _ bytes: [UInt8], of client: Int32, _ isAnswer: Bool
    ) -> (bytes: ArraySlice<UInt8>, isEnd: Bool) {
        condition.lock()
        defer { condition.unlock() }
        if !isAnswer, Self.place(of: "START_REPLICATION", in: bytes) != nil { streams.insert(client) }
        while silent.contains(client) { condition.wait() }
        if isAnswer, isHeld { held.open() }
        while isAnswer, isHeld { condition.wait() }
        if isAnswer, ending == client {
            ending = nil
            return (bytes[...], true)
        }
        switch cut {
        case .before(let word)? where !isAnswer:
            guard let place = Self.place(of: word, in: bytes) else { break }
            (cut, ending) = (nil, client)
            return (bytes[..<place], false)
        case .answers(let word)?:
            if !isAnswer, Self.place(of: word, in: bytes) != nil { dropping = client }
            guard isAnswer, dropping == client else { break }
            guard Self.place(of: word, in: bytes) != nil else { return ([], false) }
            (cut, dropping) = (nil, nil)
            return ([], true)
        case .amid(let word)? where isAnswer:
            guard let place = Self.place(of: word, in: bytes) else { break }
            cut = nil
            return (bytes[..<(place + word.utf8.count / 2)], true)
        default: break
        }
        return (bytes[...], false)
    }

    private static func place(of word: String, in bytes: [UInt8]) -> Int? {
        let word = Array(word.utf8)
        guard bytes.count >= word.count else { return nil }
        return (0...(bytes.count - word.count)).first { bytes[$0..<($0 + word.count)].elementsEqual(word) }
    }
}
